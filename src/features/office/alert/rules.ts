import { isWork, type HealthProblem } from '#features/office/health/rules.ts'
import type { AlertLabel } from '#features/people/mail/rules.ts'

/** Something that began, is told once, again when more of it comes, and once more when it is over. */
export interface Matter {
  readonly id: string
  readonly kind: string
  readonly begunAt: Date
  readonly seenAt: Date
  readonly count: number
  /** How many more came since it was last told, whatever has gone meanwhile. */
  readonly added: number
  readonly toldAt: Date | null
}

export type AlertState = 'begun' | 'more' | 'over' | 'digest'

/** What a short restart or a busy minute makes is told to nobody. */
export const BEGUN_AFTER_MS = 60_000
export const OVER_AFTER_MS = 120_000
export const DIGEST_AFTER_MS = 86_400_000
/** However many come, a kind is told of no sooner again than this. */
export const MORE_AFTER_MS = 3_600_000

/** Faults of which each is another one, as each piece of work is: other counts go up and down by themselves. */
const EACH_ITS_OWN: ReadonlySet<string> = new Set<HealthProblem['kind']>([
  'dead_jobs',
  'broken_promises',
  'settings',
])

/** Whether a further one of a kind needs a person as much as the first did. */
export function isRepeated(problem: Pick<HealthProblem, 'kind'>): boolean {
  return isWork(problem) || EACH_ITS_OWN.has(problem.kind)
}

/** What is to be told now of the matters that are open. `over` are those that were not seen for a while, told or not. */
export function dueMessages(
  matters: readonly Matter[],
  now: Date,
): {
  readonly begun: readonly Matter[]
  readonly more: readonly Matter[]
  readonly over: readonly Matter[]
  readonly digest: readonly Matter[]
} {
  const age = (at: Date) => now.getTime() - at.getTime()
  const over = matters.filter(({ seenAt }) => age(seenAt) >= OVER_AFTER_MS)
  const open = matters.filter((matter) => !over.includes(matter))
  const begun = open.filter(
    ({ toldAt, begunAt, seenAt }) =>
      toldAt === null && seenAt.getTime() - begunAt.getTime() >= BEGUN_AFTER_MS,
  )
  const told = open.filter(({ toldAt }) => toldAt !== null)
  // Once a day all that is still open, in one message.
  const isDue = told.some(({ toldAt }) => toldAt !== null && age(toldAt) >= DIGEST_AFTER_MS)
  if (isDue) return { begun, more: [], over, digest: told }
  const more = told.filter(
    ({ added, toldAt }) => added > 0 && toldAt !== null && age(toldAt) >= MORE_AFTER_MS,
  )
  return { begun, more, over, digest: [] }
}

/** One matter for each kind of problem. */
export function countByKind(
  problems: readonly HealthProblem[],
): readonly Pick<HealthProblem, 'kind' | 'count'>[] {
  const counts = new Map<HealthProblem['kind'], number>()
  for (const { kind, count } of problems) counts.set(kind, (counts.get(kind) ?? 0) + count)
  return [...counts].map(([kind, count]) => ({ kind, count }))
}

const LABELS: Readonly<Record<HealthProblem['kind'], AlertLabel>> = {
  no_worker: 'no_worker',
  clock: 'clock',
  sweeps: 'late',
  jobs_wait: 'late',
  dead_jobs: 'dead_jobs',
  mails_wait: 'mails_wait',
  notices_wait: 'payments_wait',
  provider_gone: 'payments_wait',
  broken_promises: 'broken_promises',
  keys_missing: 'keys_missing',
  disk: 'disk',
  settings: 'settings',
  refunds_refused: 'refunds_refused',
  low_stock: 'low_stock',
  sold_out: 'sold_out',
  orders_undecided: 'undecided',
  cases: 'undecided',
  disputes: 'disputes',
  by_hand: 'by_hand',
  differences: 'to_clarify',
  unmatched_payments: 'to_clarify',
  credit_debts: 'to_clarify',
  approvals: 'approvals',
  supply: 'to_clarify',
  supply_books: 'to_clarify',
  gate: 'undecided',
  rates_stale: 'rates_stale',
  rates_held: 'rates_held',
  costs_held: 'to_clarify',
  syncs_failed: 'to_clarify',
  prices_withheld: 'to_clarify',
}

/** What a mail calls a matter; one of a release before or after this one is work that is late. */
export function labelOf(kind: string): AlertLabel {
  return Object.hasOwn(LABELS, kind) ? LABELS[kind as HealthProblem['kind']] : 'late'
}

/** Seconds until a message is tried again, about three days in all (as Standard Webhooks proposes); null when it is given up. */
export function retryAfterSeconds(attempts: number): number | null {
  return [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400][attempts - 1] ?? null
}

export const MESSAGES_KEPT_DAYS = 30

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Where what is not everybody's may go: encrypted, or to a program on this machine. */
export function isReceiver(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    url.username === '' &&
    url.password === '' &&
    url.hash === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname)))
  )
}

const WEBHOOK_SECRET = /^whsec_([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const SECRET_BYTES = { least: 24, most: 64 }

/** As Standard Webhooks has them. */
export function isWebhookSecret(text: string): boolean {
  const { length } = Buffer.from(text.slice('whsec_'.length), 'base64')
  return WEBHOOK_SECRET.test(text) && length >= SECRET_BYTES.least && length <= SECRET_BYTES.most
}
