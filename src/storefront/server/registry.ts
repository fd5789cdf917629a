import type { PageForms } from '../forms/form.ts'
import { livelinessOf, type Liveliness } from '../islands.ts'
import type { PageLoader, PageView } from '../page.ts'

const loaders = import.meta.glob<PageLoader<unknown>>('../*/load.ts', { eager: true })
const formFiles = import.meta.glob<{ readonly forms: PageForms }>('../*/forms.ts', { eager: true })
const views = import.meta.glob<PageView<never>>('../*/page.tsx', { eager: true })

export interface ServerPage {
  readonly load: PageLoader<unknown>['load']
  readonly meta: PageLoader<unknown>['meta']
  readonly Page: PageView<never>['Page']
  /** How it comes alive in the browser. */
  readonly liveliness: Liveliness
  /** The data that goes to the browser; undefined for a page that stays as it is. */
  readonly dataForBrowser: (data: unknown) => unknown
}

/** The loader and view of a page's folder. Every folder that `routes.ts` names has both. */
export function getServerPage(folder: string): ServerPage {
  const loader = loaders[`../${folder}/load.ts`]
  const view = views[`../${folder}/page.tsx`]
  if (!loader || !view) throw new Error(`src/storefront/${folder} has no load.ts or page.tsx`)
  const { islands } = view
  const liveliness = livelinessOf(folder)
  const dataForBrowser = (data: unknown) =>
    liveliness === 'still' ? undefined : islands ? islands(data as never) : data
  return { load: loader.load, meta: loader.meta, Page: view.Page, liveliness, dataForBrowser }
}

/** The forms of a page's folder, by name. */
export function getPageForms(folder: string): PageForms {
  return formFiles[`../${folder}/forms.ts`]?.forms ?? {}
}
