import type { PageView } from '../page.ts'
import { FIRST_PAGE } from '../islands.ts'
import { leaver, refresher } from '../state/refresh.ts'
import { reloadOnceForMissingChunk } from './chunks.ts'
import { Failure } from './failure.tsx'
import { keepFocus } from './focus.ts'
import { hydrateIsland, surround, surroundingsOf } from './hydrate.tsx'
import type { PageState } from './page-state.ts'
import { fetchPageState } from './refresh.ts'

/** The main part of a page, whole. Afterwards it can be shown anew with what the server says of it then. */
export async function openWhole(page: PageState): Promise<void> {
  const { page: folder } = page.payload
  const main = document.getElementById('main')
  if (!main) throw new Error('no main part')
  const { Page } = await load(folder).catch(reloadOnceForMissingChunk)
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

/** Many come to recharges first: they get along without the list of all other pages. */
async function load(folder: string): Promise<PageView<never>> {
  if (folder === FIRST_PAGE) return (await import('../recharge/page.tsx')) as PageView<never>
  const { pages } = await import('./page-list.ts')
  const found = pages[`../${folder}/page.tsx`]
  if (!found) throw new Error(`no living page ${folder}`)
  return found()
}
