import { readFileSync } from 'node:fs'
import { releaseHold } from '#features/buying/fulfilment/commands.ts'
import {
  importScreening,
  noteReleased,
  proveAge,
  refuseByOperator,
  removeScreening,
} from '#features/buying/gate/commands.ts'
import { listHeldByGate, listScreeningLists } from '#features/buying/gate/queries.ts'
import { readScreeningFile, type GateReason } from '#features/buying/gate/rules.ts'
import { refusal, systemErrorCode } from '#platform/refusal.ts'
import type { OperatorRun } from './commands.ts'
import { amountText, minorUnitsOf } from './money.ts'
import { explained, moment, positionals, print, required, table } from './table.ts'
import { writeWaiting } from './waiting.ts'

const NOTE_MAX = 300
const FAULTS_TOLD = 10
const REASONS: Readonly<Record<GateReason, string>> = {
  country: 'may not be sold there',
  age: 'age not known',
  phone_limit: 'much for one phone',
  player_limit: 'much for one player',
  shopper_limit: 'much for one shopper',
  listed_name: 'name on a list',
  listed_email: 'e-mail on a list',
  screening: 'the screening service has not answered',
  screening_match: 'found by the screening service',
}
const ORDER = {
  not_found: 'There is no order of this number.',
  order_closed: 'The gate does not hold this order. npm run cli -- gate list shows those it does.',
}

export const listHeldCommand: OperatorRun = async (ctx, args) => {
  const orders = await listHeldByGate(ctx.db)
  const digits = await minorUnitsOf(ctx)
  print(args, orders, () =>
    orders.length === 0
      ? 'No order is held for a closer look.\n'
      : table(
          ['ORDER', 'SHOPPER', 'WHY', 'TOTAL', 'COUNTRY', 'SINCE (UTC)', 'SAID'],
          orders.map((order) => [
            order.orderNumber,
            order.uid,
            order.reasons.map((reason) => REASONS[reason]).join(', '),
            amountText(digits, order.total, order.currency),
            order.country ?? '',
            moment(order.since),
            order.decision ?? (order.verdict === 'refuse' ? 'refused by rule' : ''),
          ]),
        ),
  )
  return 0
}

export const releaseHeldCommand: OperatorRun = async (ctx, args) => {
  const [number = ''] = positionals(args)
  const note = noteOf(args, 'why it may be delivered')
  const waits = await explained(ORDER, releaseHold(ctx, number))
  if (waits !== null) return writeWaiting(waits)
  await explained(ORDER, noteReleased(ctx, number, note))
  process.stdout.write('It goes on.\n')
  return 0
}

export const refuseHeldCommand: OperatorRun = async (ctx, args) => {
  const [number = ''] = positionals(args)
  const { needsApproval } = await explained(
    ORDER,
    refuseByOperator(ctx, number, noteOf(args, 'why it may not be delivered')),
  )
  process.stdout.write(
    needsApproval
      ? 'Nothing more of it is delivered. Its refund is above your limits and waits for another person: npm run cli -- approvals list.\n'
      : 'Nothing more of it is delivered, and its price goes back to where it came from.\n',
  )
  return 0
}

export const proveAgeCommand: OperatorRun = async (ctx, args) => {
  const [uid = '', given = ''] = positionals(args)
  const years = Number(given)
  if (!Number.isInteger(years) || years < 1 || years > 99)
    throw refusal('Say how old they are at least, in years from 1 to 99.')
  await explained(
    { not_found: 'There is no shopper of this number.' },
    proveAge(ctx, { uid, years, note: noteOf(args, 'what shows it') }),
  )
  process.stdout.write('Noted. What is held for it is still to be released.\n')
  return 0
}

export const importScreeningCommand: OperatorRun = async (ctx, args) => {
  const [list = '', file = ''] = positionals(args)
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(list) || list.length > 100)
    throw refusal('A list is named in lower-case letters, digits and hyphens, like eu-sanctions.')
  const { rows, faults } = readScreeningFile(readText(file))
  for (const line of faults.slice(0, FAULTS_TOLD))
    process.stderr.write(`line ${line}: takes a reference, and a name or an e-mail, between tabs\n`)
  if (faults.length > 0)
    throw refusal(`${faults.length} lines cannot be read. Nothing was imported.`)
  if (rows.length === 0)
    throw refusal('The file names nobody. To take a list away: screening remove.')
  await importScreening(ctx, list, rows)
  process.stdout.write(`Imported ${rows.length}; what the list held before is replaced.\n`)
  return 0
}

export const listScreeningCommand: OperatorRun = async (ctx, args) => {
  const lists = await listScreeningLists(ctx.db)
  print(args, lists, () =>
    lists.length === 0
      ? 'No list was imported: nobody is looked for.\n'
      : table(
          ['LIST', 'ENTRIES'],
          lists.map(({ list, entries }) => [list, String(entries)]),
        ),
  )
  return 0
}

export const removeScreeningCommand: OperatorRun = async (ctx, args) => {
  await explained(
    { not_found: 'There is no list of this name.' },
    removeScreening(ctx, positionals(args)[0] ?? ''),
  )
  process.stdout.write('Removed.\n')
  return 0
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw refusal(`${file} cannot be read (${systemErrorCode(error) ?? String(error)}).`, error)
  }
}

function noteOf(args: readonly string[], what: string): string {
  const note = required(args, '--note', what)
  if (note.length > NOTE_MAX) throw refusal(`--note takes 1 to ${NOTE_MAX} characters.`)
  return note
}
