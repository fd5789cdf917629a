import type { PageForms } from '../forms/form.ts'
import type { PageLoader, PageView } from '../page.ts'

const loaders = import.meta.glob<PageLoader<unknown>>('../*/load.ts', { eager: true })
const formFiles = import.meta.glob<{ readonly forms: PageForms }>('../*/forms.ts', { eager: true })
const views = import.meta.glob<PageView<never>>('../*/page.tsx', { eager: true })

export interface ServerPage {
  readonly load: PageLoader<unknown>['load']
  readonly meta: PageLoader<unknown>['meta']
  readonly Page: PageView<never>['Page']
}

/** The loader and view of a page's folder. Every folder that `routes.ts` names has both. */
export function getServerPage(folder: string): ServerPage {
  const loader = loaders[`../${folder}/load.ts`]
  const view = views[`../${folder}/page.tsx`]
  if (!loader || !view) throw new Error(`src/storefront/${folder} has no load.ts or page.tsx`)
  return { load: loader.load, meta: loader.meta, Page: view.Page }
}

/** The forms of a page's folder, by name. */
export function getPageForms(folder: string): PageForms {
  return formFiles[`../${folder}/forms.ts`]?.forms ?? {}
}
