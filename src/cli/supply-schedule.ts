import { listMeasured } from '#features/supply/delivery-pace/queries.ts'
import { scheduleSync } from '#features/supply/sync/commands.ts'
import { listRuns, listSchedules, type SyncRun } from '#features/supply/sync/queries.ts'
import { EVERY_SECONDS_LEAST, EVERY_SECONDS_MOST } from '#features/supply/sync/rules.ts'
import { refusal } from '#platform/refusal.ts'
import type { OperatorRun } from './commands.ts'
import { linesText } from './supply-sync-report.ts'
import { explained, moment, positionals, print, table } from './table.ts'

const UNITS = { m: 60, h: 3_600, d: 86_400 } as const
const OUTCOMES = {
  done: 'done',
  failed: 'failed',
  refused: 'not believed',
  lost: 'its process ended',
} as const

export const scheduleCommand: OperatorRun = async (ctx, args) => {
  const [supplier = '', interval = ''] = positionals(args)
  const seconds = interval === 'off' ? null : secondsOf(interval)
  await explained(
    {
      not_found:
        'There is no supplier of this name. npm run cli -- supply suppliers shows them, once the worker has started with their settings.',
    },
    scheduleSync(ctx, supplier, seconds),
  )
  process.stdout.write(
    seconds === null
      ? 'Its catalogue is synchronised by npm run cli -- supply sync alone.\n'
      : `The worker begins within a minute, and then every ${interval}. npm run cli -- supply syncs shows what comes of it.\n`,
  )
  return 0
}

function secondsOf(interval: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(interval) ?? []
  const seconds = Number(count) * (UNITS[unit as keyof typeof UNITS] ?? 0)
  if (!(seconds >= EVERY_SECONDS_LEAST && seconds <= EVERY_SECONDS_MOST))
    throw refusal('Say off, or how often, from 15m to 7d: 30m, 6h, 1d.')
  return seconds
}

function intervalOf(seconds: number): string {
  const unit = (['d', 'h', 'm'] as const).find((each) => seconds % UNITS[each] === 0)
  return unit ? `${seconds / UNITS[unit]}${unit}` : `${seconds}s`
}

export const syncsCommand: OperatorRun = async (ctx, args) => {
  const [supplier] = positionals(args)
  if (supplier !== undefined) return showRuns(ctx, args, supplier)
  const schedules = await listSchedules(ctx.db)
  print(args, schedules, () =>
    schedules.length === 0
      ? 'No catalogue has been synchronised. npm run cli -- supply schedule says how often one is.\n'
      : table(
          ['SUPPLIER', 'EVERY', 'NEXT (UTC)', 'LAST (UTC)', 'CAME TO', 'FAILED', 'COSTS HELD'],
          schedules.map((row) => [
            row.supplier,
            row.everySeconds === null ? 'off' : intervalOf(row.everySeconds),
            moment(row.nextAt),
            moment(row.beganAt),
            outcomeOf(row),
            row.failures === 0 ? '' : `${row.failures} in a row`,
            String(row.held),
          ]),
        ),
  )
  return 0
}

function outcomeOf({
  outcome,
  error,
  beganAt,
}: Pick<SyncRun, 'outcome' | 'error'> & { readonly beganAt: Date | null }): string {
  if (beganAt === null) return ''
  if (outcome === null) return 'under way'
  return error === null ? OUTCOMES[outcome] : `${OUTCOMES[outcome]}: ${error}`
}

async function showRuns(
  ctx: Parameters<OperatorRun>[0],
  args: readonly string[],
  supplier: string,
): Promise<number> {
  const runs = await listRuns(ctx.db, supplier)
  const [latest] = runs.filter(({ report }) => report !== null)
  print(args, runs, () =>
    runs.length === 0
      ? 'Its catalogue has not been synchronised.\n'
      : [
          table(
            ['BEGAN (UTC)', 'BY', 'CAME TO', 'LISTED', 'COSTS', 'HELD', 'NEW', 'GONE', 'REFUSED'],
            runs.map((run) => [
              moment(run.beganAt),
              run.startedBy,
              outcomeOf(run),
              ...(['listed', 'costs', 'held', 'drafts', 'gone', 'refused'] as const).map((of) =>
                run.report === null ? '' : String(run.report[of]),
              ),
            ]),
          ),
          latest?.report ? linesText(latest.report) : '',
        ].join(''),
  )
  return 0
}

export const paceCommand: OperatorRun = async (ctx, args) => {
  const [supplier] = positionals(args)
  const rows = await listMeasured(ctx.db, ctx.now(), supplier ?? null)
  print(args, rows, () =>
    rows.length === 0
      ? 'Nothing was delivered by a supplier in the last 30 days.\n'
      : table(
          ['SUPPLIER', 'PRODUCT', 'DELIVERED', 'HALF WITHIN', '95 OF 100 WITHIN', 'WAIT NOW'],
          rows.map((row) => [
            row.supplier,
            row.product ?? 'all of them',
            String(row.deliveries),
            secondsText(row.p50),
            secondsText(row.p95),
            String(row.waiting),
          ]),
        ),
  )
  return 0
}

const secondsText = (seconds: number) =>
  seconds < 120 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`
