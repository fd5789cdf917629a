import { createStore, keepInTab, readInTab } from './store.ts'

/** Under which the home page keeps the number too, which is HTML alone (`data-keep`). */
export const NUMBER_KEY = 'typed-number'

/**
 * The phone number to recharge as typed, kept while the tab is open. Never part of an address, so that it stands in no history and
 * no log.
 */
export const typedNumber = createStore('', { isPersonal: true })

/** Takes up what was typed on an earlier page. */
export function openTypedNumber(): void {
  const kept = readInTab(NUMBER_KEY)
  if (typeof kept === 'string') typedNumber.set(kept)
}

export function typeNumber(text: string): void {
  typedNumber.set(text)
  keepInTab(NUMBER_KEY, text)
}
