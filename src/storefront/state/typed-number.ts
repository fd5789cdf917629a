import { createStore } from './store.ts'

/**
 * The phone number to recharge as typed, kept while the application lives. Never part of an address, so that it stands in
 * no history and no log.
 */
export const typedNumber = createStore('', { isPersonal: true })
