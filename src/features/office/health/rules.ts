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
  /** Payments and refunds that are due at a provider the shop has no more. */
  readonly withoutProvider: readonly { readonly provider: string; readonly count: number }[]
}

export interface RunningProcess {
  readonly kind: 'web' | 'worker'
  readonly seenAt: Date
  readonly clockSkewMs: number
}

export interface SweepState {
  readonly name: string
  readonly begunAt: Date | null
  readonly finishedAt: Date | null
  readonly isRunning: boolean
  readonly failures: number
  readonly error: string | null
}

const SEEN_MS = 30_000
const SKEW_MS = 5_000
const LATE_MS = 5 * 60_000
/** A daily sweep begins once a day; anything is late that has not begun for longer. */
const SWEEP_LATE_MS = 26 * 3_600_000
const FAILURES = 3

export interface HealthProblem {
  readonly kind:
    | 'no_worker'
    | 'clock'
    | 'sweep_fails'
    | 'sweep_late'
    | 'mails_wait'
    | 'notices_wait'
    | 'jobs_wait'
    | 'dead_jobs'
    | 'refunds_refused'
    | 'provider_gone'
  readonly text: string
}

/** What somebody has to see to, in sentences for operators. */
export function healthProblems(health: Health, now: Date): HealthProblem[] {
  const isLate = (at: Date | null, ms = LATE_MS) => at !== null && now.getTime() - at.getTime() > ms
  const alive = health.processes.filter(({ seenAt }) => !isLate(seenAt, SEEN_MS))
  const many = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`
  const problems: (HealthProblem | null)[] = [
    alive.some(({ kind }) => kind === 'worker')
      ? null
      : { kind: 'no_worker', text: 'no worker is alive: mails, deliveries and payments wait' },
    ...alive.map(({ kind, clockSkewMs }): HealthProblem | null =>
      Math.abs(clockSkewMs) <= SKEW_MS
        ? null
        : {
            kind: 'clock',
            text: `the clock of a ${kind} process is ${Math.round(Math.abs(clockSkewMs) / 1_000)} s ${clockSkewMs > 0 ? 'ahead of' : 'behind'} the database's`,
          },
    ),
    ...health.sweeps.map((sweep): HealthProblem | null => {
      if (sweep.failures >= FAILURES)
        return {
          kind: 'sweep_fails',
          text: `${sweep.name} has failed ${sweep.failures} times: ${sweep.error ?? ''}`,
        }
      return !sweep.isRunning && isLate(sweep.begunAt, SWEEP_LATE_MS)
        ? {
            kind: 'sweep_late',
            text: `${sweep.name} has not been done since ${sweep.begunAt?.toISOString()}`,
          }
        : null
    }),
    isLate(health.waitingMails.oldestAt)
      ? {
          kind: 'mails_wait',
          text: `${many(health.waitingMails.count, 'mail waits', 'mails wait')} to be sent, since ${health.waitingMails.oldestAt?.toISOString()}`,
        }
      : null,
    isLate(health.waitingNotices.oldestAt)
      ? {
          kind: 'notices_wait',
          text: `${many(health.waitingNotices.count, 'notice of a payment waits', 'notices of payments wait')}, since ${health.waitingNotices.oldestAt?.toISOString()}`,
        }
      : null,
    isLate(health.oldestDueJobAt)
      ? {
          kind: 'jobs_wait',
          text: `a job has been due since ${health.oldestDueJobAt?.toISOString()}`,
        }
      : null,
    health.deadJobs.length === 0
      ? null
      : {
          kind: 'dead_jobs',
          text: `${health.deadJobs.map(({ task, count }) => `${many(count, 'job', 'jobs')} ${task}`).join(', ')} failed too often, see: npm run cli -- jobs dead`,
        },
    health.refusedRefunds === 0
      ? null
      : {
          kind: 'refunds_refused',
          text: `${many(health.refusedRefunds, 'refund was', 'refunds were')} refused by the payment provider, see: npm run cli -- refund list`,
        },
    ...health.withoutProvider.map(
      ({ provider, count }): HealthProblem => ({
        kind: 'provider_gone',
        text: `${many(count, 'payment or refund waits', 'payments and refunds wait')} for ${provider}, which the shop has no more`,
      }),
    ),
  ]
  return problems.flatMap((problem) => problem ?? [])
}
