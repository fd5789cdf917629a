import { readBrowserCookie } from '../state/browser-cookies.ts'
import { client } from '../state/client.ts'
import { keep, readStored, VISIT_KEY } from '../state/store.ts'

const ID_LENGTH = 36

/** Measures visits once the visitor has said yes to it, in the banner or at an earlier visit. */
export function trackVisitsWithConsent(): void {
  const track = () => {
    if (readBrowserCookie('consent') === 'accept') trackVisit()
  }
  track()
  // The boot script says so when the banner was answered.
  document.addEventListener('consent', track)
}

/** Counts a visit once a day and browser (specification §4): a random id, nothing about the person. */
function trackVisit(): void {
  const today = dateOf(new Date(performance.timeOrigin + performance.now()))
  if (readStored(VISIT_KEY) === today) return
  keep(VISIT_KEY, today)
  client
    .get()
    ?.get('analysis/trackVisit', { vt: randomId() }, { showCheckMsg: false })
    .catch(() => {})
}

/** The day by the visitor's own clock, as 2026-11-22. Formatting it by a language would cost a slow phone a tenth of a second. */
function dateOf(now: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_LENGTH / 2))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
