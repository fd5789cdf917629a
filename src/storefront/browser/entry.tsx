import '#ui/styles.ts'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { WordsProvider } from '../i18n.tsx'
import type { PagePayload, ShellData } from '../page.ts'
import type { Layout } from '../routes.ts'
import { handleLinkClicks } from './links.ts'
import { createWords } from './messages.ts'
import { createShopRouter, loadPageModule } from './router.tsx'

/** What the server put beside the HTML: enough to render the same tree. */
export interface PageState {
  readonly shell: ShellData
  readonly payload: PagePayload
  readonly layout: Layout
  readonly areas: readonly string[]
}

await start()

async function start(): Promise<void> {
  const state = JSON.parse(document.getElementById('page-data')?.textContent ?? '') as PageState
  const { words, loadAreas } = createWords(state.shell.language)
  await Promise.all([loadAreas(state.areas), loadPageModule(state.payload.page)])
  const router = createShopRouter(state, words, loadAreas)
  const root = document.getElementById('root')
  if (!root) return
  hydrateRoot(
    root,
    <StrictMode>
      <WordsProvider value={words}>
        <RouterProvider router={router} />
      </WordsProvider>
    </StrictMode>,
  )
  handleLinkClicks(router, words.prefix)
  document.documentElement.dataset['alive'] = ''
}
