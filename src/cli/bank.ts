import { bankTransfers, recordReceipt, recordReturn } from '#features/bank-transfer/commands.ts'
import { getOrderSheet } from '#features/order/queries.ts'
import { checkPayment } from '#features/payment/flows.ts'
import { submitRefund } from '#features/refund/flows.ts'
import { configFromEnvironment } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import { optionOf, type Run } from './commands.ts'
import { withContext } from './context.ts'
import { readMoney } from './money.ts'
import { explained, operatorOf, positionals } from './table.ts'

const REFERENCE_MAX = 200
const RECEIVED = {
  not_found: 'There is no order of this number that somebody wanted to pay by bank transfer.',
  conflict:
    'This line was entered before with another order or amount, or money in another currency came for this order. Give the line a name of its own with --reference.',
}
const RETURNED = { not_found: 'No refund of this name waits for a bank transfer.' }

const providersOf = (ctx: Ctx) =>
  new Map([bankTransfers(ctx)].map((provider) => [provider.code, provider]))

export const receivedCommand: Run = async (args) => {
  const [orderNumber = '', amount = '', currency = ''] = positionals(args)
  const operator = operatorOf(args)
  const given = optionOf(args, '--reference')?.trim()
  if (given === '' || (given && given.length > REFERENCE_MAX))
    throw refusal(
      `--reference takes 1 to ${REFERENCE_MAX} characters that name the line of the statement.`,
    )
  const told = await withContext(`operator:${operator}`, async (ctx) => {
    const money = await readMoney(ctx, amount, currency)
    const reference = given ?? `${orderNumber} ${money.minor} ${money.currency}`
    const { attemptId, isNew } = await explained(
      RECEIVED,
      recordReceipt(ctx, { orderNumber, money, reference }),
    )
    await checkPayment(
      ctx,
      { providers: providersOf(ctx), publicUrl: configFromEnvironment().publicUrl },
      attemptId,
    )
    return { isNew, status: (await getOrderSheet(ctx.db, orderNumber)).status }
  })
  process.stdout.write(
    `${told.isNew ? 'Noted.' : 'This line was noted before and counts once.'} The order is now: ${told.status}.\n`,
  )
  return 0
}

export const returnedCommand: Run = async (args) => {
  const [publicId = ''] = positionals(args)
  await withContext(`operator:${operatorOf(args)}`, async (ctx) => {
    const refundId = await explained(RETURNED, recordReturn(ctx, publicId))
    await submitRefund(ctx, providersOf(ctx), refundId)
  })
  process.stdout.write('Noted: this refund is done.\n')
  return 0
}
