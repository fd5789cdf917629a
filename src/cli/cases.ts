import { writeFile } from 'node:fs/promises'
import { acceptCase, declineCase } from '#features/buying/after-sales/commands.ts'
import { findCasePicture, listForOperators } from '#features/buying/after-sales/queries.ts'
import { listDifferences } from '#features/buying/reconciliation/queries.ts'
import { refusal } from '#platform/refusal.ts'
import type { OperatorRun } from './commands.ts'
import { differencesTable } from './differences.ts'
import { amountText, minorUnitsOf } from './money.ts'
import { writeWaiting } from './waiting.ts'
import { explained, moment, positionals, print, table } from './table.ts'

const DIFFERENCES_LISTED = 200
const SENTENCES = {
  not_found: 'There is no such case. npm run cli -- cases list shows those that are open.',
  order_closed:
    'That case is decided, or nothing of it can be given back now: it was given back, or the payment is disputed.',
  forbidden: 'A dispute is decided by the payment provider, not here.',
}

export const listCasesCommand: OperatorRun = async (ctx, args) => {
  const cases = await listForOperators(ctx.db, 'open')
  const differences = await listDifferences(ctx.db, DIFFERENCES_LISTED)
  const digits = await minorUnitsOf(ctx)
  const listed = () =>
    table(
      ['CASE', 'OPENED (UTC)', 'KIND', 'ORDER', 'REASON', 'AMOUNT'],
      cases.map((found) => [
        found.publicId,
        moment(found.createdAt),
        found.kind,
        found.orderNumber,
        found.reason,
        amountText(digits, found.amountMinor, found.currency),
      ]),
    )
  const also = () =>
    `\nPayments that differ from what their provider tells (npm run cli -- differences book, or close):\n\n${differencesTable(differences, digits)}`
  print(
    args,
    cases,
    () =>
      `${cases.length === 0 ? 'No case is open.\n' : listed()}${differences.length === 0 ? '' : also()}`,
  )
  return 0
}

export const showCaseCommand: OperatorRun = async (ctx, args) => {
  const [publicId = ''] = positionals(args)
  const [found] = await listForOperators(ctx.db, { publicId })
  const digits = await minorUnitsOf(ctx)
  if (!found) throw refusal(SENTENCES.not_found)
  print(args, found, () =>
    table(
      ['', ''],
      [
        ['case', found.publicId],
        ['order', found.orderNumber],
        ['kind', found.kind],
        ['state', found.status],
        ['reason', found.reason],
        ['opened', `${moment(found.createdAt)} UTC`],
        ['money to', found.destination],
        ['amount', amountText(digits, found.amountMinor, found.currency)],
        ...found.units.map((unit) => [
          'unit',
          `${unit.name}, ${unit.status}${unit.delivery === 'card_key' ? (unit.isRevealed ? ', code shown' : ', code not shown') : ''}`,
        ]),
        ...(found.text === '' ? [] : [['text', found.text]]),
        ...(found.hasPicture
          ? [
              [
                'picture',
                `write it to a file with: npm run cli -- cases picture ${found.publicId} <file>`,
              ],
            ]
          : []),
        ...(found.decidedBy === null
          ? []
          : [
              ['decided', `by ${found.decidedBy}, ${moment(found.decidedAt)} UTC`],
              ['note', found.note],
            ]),
      ],
    ).trimStart(),
  )
  return 0
}

export const casePictureCommand: OperatorRun = async (ctx, args) => {
  const [publicId = '', file = ''] = positionals(args)
  const picture = await findCasePicture(ctx.db, publicId)
  if (!picture) throw refusal('There is no such case, or it has no picture.')
  await writeFile(file, picture)
  process.stdout.write(`Written to ${file} (WebP).\n`)
  return 0
}

export const acceptCaseCommand: OperatorRun = async (ctx, args) => {
  const [publicId = '', note = ''] = positionals(args)
  const { amountMinor, waits } = await explained(SENTENCES, acceptCase(ctx, publicId, note))
  if (waits !== null) return writeWaiting(waits)
  const [found] = await listForOperators(ctx.db, { publicId })
  const text =
    amountMinor === 0n
      ? 'The bank has given everything back already: nothing more goes back.'
      : `${amountText(await minorUnitsOf(ctx), amountMinor, found?.currency ?? '')} go back.`
  process.stdout.write(`Agreed. ${text}
`)
  return 0
}

export const declineCaseCommand: OperatorRun = async (ctx, args) => {
  const [publicId = '', note = ''] = positionals(args)
  await explained(SENTENCES, declineCase(ctx, publicId, note))
  process.stdout.write('Declined. The buyer reads why in the order.\n')
  return 0
}
