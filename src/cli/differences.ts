import { bookDifference, closeDifference } from '#features/buying/reconciliation/commands.ts'
import { listDifferences, type PaymentDifference } from '#features/buying/reconciliation/queries.ts'
import { refusal } from '#platform/refusal.ts'
import type { OperatorRun } from './commands.ts'
import { amountText, minorUnitsOf } from './money.ts'
import { writeWaiting } from './waiting.ts'
import { explained, moment, positionals, print, table } from './table.ts'

const LISTED = 1_000
const NOTE_MAX = 500
const SENTENCES = {
  not_found: 'There is no such difference. npm run cli -- differences list shows them.',
  order_closed: 'Somebody has seen to that already, or no refund is what differs.',
}
const SAYINGS = {
  refunded_elsewhere: 'refunded there',
  captured_less: 'less was taken',
  not_comparable: 'it cannot be read',
} as const

export const listDifferencesCommand: OperatorRun = async (ctx, args) => {
  const differences = await listDifferences(ctx.db, LISTED)
  const digits = await minorUnitsOf(ctx)
  print(args, differences, () =>
    differences.length === 0
      ? 'No payment differs from what its provider tells.\n'
      : differencesTable(differences, digits),
  )
  return 0
}

export function differencesTable(
  differences: readonly PaymentDifference[],
  digits: ReadonlyMap<string, number>,
): string {
  return table(
    ['DIFFERENCE', 'FOUND (UTC)', 'WHAT', 'ORDER', 'AT', 'NAME THERE', 'TOLD', 'KNOWN HERE'],
    differences.map((each) => [
      each.publicId,
      moment(each.foundAt),
      SAYINGS[each.kind],
      each.orderNumber,
      each.provider,
      each.reference ?? '',
      amountText(digits, each.toldMinor, each.currency),
      amountText(digits, each.knownMinor, each.currency),
    ]),
  )
}

export const bookDifferenceCommand: OperatorRun = async (ctx, args) => {
  const [publicId = ''] = positionals(args)
  const waits = await explained(SENTENCES, bookDifference(ctx, publicId))
  if (waits !== null) return writeWaiting(waits)
  process.stdout.write('Booked as money that was taken back.\n')
  return 0
}

export const closeDifferenceCommand: OperatorRun = async (ctx, args) => {
  const [publicId = '', note = ''] = positionals(args)
  if (note.trim() === '' || note.length > NOTE_MAX)
    throw refusal(`The note says what was done, in 1 to ${NOTE_MAX} characters.`)
  const waits = await explained(SENTENCES, closeDifference(ctx, publicId, note.trim()))
  if (waits !== null) return writeWaiting(waits)
  process.stdout.write('Noted.\n')
  return 0
}
