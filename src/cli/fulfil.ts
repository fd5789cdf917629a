import {
  claimUnit,
  completeUnit,
  failUnit,
  releaseUnit,
} from '#features/buying/fulfilment/commands.ts'
import { listHandUnits } from '#features/buying/fulfilment/queries.ts'
import { FAILURES, type HandUnit } from '#features/buying/fulfilment/rules.ts'
import { refusal } from '#platform/refusal.ts'
import { optionOf, type OperatorRun } from './commands.ts'
import { writeWaiting } from './waiting.ts'
import { explained, moment, positionals, print, required, table } from './table.ts'

const SENTENCES = {
  not_found:
    'There is no such unit to be delivered by hand. npm run cli -- fulfil list shows them.',
  conflict: 'Somebody else has taken this unit, or it was delivered with another proof.',
  order_closed:
    'This unit is not to be delivered now: it is done, given back or in doubt, or a decision about its order is open.',
}

export const listCommand: OperatorRun = async (ctx, args) => {
  const units = await listHandUnits(ctx.db)
  print(args, units, () =>
    units.length === 0
      ? 'Nothing waits to be delivered by hand.\n'
      : table(
          ['UNIT', 'ORDER', 'PAID (UTC)', 'GOODS', 'STATE', 'TAKEN BY'],
          units.map((unit) => [
            unit.unit,
            unit.orderNumber,
            moment(unit.paidAt),
            goodsOf(unit),
            stateOf(unit),
            unit.claimedBy === null ? '' : `${unit.claimedBy} until ${moment(unit.claimedUntil)}`,
          ]),
        ),
  )
  return 0
}

export const claimCommand: OperatorRun = async (ctx, args) => {
  const unit = await explained(SENTENCES, claimUnit(ctx, optionOf(args, '--unit')))
  print(args, unit, () =>
    unit === null ? 'Nothing waits to be delivered by hand.\n' : describe(unit),
  )
  return 0
}

export const releaseCommand: OperatorRun = async (ctx, args) => {
  await explained(SENTENCES, releaseUnit(ctx, positionals(args)[0] ?? ''))
  process.stdout.write('It waits for somebody else.\n')
  return 0
}

export const doneCommand: OperatorRun = async (ctx, args) => {
  const proof = required(
    args,
    '--proof',
    "the supplier's receipt number, or what else shows the delivery",
  )
  if (proof.length > 200) throw refusal('The proof has more than 200 characters.')
  const waits = await explained(SENTENCES, completeUnit(ctx, positionals(args)[0] ?? '', proof))
  if (waits !== null) return writeWaiting(waits)
  process.stdout.write('Delivered. The buyer is told once the whole line is.\n')
  return 0
}

export const failCommand: OperatorRun = async (ctx, args) => {
  const reason = required(args, '--reason', `one of ${FAILURES.join(', ')}`)
  const failure = FAILURES.find((known) => known === reason)
  if (!failure) throw refusal(`The reason must be one of ${FAILURES.join(', ')}.`)
  const waits = await explained(SENTENCES, failUnit(ctx, positionals(args)[0] ?? '', failure))
  if (waits !== null) return writeWaiting(waits)
  process.stdout.write(
    'Noted. Its price goes back to where it was paid from, and the buyer is told.\n',
  )
  return 0
}

const goodsOf = ({ product, item, place, quantity }: HandUnit) =>
  `${product}: ${item}${quantity > 1 ? ` (${place} of ${quantity})` : ''}`

function stateOf({ status, hold }: HandUnit): string {
  return hold === null ? status : `${status}, held: ${hold}`
}

/** With the account to be credited, which stands nowhere else. */
function describe(unit: HandUnit): string {
  const fields = Object.entries(unit.fields).map(([key, value]): [string, string] => [
    `account ${key}`,
    value,
  ])
  const rows = [
    ['unit', unit.unit],
    ['order', unit.orderNumber],
    ['goods', goodsOf(unit)],
    ['item code', unit.itemCode],
    ...fields,
    ['yours until', `${moment(unit.claimedUntil)} UTC`],
  ]
  return table(['', ''], rows).trimStart()
}
