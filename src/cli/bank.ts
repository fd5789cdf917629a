import {
  bankTransfers,
  recordReceipt,
  recordReturn,
} from '#features/buying/bank-transfer/commands.ts'
import { getOrderSheet } from '#features/buying/order/queries.ts'
import { checkPayment } from '#features/buying/payment/flows.ts'
import { submitRefund } from '#features/buying/refund/flows.ts'
import { configFromEnvironment } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import { optionOf, type OperatorRun } from './commands.ts'
import { readMoney } from './money.ts'
import { writeWaiting } from './waiting.ts'
import { explained, positionals } from './table.ts'

const REFERENCE_MAX = 200
const RECEIVED = {
  not_found: 'There is no order of this number that somebody wanted to pay by bank transfer.',
  conflict:
    'This line was entered before with another order or amount, or money in another currency came for this order. Give the line a name of its own with --reference.',
  changed_meanwhile:
    'As much was matched to this order from a bank statement already. Where this is other money, say so with --another.',
}
const RETURNED = { not_found: 'No refund of this name waits for a bank transfer.' }

const providersOf = (ctx: Ctx) =>
  new Map([bankTransfers(ctx)].map((provider) => [provider.code, provider]))

/** What noted money pays is decided by asking about its payment. */
export async function followReceipt(ctx: Ctx, attemptId: string): Promise<void> {
  const { publicUrl } = configFromEnvironment()
  await checkPayment(ctx, { providers: providersOf(ctx), publicUrl }, attemptId)
}

/** A refund that was sent by hand is done by asking about it. */
export async function followReturn(ctx: Ctx, refundId: string): Promise<void> {
  await submitRefund(ctx, providersOf(ctx), refundId)
}

export const receivedCommand: OperatorRun = async (ctx, args) => {
  const [orderNumber = '', amount = '', currency = ''] = positionals(args)
  const given = optionOf(args, '--reference')?.trim()
  if (given === '' || (given && given.length > REFERENCE_MAX))
    throw refusal(
      `--reference takes 1 to ${REFERENCE_MAX} characters that name the line of the statement.`,
    )
  const money = await readMoney(ctx, amount, currency)
  const reference = given ?? `${orderNumber} ${money.minor} ${money.currency}`
  const { attemptId, isNew, waits } = await explained(
    RECEIVED,
    recordReceipt(ctx, { orderNumber, money, reference, isAnother: args.includes('--another') }),
  )
  if (waits !== null) return writeWaiting(waits)
  await followReceipt(ctx, attemptId)
  const order = await getOrderSheet(ctx.db, orderNumber)
  process.stdout.write(
    `${isNew ? 'Noted.' : 'This line was noted before and counts once.'} The order is now: ${order.status}${order.hold === null ? '' : `, held: ${order.hold}`}.${order.hold === 'wrong_currency' ? ` It was to be paid in ${order.currency}; orders return-money ${orderNumber} gives the ${money.currency} back.` : ''}\n`,
  )
  return 0
}

export const returnedCommand: OperatorRun = async (ctx, args) => {
  const [publicId = ''] = positionals(args)
  const { refundId, waits } = await explained(RETURNED, recordReturn(ctx, publicId))
  if (waits !== null) return writeWaiting(waits)
  await followReturn(ctx, refundId)
  process.stdout.write('Noted: this refund is done.\n')
  return 0
}
