import { startSelling, stopSelling } from '#features/goods/sale-stop/commands.ts'
import { listStops } from '#features/goods/sale-stop/queries.ts'
import { STOP_KINDS, STOP_REASON_MAX, type Stoppable } from '#features/goods/sale-stop/rules.ts'
import { refusal } from '#platform/refusal.ts'
import type { OperatorRun } from './commands.ts'
import { explained, moment, positionals, print, required, table } from './table.ts'

const SENTENCES = { not_found: 'The shop has nothing of this code.' }
const ALL = 'all'

export const listCommand: OperatorRun = async (ctx, args) => {
  const stops = await listStops(ctx.db)
  print(args, stops, () =>
    stops.length === 0
      ? 'Everything is on sale.\n'
      : table(
          ['WHAT', 'CODE', 'BY', 'SINCE (UTC)', 'REASON'],
          stops.map(({ kind, code, stoppedBy, stoppedAt, reason }) => [
            kind,
            code === '' ? ALL : code,
            stoppedBy,
            moment(stoppedAt),
            reason,
          ]),
        ),
  )
  return 0
}

export const stopCommand: OperatorRun = async (ctx, args) => {
  const what = stoppableOf(args)
  const reason = required(args, '--reason', 'why it is stopped').slice(0, STOP_REASON_MAX)
  const isNew = await explained(SENTENCES, stopSelling(ctx, what, reason))
  process.stdout.write(isNew ? 'It is not sold any more.\n' : 'It was stopped already.\n')
  return 0
}

export const startCommand: OperatorRun = async (ctx, args) => {
  const isNew = await startSelling(ctx, stoppableOf(args))
  process.stdout.write(isNew ? 'It is sold again.\n' : 'It was not stopped.\n')
  return 0
}

function stoppableOf(args: readonly string[]): Stoppable {
  const [what = '', code = ''] = positionals(args)
  const kind = STOP_KINDS.find((known) => known === what)
  if (!kind) throw refusal(`What is stopped is one of ${STOP_KINDS.join(', ')}.`)
  return { kind, code: kind === 'shop' ? '' : code }
}
