import { getOrderByNumber, readVersion } from '#features/buying/order/queries.ts'
import { acceptMoneyByOperator } from '#features/buying/payment/commands.ts'
import type { RefundDestination } from '#features/buying/refund/rules.ts'
import { matchConfirmed } from '#features/buying/unmatched-payment/flows.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { refusal } from '#platform/refusal.ts'
import { optionOf, type OperatorRun } from './commands.ts'
import { openServices } from './payment-services.ts'
import { explained, positionals } from './table.ts'
import { writeWaiting } from './waiting.ts'

const SENTENCES = {
  not_found: 'There is no such order, or no such payment.',
  order_closed:
    'The order is paid, its money is on its way back or disputed, or nobody may get its goods any more.',
  changed_meanwhile: 'Something has happened to the order or the payment since: look again.',
  payment_unreachable: 'The payment service does not say how the payment stands: try again later.',
  out_of_stock: 'Goods of the order cannot be had now: add stock first, or send the money back.',
  check_fields: 'The order is in another currency.',
  forbidden: 'What lacks of the price counts as given, which your role may not do.',
}

function surplusOf(args: Parameters<OperatorRun>[1]): RefundDestination {
  const way = optionOf(args, '--surplus') ?? 'original'
  if (way !== 'original' && way !== 'store_credit')
    throw refusal('--surplus is original or store_credit.')
  return way
}

export const acceptMoneyCommand: OperatorRun = async (ctx, args) => {
  const [number = ''] = positionals(args)
  const waits = await explained(SENTENCES, acceptMoneyByOperator(ctx, number, surplusOf(args)))
  if (waits !== null) return writeWaiting(waits)
  process.stdout.write('The order is paid, and goes on.\n')
  return 0
}

export const matchUnmatchedCommand: OperatorRun = async (ctx, args) => {
  const [id = '', orderNumber = ''] = positionals(args)
  const order = await explained(SENTENCES, getOrderByNumber(ctx.db, orderNumber))
  const version = await readVersion(ctx.db, order.id)
  const surplusTo = surplusOf(args)
  const outside = await openServices(configFromEnvironment(), ctx)
  const waits = await explained(
    SENTENCES,
    matchConfirmed(ctx, outside, { id, orderNumber, version, surplusTo }),
  )
  if (waits !== null) return writeWaiting(waits)
  process.stdout.write('It is the money of that order now.\n')
  return 0
}
