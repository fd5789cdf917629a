import { writeFile } from 'node:fs/promises'
import { acceptCase, declineCase } from '#features/after-sales/commands.ts'
import { findCasePicture, listForOperators, type ListedCase } from '#features/after-sales/queries.ts'
import { isAppError, type ErrorCode } from '#kernel/error.ts'
import { toMajor } from '#kernel/money.ts'
import type { Ctx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import type { Run } from './commands.ts'
import { withContext } from './context.ts'
import { operatorOf, positionals } from './table.ts'

/** Reading leaves no trace that names anybody. */
const READER = 'operator:cli'

const REFUSALS: Partial<Record<ErrorCode, string>> = {
  not_found: 'There is no such case. cases list shows those that are open.',
  order_closed: 'That case is decided, or nothing of it can be given back now: it was given back, or the payment is disputed.',
  forbidden: 'A dispute is decided by the payment provider, not here.',
}

export const listCasesCommand: Run = () =>
  withContext(READER, async (ctx) => {
    const cases = await listForOperators(ctx.db, 'open')
    const lines = await Promise.all(cases.map(async (found) => `${found.publicId}  ${found.createdAt.toISOString()}  ${found.kind}  order ${found.orderNumber}  ${found.reason}  ${await amountOf(ctx, found)}\n`))
    process.stdout.write(`${lines.join('')}${cases.length === 0 ? 'No case is open.' : `${cases.length} open.`}\n`)
    return 0
  })

export const showCaseCommand: Run = ([publicId = '']) =>
  withContext(READER, async (ctx) => {
    const [found] = await listForOperators(ctx.db, { publicId })
    if (!found) throw refusal(REFUSALS.not_found ?? '')
    const lines = [
      `case      ${found.publicId}`, `order     ${found.orderNumber}`, `kind      ${found.kind}`, `status    ${found.status}`, `reason    ${found.reason}`, `opened    ${found.createdAt.toISOString()}`,
      `money to  ${found.destination}`, `amount    ${await amountOf(ctx, found)}`,
      ...found.units.map((unit) => `unit      ${unit.name}, ${unit.status}${unit.delivery === 'card_key' ? (unit.isRevealed ? ', code shown' : ', code not shown') : ''}`),
      ...(found.text === '' ? [] : [`text      ${oneLine(found.text)}`]),
      ...(found.hasPicture ? [`picture   write it to a file with: cases picture ${found.publicId} <file>`] : []),
      ...(found.decidedBy === null ? [] : [`decided   by ${found.decidedBy}, ${found.decidedAt?.toISOString() ?? ''}`, `note      ${oneLine(found.note)}`]),
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
    return 0
  })

export const casePictureCommand: Run = ([publicId = '', file = '']) =>
  withContext(READER, async (ctx) => {
    const picture = await findCasePicture(ctx.db, publicId)
    if (!picture) throw refusal('There is no such case, or it has no picture.')
    await writeFile(file, picture)
    process.stdout.write(`Written to ${file} (WebP).\n`)
    return 0
  })

export const acceptCaseCommand: Run = (args) =>
  withContext(`operator:${operatorOf(args)}`, async (ctx) => {
    const [publicId = '', note = ''] = positionals(args)
    const minor = await decided(acceptCase(ctx, publicId, note))
    const [found] = await listForOperators(ctx.db, { publicId })
    process.stdout.write(`Agreed. ${await moneyText(ctx, minor, found?.currency ?? '')} go back.\n`)
    return 0
  })

export const declineCaseCommand: Run = (args) =>
  withContext(`operator:${operatorOf(args)}`, async (ctx) => {
    const [publicId = '', note = ''] = positionals(args)
    await decided(declineCase(ctx, publicId, note))
    process.stdout.write('Declined. The buyer reads why in the order.\n')
    return 0
  })

async function decided<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const text = isAppError(error) ? REFUSALS[error.code] : undefined
    throw text === undefined ? error : refusal(text)
  })
}

const amountOf = (ctx: Ctx, { amountMinor, currency }: ListedCase) => moneyText(ctx, amountMinor, currency)

async function moneyText(ctx: Ctx, minor: bigint, code: string): Promise<string> {
  const row = await ctx.db.selectFrom('currency').select('minor_units').where('code', '=', code).executeTakeFirst()
  return `${toMajor(minor, row?.minor_units ?? 2)} ${code}`
}

/** What a stranger wrote may hold anything: a terminal is not to obey it. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
}
