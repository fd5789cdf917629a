import { claimUnit, completeUnit, failUnit, releaseUnit } from '#features/fulfilment/commands.ts'
import { listHandUnits } from '#features/fulfilment/queries.ts'
import { FAILURES, type HandUnit } from '#features/fulfilment/rules.ts'
import { refusal } from '#platform/refusal.ts'
import { optionOf, type Run } from './commands.ts'
import { withContext } from './context.ts'
import { explained, moment, operatorOf, positionals, print, required, table } from './table.ts'

const SENTENCES = {
  not_found:
    'There is no such unit to be delivered by hand. npm run cli -- fulfil list shows them.',
  conflict: 'Somebody else has taken this unit, or it was delivered with another proof.',
  order_closed:
    'This unit is not to be delivered now: it is done, given back or in doubt, or a decision about its order is open.',
}

export const listCommand: Run = async (args) => {
  const units = await withContext('cli', (ctx) => listHandUnits(ctx.db))
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

export const claimCommand: Run = async (args) => {
  const operator = operatorOf(args)
  const unit = await explained(
    SENTENCES,
    withContext(`operator:${operator}`, (ctx) =>
      claimUnit(ctx, operator, optionOf(args, '--unit')),
    ),
  )
  print(args, unit, () =>
    unit === null ? 'Nothing waits to be delivered by hand.\n' : describe(unit),
  )
  return 0
}

export const releaseCommand: Run = async (args) => {
  const operator = operatorOf(args)
  await explained(
    SENTENCES,
    withContext(`operator:${operator}`, (ctx) =>
      releaseUnit(ctx, operator, positionals(args)[0] ?? ''),
    ),
  )
  process.stdout.write('It waits for somebody else.\n')
  return 0
}

export const doneCommand: Run = async (args) => {
  const operator = operatorOf(args)
  const proof = required(
    args,
    '--proof',
    "the supplier's receipt number, or what else shows the delivery",
  )
  if (proof.length > 200) throw refusal('The proof has more than 200 characters.')
  await explained(
    SENTENCES,
    withContext(`operator:${operator}`, (ctx) =>
      completeUnit(ctx, operator, positionals(args)[0] ?? '', proof),
    ),
  )
  process.stdout.write('Delivered. The buyer is told once the whole line is.\n')
  return 0
}

export const failCommand: Run = async (args) => {
  const operator = operatorOf(args)
  const reason = required(args, '--reason', `one of ${FAILURES.join(', ')}`)
  const failure = FAILURES.find((known) => known === reason)
  if (!failure) throw refusal(`The reason must be one of ${FAILURES.join(', ')}.`)
  await explained(
    SENTENCES,
    withContext(`operator:${operator}`, (ctx) =>
      failUnit(ctx, operator, positionals(args)[0] ?? '', failure),
    ),
  )
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
