import { createStore } from './store.ts'

/** How a living page takes up what the server says of it now, without being loaded anew; null where none has come alive. */
export const refresher = createStore<((address: string) => void) | null>(null)

/** Shows what the server says of this page now; what is typed in it stays. */
export function refreshPage(): void {
  const refresh = refresher.get()
  if (refresh) refresh(location.href)
  else location.reload()
}

/** Shows what the server says of another address of this very page, in place of the one shown: what is asked changes while it is typed. */
export function showInstead(address: string): void {
  const refresh = refresher.get()
  if (refresh) refresh(address)
  else location.replace(address)
}

/** What a form asks for by GET, without leaving the page: what is typed elsewhere on it stays, and so does the caret. */
export function showAskedInstead(form: HTMLFormElement): void {
  const asked = [...new FormData(form)].filter(
    (field): field is [string, string] => typeof field[1] === 'string' && field[1] !== '',
  )
  const query = new URLSearchParams(asked).toString()
  showInstead(query === '' ? form.action : `${form.action}?${query}`)
}

/** What takes the living part of a page away; null where none has come alive. */
export const leaver = createStore<(() => void) | null>(null)

/** Takes what was made for somebody off the screen, and out of the document. */
export function clearPage(): void {
  leaver.get()?.()
  document.getElementById('main')?.replaceChildren()
  document.getElementById('page-data')?.remove()
}
