import type { Client } from '../browser/api.ts'
import { createStore } from './store.ts'

/** The browser's client of the wire contract; null on the server and until the application is alive. */
export const client = createStore<Client | null>(null)
