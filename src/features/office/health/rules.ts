import { countedWork, WORK_KINDS, type OpenWork, type WorkKind } from './rows/counted-work.ts'

export { countedWork, WORK_KINDS, type OpenWork, type WorkKind }

/** How the work in the background stands. Moments are null where there is none of it. */
export interface Health {
  readonly processes: readonly RunningProcess[]
  readonly sweeps: readonly SweepState[]
  readonly waitingMails: { readonly count: number; readonly oldestAt: Date | null }
  readonly waitingNotices: { readonly count: number; readonly oldestAt: Date | null }
  /** Of the queue: the job that should have been done longest ago. */
  readonly oldestDueJobAt: Date | null
  readonly deadJobs: readonly { readonly task: string; readonly count: number }[]
  /** Items on sale of which no key is left. */
  readonly soldOutItems: number
  /** Refunds that their provider has refused and whose money is still with the shop. */
  readonly refusedRefunds: number
  /** Payments and refunds that are due at a provider the shop has no more, its notices, and disputes that it decides. */
  readonly withoutProvider: readonly { readonly provider: string; readonly count: number }[]
  /** Promises that the worker's looks have found broken. */
  readonly brokenPromises: number
  /** Processes that show codes and cannot reach a key in use. */
  readonly lackingReaders: readonly { readonly name: string; readonly keyIds: readonly number[] }[]
  /** Rates of exchange that their sources have not renewed for too long. */
  readonly staleRates: readonly {
    readonly currency: string
    readonly source: string
    readonly publishedAt: Date
    readonly isStopped: boolean
  }[]
  readonly work: OpenWork
}

export interface RunningProcess {
  readonly kind: 'web' | 'worker'
  readonly seenAt: Date
  readonly clockSkewMs: number
  /** What it says of its disk where room runs out. */
  readonly diskLow: string | null
}

export interface SweepState {
  readonly name: string
  readonly begunAt: Date | null
  readonly finishedAt: Date | null
  readonly isRunning: boolean
  readonly failures: number
  readonly error: string | null
}

/** A process that has not been seen for so long is gone. */
export const SEEN_MS = 30_000
const SKEW_MS = 5_000
const LATE_MS = 5 * 60_000
/** A daily sweep begins once a day; anything is late that has not begun for longer. */
const SWEEP_LATE_MS = 26 * 3_600_000
const FAILURES = 3

/** Faults are for whoever runs the machine; work is for whoever runs the shop. */
export interface HealthProblem {
  readonly kind:
    | 'no_worker'
    | 'clock'
    | 'sweeps'
    | 'mails_wait'
    | 'notices_wait'
    | 'jobs_wait'
    | 'dead_jobs'
    | 'provider_gone'
    | 'broken_promises'
    | 'keys_missing'
    | 'disk'
    | 'settings'
    | 'rates_stale'
    | WorkKind
  /** How many there are of what the kind says. */
  readonly count: number
  readonly text: string
}

export function isWork({ kind }: Pick<HealthProblem, 'kind'>): boolean {
  return WORK_KINDS.some((work) => work === kind)
}

/** What somebody has to see to, in sentences for operators. */
export function healthProblems(health: Health, now: Date): HealthProblem[] {
  return [
    ...processProblems(health, now),
    ...sweepProblems(health, now),
    ...waitingProblems(health, now),
    ...moneyProblems(health),
    ...rateProblems(health),
    ...workProblems(health),
  ]
}

function isLate(at: Date | null, now: Date, ms = LATE_MS): boolean {
  return at !== null && now.getTime() - at.getTime() > ms
}

const many = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`

function processProblems(
  { processes, lackingReaders }: Health,
  now: Date,
): readonly HealthProblem[] {
  const alive = processes.filter(({ seenAt }) => !isLate(seenAt, now, SEEN_MS))
  const [last] = processes.filter(({ kind }) => kind === 'worker')
  return [
    ...(alive.some(({ kind }) => kind === 'worker')
      ? []
      : [
          {
            kind: 'no_worker' as const,
            count: 1,
            text: `no worker is alive${last ? ` (last seen ${last.seenAt.toISOString()})` : ''}: mails, deliveries and payments wait`,
          },
        ]),
    ...alive
      .filter(({ clockSkewMs }) => Math.abs(clockSkewMs) > SKEW_MS)
      .map(({ kind, clockSkewMs }) => ({
        kind: 'clock' as const,
        count: 1,
        text: `the clock of a ${kind} process is ${Math.round(Math.abs(clockSkewMs) / 1_000)} s ${clockSkewMs > 0 ? 'ahead of' : 'behind'} the database's`,
      })),
    ...[...new Set(alive.flatMap(({ diskLow }) => diskLow ?? []))].map((text) => ({
      kind: 'disk' as const,
      count: 1,
      text: `the disk of a process fills up: ${text}`,
    })),
    ...lackingReaders.map(({ name, keyIds }) => ({
      kind: 'keys_missing' as const,
      count: keyIds.length,
      text: `${name} cannot reach key ${keyIds.join(' and ')} of the card keys: give it the same VAULT_KEYS, or the same vault.key, and start it again`,
    })),
  ]
}

