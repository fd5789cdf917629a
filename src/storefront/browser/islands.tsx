import { createRoot } from 'react-dom/client'
import { Toasts } from '../shell/signals.tsx'
import { reloadOnceForMissingChunk } from './chunks.ts'
import { hydrateIsland, surround, surroundingsOf } from './hydrate.tsx'
import type { PageState } from './page-state.ts'

/** The islands that a page names itself. So far a product's. */
export async function openIslands(page: PageState): Promise<void> {
  const { openProduct } = await import('../product/islands.tsx').catch(reloadOnceForMissingChunk)
  await openProduct(surroundingsOf(page))
}

/** A search box with its suggestions. */
export async function openSearch(element: HTMLElement, page: PageState): Promise<void> {
  const { LiveSearch } = await import('../shell/live-search.tsx').catch(reloadOnceForMissingChunk)
  const box = JSON.parse(element.dataset['search'] ?? '{}') as Parameters<typeof LiveSearch>[0]
  await hydrateIsland(element, <LiveSearch {...box} />, surroundingsOf(page))
}

export async function openAccount(page: PageState): Promise<void> {
  const element = document.querySelector<HTMLElement>('[data-island=account]')
  if (!element) return
  const { AccountMenu } = await import('../shell/account-menu.tsx').catch(reloadOnceForMissingChunk)
  const menu = <AccountMenu person={page.payload.person} back={element.dataset['back'] ?? '/'} />
  await hydrateIsland(element, menu, surroundingsOf(page))
}

/** Messages come into a place that is in the HTML, so that screen readers announce the first one too. */
export function showToasts(page: PageState): void {
  const region = document.querySelector('[data-island=toasts]')
  if (region) createRoot(region).render(surround(<Toasts />, surroundingsOf(page)))
}
