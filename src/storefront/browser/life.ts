import type { IslandName } from '../islands.ts'
import { isSignedIn } from '../state/session.ts'
import { toasts } from '../state/toasts.ts'
import { reloadOnceForMissingChunk } from './chunks.ts'
import type { PageState } from './page-state.ts'

/** React and what is written in it: fetched once something needs it. */
type Islands = typeof import('./islands.tsx')

/**
 * Decides what comes alive, and when: the main part of a page that needs it at once, search when it is touched, the account's menu
 * when somebody is signed in, messages when there is one. `data-alive` on the document says that the page answers every press.
 */
export function bringToLife(page: PageState): void {
  const open = once(() => import('./islands.tsx').catch(reloadOnceForMissingChunk))
  openOnTouch('search', (element) => open().then((islands) => islands.openSearch(element, page)))
  toasts.subscribe(once(() => open().then((islands) => islands.showToasts(page))))
  if (isSignedIn()) void open().then((islands) => islands.openAccount(page))
  void openMain(page, open).then(() => {
    document.documentElement.dataset['alive'] = ''
  })
}

async function openMain(page: PageState, open: () => Promise<Islands>): Promise<void> {
  if (page.liveliness === 'still') return
  if (page.liveliness === 'islands') {
    const whenAnswered = await openEarly(page)
    await painted()
    await whenAnswered()
    await (await open()).openIslands(page)
  } else await painted()
  if (page.liveliness !== 'whole') return
  const { openWhole } = await import('./whole.tsx').catch(reloadOnceForMissingChunk)
  await openWhole(page)
}

/** What answers a press without React: small, and there before it. */
async function openEarly(page: PageState): Promise<() => Promise<unknown>> {
  const { openBuying, whenAnswered } = await import('../product/early.ts').catch(
    reloadOnceForMissingChunk,
  )
  openBuying(page)
  return whenAnswered
}

/**
 * What is to be seen comes before what is to be answered: React begins after the first frame. In a window that nobody sees there is no
 * frame to wait for.
 */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    if (document.visibilityState === 'hidden') return resolve()
    requestAnimationFrame(() => void setTimeout(resolve))
  })
}

const TOUCHES = ['pointerover', 'pointerdown', 'focusin', 'input'] as const

/** Each of these comes alive when a pointer rests on it or it is touched; one that was touched before this ran, at once. */
function openOnTouch(name: IslandName, open: (element: HTMLElement) => Promise<void>): void {
  for (const element of document.querySelectorAll<HTMLElement>(`[data-island=${name}]`)) {
    const touch = once(() => open(element))
    for (const kind of TOUCHES) element.addEventListener(kind, touch, { once: true, passive: true })
    if (element.contains(document.activeElement)) void touch()
  }
}

function once<T>(act: () => T): () => T {
  let answer: { readonly value: T } | undefined
  return () => (answer ??= { value: act() }).value
}
