import { writeFile } from 'node:fs/promises'
import { acceptCase, declineCase } from '#features/after-sales/commands.ts'
import { findCasePicture, listForOperators } from '#features/after-sales/queries.ts'
import { refusal } from '#platform/refusal.ts'
import type { Run } from './commands.ts'
import { withContext } from './context.ts'
import { amountText, minorUnitsOf } from './money.ts'
import { explained, moment, operatorOf, positionals, print, table } from './table.ts'

const SENTENCES = {
  not_found: 'There is no such case. npm run cli -- cases list shows those that are open.',
  order_closed:
    'That case is decided, or nothing of it can be given back now: it was given back, or the payment is disputed.',
  forbidden: 'A dispute is decided by the payment provider, not here.',
}

export const listCasesCommand: Run = async (args) => {
  const { cases, digits } = await withContext('cli', async (ctx) => ({
    cases: await listForOperators(ctx.db, 'open'),
    digits: await minorUnitsOf(ctx),
  }))
  print(args, cases, () =>
    cases.length === 0
      ? 'No case is open.\n'
      : table(
          ['CASE', 'OPENED (UTC)', 'KIND', 'ORDER', 'REASON', 'AMOUNT'],
          cases.map((found) => [
            found.publicId,
            moment(found.createdAt),
            found.kind,
            found.orderNumber,
            found.reason,
            amountText(digits, found.amountMinor, found.currency),
          ]),
        ),
  )
  return 0
}

export const showCaseCommand: Run = async (args) => {
  const [publicId = ''] = positionals(args)
  const { found, digits } = await withContext('cli', async (ctx) => ({
    found: (await listForOperators(ctx.db, { publicId }))[0],
    digits: await minorUnitsOf(ctx),
  }))
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

export const casePictureCommand: Run = async (args) => {
  const [publicId = '', file = ''] = positionals(args)
  const picture = await withContext('cli', (ctx) => findCasePicture(ctx.db, publicId))
  if (!picture) throw refusal('There is no such case, or it has no picture.')
  await writeFile(file, picture)
  process.stdout.write(`Written to ${file} (WebP).\n`)
  return 0
}

export const acceptCaseCommand: Run = async (args) => {
  const [publicId = '', note = ''] = positionals(args)
  const text = await withContext(`operator:${operatorOf(args)}`, async (ctx) => {
    const minor = await explained(SENTENCES, acceptCase(ctx, publicId, note))
    const [found] = await listForOperators(ctx.db, { publicId })
    return amountText(await minorUnitsOf(ctx), minor, found?.currency ?? '')
  })
  process.stdout.write(`Agreed. ${text} go back.\n`)
  return 0
}

export const declineCaseCommand: Run = async (args) => {
  const [publicId = '', note = ''] = positionals(args)
  await explained(
    SENTENCES,
    withContext(`operator:${operatorOf(args)}`, (ctx) => declineCase(ctx, publicId, note)),
  )
  process.stdout.write('Declined. The buyer reads why in the order.\n')
  return 0
}
