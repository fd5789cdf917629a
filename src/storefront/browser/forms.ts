import { keepInTab } from '../state/store.ts'

/** What forms of still pages do beside what forms do by themselves; each works without this by its button. */
export function handleForms(): void {
  document.addEventListener('change', applyAtOnce)
  document.addEventListener('formdata', leaveOutEmpty)
  document.addEventListener('input', keepTyped)
  document.addEventListener('submit', askByAddress)
}

/** Where a script keeps what was typed, a choice needs no post: its page is the same for everybody, and Back finds it. */
function askByAddress(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement
  const { ask } = form.dataset
  if (ask === undefined) return
  event.preventDefault()
  location.assign(ask + (form.querySelector('select')?.value ?? ''))
}

/** A ticked filter and a price that was left count at once beside the list; a sheet over it has its button. An order always does. */
function applyAtOnce({ target }: Event): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
  const isFilter = target.form?.dataset['filters'] !== undefined
  if (!isFilter || (target instanceof HTMLInputElement && !isBesideTheList())) return
  target.form?.requestSubmit()
}

function isBesideTheList(): boolean {
  return matchMedia('(min-width: 64rem)').matches
}

/** Fields of a question that hold nothing are no part of its address. */
function leaveOutEmpty({ target, formData }: FormDataEvent): void {
  if ((target as HTMLFormElement).method !== 'get') return
  const empty = [...formData].filter(([, value]) => value === '')
  for (const [name] of empty) formData.delete(name)
}

/** What another page takes up again lasts as long as the tab, and stands in no address. */
function keepTyped({ target }: Event): void {
  const key = target instanceof HTMLInputElement ? target.dataset['keep'] : undefined
  if (key !== undefined) keepInTab(key, (target as HTMLInputElement).value)
}
