import type { PageView } from '../page.ts'
import { leaver, refresher } from '../state/refresh.ts'
import { reloadOnceForMissingChunk } from './chunks.ts'
import { Failure } from './failure.tsx'
import { keepFocus } from './focus.ts'
import { hydrateIsland, surround, surroundingsOf } from './hydrate.tsx'
import type { PageState } from './page-state.ts'
import { fetchPageState } from './refresh.ts'

/** The pages that come alive whole; the still ones (`islands.ts`) are not even built. */
const pages = import.meta.glob<PageView<never>>([
  '../*/page.tsx',
  '!../{about-us,article,contact-us,game,game-list,goods-list,home,later,news-article,news-list,not-found,pay-type,product,redirect,reviews,support,support-answer}/page.tsx',
])

/** The main part of a page, whole. Afterwards it can be shown anew with what the server says of it then. */
export async function openWhole(page: PageState): Promise<void> {
  const { page: folder } = page.payload
  const load = pages[`../${folder}/page.tsx`]
  const main = document.getElementById('main')
  if (!load || !main) throw new Error(`no living page ${folder}`)
  const { Page } = await load().catch(reloadOnceForMissingChunk)
  const draw = (now: PageState) => (
    <Failure>
      <Page data={now.payload.data as never} />
    </Failure>
  )
  const around = surroundingsOf(page)
  const root = await hydrateIsland(main, draw(page), around)
  leaver.set(() => root.unmount())
  keepFocus(main)
  const refresh = async (address: string): Promise<void> => {
    const now = await fetchPageState(address, folder)
    if (!now) return
    document.title = now.payload.title
    root.render(surround(draw(now), { ...around, page: now }))
  }
  refresher.set((address) => void refresh(address))
}
