import { client } from '../state/client.ts'
import { keep, readKept } from '../state/store.ts'

const KEY = 'visit'
const ID_LENGTH = 36

/** Counts a visit once a day and browser (specification §4): a random id, nothing about the person. */
export function trackVisit(): void {
  const today = new Intl.DateTimeFormat('en-CA').format()
  if (readKept(KEY) === today) return
  keep(KEY, today)
  client
    .get()
    ?.get('analysis/trackVisit', { vt: randomId() }, { showCheckMsg: false })
    .catch(() => {})
}

function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_LENGTH / 2))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
