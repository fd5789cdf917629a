import { listSuppliers, type SupplierState } from '#features/supply/routing/queries.ts'
import { listChecks, type MachineParts } from '#features/office/system/queries.ts'
import { SEEN_MS } from '#features/office/health/rules.ts'
import { formatCount, formatDuration, formatShortMoment } from '#platform/i18n/format.ts'
import { PROGRAM_VERSION } from '#platform/version.ts'
import type { StateLook } from '../kit/state.tsx'
import { supplierName } from '../kit/supplier-name.ts'
import type { ConsoleContext } from '../page.ts'
import { checkAdvice, checkName } from './check-name.ts'

interface Part {
  readonly id: string
  readonly name: string
  readonly look: StateLook
  readonly state: string
  readonly now: string
  readonly version: string
}

export interface HealthView {
  readonly view: 'health'
  readonly parts: readonly Part[]
  /** What the doctor found, in its own words, which are English; null where the worker has not looked yet. */
  readonly checks: {
    readonly lookedAt: string
    readonly problems: readonly Found[]
    readonly work: readonly Found[]
    readonly fine: readonly Found[]
  } | null
}

interface Found {
  readonly id: string
  /** What was looked at. */
  readonly name: string
  /** What to do first; null where that is not known. */
  readonly advice: string | null
  readonly text: string
}

/** What is due for longer than this waits for somebody. */
const LATE_MS = 5 * 60_000

export async function loadHealth(
  context: ConsoleContext,
  machine: MachineParts,
): Promise<HealthView> {
  const { ctx } = context
  const [suppliers, checks] = await Promise.all([listSuppliers(ctx.db), listChecks(ctx.db)])
  return {
    view: 'health',
    parts: [
      processPart(context, machine, 'web'),
      processPart(context, machine, 'worker'),
      databasePart(context, machine),
      ...waitingParts(context, machine),
      ...suppliers.map((supplier) => supplierPart(context, supplier)),
    ],
    checks: checksView(context, checks),
  }
}

function processPart(
  { ctx, t, language }: ConsoleContext,
  { processes }: MachineParts,
  kind: 'web' | 'worker',
): Part {
  const now = ctx.now().getTime()
  const alive = processes.filter(
    (process) => process.kind === kind && now - process.seenAt.getTime() < SEEN_MS,
  )
  const isLow = alive.some(({ diskLow }) => diskLow !== null)
  const [first] = alive.toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
  return {
    id: kind,
    name: t(`console.system.part.${kind}`, { count: alive.length }),
    look: alive.length === 0 ? 'badge bad' : isLow ? 'badge warn' : 'done',
    state: t(
      alive.length === 0
        ? 'console.system.gone'
        : isLow
          ? 'console.system.diskLow'
          : 'console.system.healthy',
    ),
    now: first
      ? t('console.system.runsFor', {
          time: formatDuration(language.code, (now - first.startedAt.getTime()) / 1_000),
        })
      : '',
    version: alive.length === 0 ? '' : PROGRAM_VERSION,
  }
}

const GIB = 1_073_741_824

function databasePart({ t, language }: ConsoleContext, { database }: MachineParts): Part {
  const isFull = database.connections >= database.connectionsMax * 0.9
  const size = new Intl.NumberFormat(language.intl, {
    style: 'unit',
    unit: 'gigabyte',
    maximumFractionDigits: 1,
  }).format(Number(database.bytes) / GIB)
  return {
    id: 'database',
    name: t('console.system.part.database'),
    look: isFull ? 'badge warn' : 'done',
    state: t(isFull ? 'console.system.busy' : 'console.system.healthy'),
    now: t('console.system.connections', {
      used: formatCount(language.code, database.connections),
      all: formatCount(language.code, database.connectionsMax),
      size,
    }),
    version: database.version,
  }
}

/** Queue, mails and notices: how much waits, and for how long. */
function waitingParts(
  { ctx, t, language }: ConsoleContext,
  { jobs, mails, notices, told }: MachineParts,
): Part[] {
  const now = ctx.now().getTime()
  const part = (
    id: 'jobs' | 'mails' | 'in' | 'out',
    waiting: number,
    oldest: Date | null,
    failed: number,
  ): Part => {
    const age = oldest === null ? 0 : now - oldest.getTime()
    const isLate = age > LATE_MS
    return {
      id,
      name: t(`console.system.view.${id}`),
      look: failed > 0 || isLate ? 'badge warn' : 'done',
      state:
        failed > 0
          ? t('console.system.failedCount', { count: failed })
          : t(isLate ? 'console.system.late' : 'console.system.healthy'),
      now:
        waiting === 0
          ? t('console.system.nothingWaits')
          : t('console.system.waits', {
              count: waiting,
              time: formatDuration(language.code, Math.max(0, age) / 1_000),
            }),
      version: '',
    }
  }
  return [
    part('jobs', jobs.waiting, jobs.oldestDueAt, jobs.failed),
    part('mails', mails.waiting, mails.oldestAt, 0),
    part('in', notices.waiting, notices.oldestAt, 0),
    part('out', told.waiting, null, 0),
  ]
}

function supplierPart({ ctx, t, language, timeZone }: ConsoleContext, one: SupplierState): Part {
  const rests = one.restsUntil !== null && one.restsUntil > ctx.now()
  return {
    id: `supplier-${one.code}`,
    name: t('console.system.part.supplier', { name: supplierName(one.code) }),
    look: one.status === 'off' ? 'gone' : rests || one.inDoubt > 0 ? 'badge warn' : 'done',
    state: t(
      one.status === 'off'
        ? 'console.system.off'
        : rests
          ? 'console.system.rests'
          : one.inDoubt > 0
            ? 'console.system.inDoubt'
            : 'console.system.healthy',
    ),
    now: rests
      ? t('console.system.restsUntil', {
          at: formatShortMoment(language.code, one.restsUntil, timeZone),
        })
      : t('console.system.queued', { count: one.queued + one.open }),
    version: '',
  }
}

function checksView(
  { t, language, timeZone }: ConsoleContext,
  checks: Awaited<ReturnType<typeof listChecks>>,
): HealthView['checks'] {
  const [first] = checks
  if (!first) return null
  const found = (texts: (check: (typeof checks)[number]) => readonly string[]) =>
    checks.flatMap((check) =>
      texts(check).map((text, index) => ({
        id: `${check.subject} ${index}`,
        name: checkName(t, check.subject),
        advice: checkAdvice(t, check.subject),
        text,
      })),
    )
  return {
    lookedAt: formatShortMoment(language.code, first.lookedAt, timeZone),
    problems: found(({ problems }) => problems),
    work: found(({ work }) => work),
    fine: found(({ problems, work, note }) =>
      problems.length === 0 && work.length === 0 ? [note] : [],
    ),
  }
}
