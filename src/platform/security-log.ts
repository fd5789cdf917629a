import type { Log, LogFields } from './log.ts'
import { currentRequest } from './request-scope.ts'

/** Everything the security log tells of; `docs/operating/security-log.md` says what each means and what to do. */
export const SECURITY_EVENTS = [
  'sign_in.done',
  'sign_in.failed',
  'sign_in.second_step',
  'sign_in.paused',
  'sign_in.pause_lifted',
  'factor.refused',
  'code.refused',
  'proof.refused',
  'access.refused',
  'input.refused',
  'origin.refused',
  'limit.refused',
  'webhook.refused',
  'reseller.refused',
  'operator.refused',
  'operator.lacks_permission',
  'operator.approves_own',
  'operator.approved_by_made',
  'operator.joined',
  'operator.factor_lost',
  'operator.factor_reset',
] as const
export type SecurityEvent = (typeof SECURITY_EVENTS)[number]

/** What happens all day long; everything else is a warning. */
const EVERYDAY: ReadonlySet<SecurityEvent> = new Set([
  'sign_in.done',
  'sign_in.second_step',
  'sign_in.pause_lifted',
])

export const SECURITY_MESSAGE = 'security'

/** Lines of one event within a minute, from one network and from everywhere; who floods the shop does not fill its disk. */
const LINES_OF_NETWORK = 20
const LINES_OF_ALL = 600
const MINUTE_MS = 60_000
const NETWORKS_MAX = 5_000

interface Window {
  readonly began: number
  lines: number
  /** Left out of the log; told with the first line of the next minute. */
  unwritten: number
}

const windowsOf = new WeakMap<object, Map<string, Window>>()

/**
 * Writes a line of the security log: what happened, for which request, from which network; never an address, a name that was typed, or a
 * secret. Machines know it by `message: "security"` and `event`. The request id and network come from
 * the request the work is done for, unless `fields` names a network.
 */
export function securityEvent(
  log: Pick<Log, 'info' | 'warn'>,
  event: SecurityEvent,
  fields: LogFields = {},
  now: number = performance.now(),
): void {
  const network = String(fields['network'] ?? currentRequest()?.network ?? '-')
  const windows = windowsOf.get(log) ?? new Map<string, Window>()
  windowsOf.set(log, windows)
  const ofAll = windowAt(windows, event, now)
  const ofNetwork = windowAt(windows, `${event} ${network}`, now)
  if (ofNetwork.lines >= LINES_OF_NETWORK || ofAll.lines >= LINES_OF_ALL) {
    ofAll.unwritten += 1
    return
  }
  ofAll.lines += 1
  ofNetwork.lines += 1
  const unwritten = ofAll.lines === 1 ? ofAll.unwritten : 0
  if (unwritten > 0) ofAll.unwritten = 0
  const write = EVERYDAY.has(event) ? log.info : log.warn
  write(SECURITY_MESSAGE, {
    event,
    network,
    ...fields,
    ...(unwritten > 0 ? { unwritten } : {}),
  })
}

function windowAt(windows: Map<string, Window>, key: string, now: number): Window {
  const known = windows.get(key)
  if (known && now - known.began < MINUTE_MS) return known
  const fresh: Window = { began: now, lines: 0, unwritten: known?.unwritten ?? 0 }
  if (windows.size >= NETWORKS_MAX) forgetOld(windows, now)
  windows.set(key, fresh)
  return fresh
}

/** Those of minutes gone by; where that frees nothing, of networks altogether: the bound of each event still holds. */
function forgetOld(windows: Map<string, Window>, now: number): void {
  for (const [key, { began }] of windows)
    if (key.includes(' ') && now - began >= MINUTE_MS) windows.delete(key)
  if (windows.size < NETWORKS_MAX) return
  for (const key of windows.keys()) if (key.includes(' ')) windows.delete(key)
}