function sweepProblems({ sweeps }: Health, now: Date): readonly HealthProblem[] {
  return sweeps.flatMap((sweep): HealthProblem[] => {
    const told = (text: string) => [{ kind: 'sweeps' as const, count: 1, text }]
    if (sweep.failures >= FAILURES)
      return told(`${sweep.name} has failed ${sweep.failures} times: ${sweep.error ?? ''}`)
    return !sweep.isRunning && isLate(sweep.begunAt, now, SWEEP_LATE_MS)
      ? told(`${sweep.name} has not been done since ${sweep.begunAt?.toISOString()}`)
      : []
  })
}

function waitingProblems(
  { waitingMails: mails, waitingNotices: notices, oldestDueJobAt, deadJobs }: Health,
  now: Date,
): readonly HealthProblem[] {
  const problems: HealthProblem[] = []
  if (isLate(mails.oldestAt, now))
    problems.push({
      kind: 'mails_wait',
      count: mails.count,
      text: `${many(mails.count, 'mail waits', 'mails wait')} to be sent, since ${mails.oldestAt?.toISOString()}`,
    })
  if (isLate(notices.oldestAt, now))
    problems.push({
      kind: 'notices_wait',
      count: notices.count,
      text: `${many(notices.count, 'notice of a payment waits', 'notices of payments wait')}, since ${notices.oldestAt?.toISOString()}`,
    })
  if (isLate(oldestDueJobAt, now))
    problems.push({
      kind: 'jobs_wait',
      count: 1,
      text: `a job has been due since ${oldestDueJobAt?.toISOString()}`,
    })
  if (deadJobs.length > 0)
    problems.push({
      kind: 'dead_jobs',
      count: deadJobs.reduce((sum, { count }) => sum + count, 0),
      text: `${deadJobs.map(({ task, count }) => `${many(count, 'job', 'jobs')} ${task}`).join(', ')} failed too often, see: npm run cli -- jobs dead`,
    })
  return problems
}

function moneyProblems({ withoutProvider, brokenPromises }: Health): readonly HealthProblem[] {
  return [
    ...withoutProvider.map(({ provider, count }) => ({
      kind: 'provider_gone' as const,
      count,
      text: `${many(count, 'payment, refund, notice or dispute waits', 'payments, refunds, notices and disputes wait')} for ${provider}, which the shop has no more: give it the settings of ${provider} again, until they are done`,
    })),
    ...(brokenPromises === 0
      ? []
      : [
          {
            kind: 'broken_promises' as const,
            count: brokenPromises,
            text: `${many(brokenPromises, 'promise was', 'promises were')} found broken by the worker's looks: see the table broken_promise. Take a backup first`,
          },
        ]),
  ]
}

const RATES_NAMED = 12

function rateProblems({ staleRates }: Health): readonly HealthProblem[] {
  const [last] = staleRates.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime())
  if (!last) return []
  const named = (rates: Health['staleRates']) =>
    rates.length > RATES_NAMED
      ? `${rates.length} currencies`
      : rates.map(({ currency }) => currency).join(', ')
  const stopped = staleRates.filter(({ isStopped }) => isStopped)
  const isSold = stopped.length === 0 ? '' : `; nothing is sold by that of ${named(stopped)}`
  return [
    {
      kind: 'rates_stale',
      count: staleRates.length,
      text: `the rate of exchange of ${named(staleRates)} is old (${last.source} last published ${last.publishedAt.toISOString().slice(0, 10)})${isSold}, see: npm run cli -- rates list`,
    },
  ]
}

function workProblems(health: Health): readonly HealthProblem[] {
  return countedWork(health)
    .filter(([, count]) => count > 0)
    .map(([kind, count, one, more, command]) => ({
      kind,
      count,
      text: `${many(count, one, more)}, see: npm run cli -- ${command}`,
    }))
}

/** Whether the keys that somebody has are those that the database needs. @param known with what tells each from another of its number */
export function keyProblems(
  uses: readonly {
    readonly id: number
    readonly checkValue: Buffer
    readonly isInUse: boolean
    readonly hasRows: boolean
  }[],
  known: readonly { readonly id: number; readonly checkValue: Buffer }[],
): readonly HealthProblem[] {
  const texts = uses.flatMap(({ id, checkValue, isInUse, hasRows }) => {
    const key = known.find((one) => one.id === id)
    if (key && !key.checkValue.equals(checkValue))
      return [`key ${id} of the card keys is another one than the database knows`]
    if (key || !(isInUse || hasRows)) return []
    return [
      hasRows
        ? `key ${id} of the card keys is missing, and codes are under it that nobody can read`
        : `key ${id} of the card keys is missing`,
    ]
  })
  return texts.map((text) => ({
    kind: 'keys_missing',
    count: 1,
    text: `${text}: put back VAULT_KEYS, or vault.key in DATA_DIR, from your backup`,
  }))
}
