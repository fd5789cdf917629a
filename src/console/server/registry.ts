import type { ConsoleLoader, ConsoleView } from '../page.ts'

const loaders = import.meta.glob<ConsoleLoader<unknown>>('../*/load.ts', { eager: true })
const views = import.meta.glob<ConsoleView<never>>('../*/page.tsx', { eager: true })

/** The loader and view of a page's folder. Every folder that `routes.ts` names has both. */
export function getConsolePage(folder: string): ConsoleLoader<unknown> & ConsoleView<never> {
  const loader = loaders[`../${folder}/load.ts`]
  const view = views[`../${folder}/page.tsx`]
  if (!loader || !view) throw new Error(`src/console/${folder} has no load.ts or page.tsx`)
  return { load: loader.load, Page: view.Page }
}
