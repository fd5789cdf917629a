import { releaseHold } from '#features/buying/fulfilment/commands.ts'
import {
  getOrderByNumber,
  getOrderSheet,
  listOrdersOf,
  listShopOrders,
  listUndecided,
} from '#features/buying/order/queries.ts'
import { ORDER_STATUSES } from '#features/buying/order/rules.ts'
import { returnMoneyByOperator } from '#features/buying/refund/commands.ts'
import { countRefused } from '#features/buying/refund/queries.ts'
import { countUnmatched } from '#features/buying/unmatched-payment/queries.ts'
import { refusal } from '#platform/refusal.ts'
import { optionOf, type OperatorRun } from './commands.ts'
import { amountText, minorUnitsOf } from './money.ts'
import { writeWaiting } from './waiting.ts'
import { explained, moment, positionals, print, table } from './table.ts'

const SENTENCES = { not_found: 'There is no order of this number.' }

export const showCommand: OperatorRun = async (ctx, args) => {
  const [number = ''] = positionals(args)
  const order = await explained(SENTENCES, getOrderSheet(ctx.db, number))
  const digits = await minorUnitsOf(ctx)
  const money = (minor: string, currency = order.currency) => amountText(digits, minor, currency)
  print(args, order, () =>
    [
      table(
        ['', ''],
        [
          ['order', order.number],
          ['state', order.hold === null ? order.status : `${order.status}, held: ${order.hold}`],
          ['made', `${moment(order.created_at)} UTC`],
          ['paid', order.settled_at ? `${moment(order.settled_at)} UTC` : ''],
          ['total', money(order.total_minor)],
          ['captured', money(order.captured_minor)],
          ['given back', money(order.refunded_minor)],
          ['language', order.language],
          ['country', order.country ?? ''],
        ],
      ).trimStart(),
      table(
        ['UNIT', 'GOODS', 'PRICE', 'STATE', 'DELIVERED (UTC)', 'TAKEN BY', 'PROOF'],
        order.units.map((unit) => [
          unit.public_id,
          `${unit.product_name}: ${unit.item_name}`,
          money(unit.price_minor),
          unit.status,
          moment(unit.delivered_at),
          unit.claimed_by ?? '',
          unit.proof ?? '',
        ]),
      ),
      table(
        ['PAYMENT', 'METHOD', 'STATE', 'ASKED', 'CAPTURED', 'BEGUN (UTC)', 'FAILURE'],
        order.payments.map((payment) => [
          payment.public_id,
          `${payment.provider} ${payment.method}`,
          payment.status,
          money(payment.amount_minor, payment.currency),
          payment.captured_currency === null
            ? ''
            : money(payment.captured_minor, payment.captured_currency),
          moment(payment.created_at),
          payment.failure ?? '',
        ]),
      ),
      table(
        ['REFUND', 'AMOUNT', 'TO', 'STATE', 'REASON', 'ASKED BY', 'APPROVED BY', 'FAILURE'],
        order.refunds.map((refund) => [
          refund.public_id,
          money(refund.amount_minor, refund.currency),
          refund.destination,
          refund.status,
          refund.reason,
          refund.requested_by,
          refund.approved_by ?? '',
          refund.failure ?? '',
        ]),
      ),
      table(
        ['AT (UTC)', 'WHAT', 'STATE', 'BY'],
        order.events.map((event) => [moment(event.at), event.reason, event.to_status, event.actor]),
      ),
    ].join('\n'),
  )
  return 0
}

const LISTED = 200
const LISTED_AT_ONCE = 20

export const listCommand: OperatorRun = async (ctx, args) => {
  const [given, before, limit] = [
    optionOf(args, '--status'),
    optionOf(args, '--before'),
    optionOf(args, '--limit') ?? String(LISTED_AT_ONCE),
  ]
  const status = ORDER_STATUSES.find((known) => known === given) ?? null
  if (given !== null && status === null)
    throw refusal(`--status is one of ${ORDER_STATUSES.join(', ')}.`)
  if (!/^[1-9]\d{0,3}$/.test(limit))
    throw refusal('--limit takes how many orders are listed, 1 to 9999.')
  if (before !== null) await explained(SENTENCES, getOrderByNumber(ctx.db, before))
  const email = optionOf(args, '--email')
  if (email !== null && (status !== null || before !== null))
    throw refusal('--email stands alone, or with --limit.')
  const orders =
    email === null
      ? await listShopOrders(ctx.db, { status, before, limit: Number(limit) })
      : await listOrdersOf(ctx.db, email, Number(limit))
  const digits = await minorUnitsOf(ctx)
  const last = email === null && orders.length === Number(limit) ? orders.at(-1) : undefined
  print(args, orders, () =>
    [
      orders.length === 0
        ? 'No such order.\n'
        : table(
            ['ORDER', 'MADE (UTC)', 'STATE', 'HELD', 'TOTAL', 'PAID (UTC)'],
            orders.map((order) => [
              order.number,
              moment(order.createdAt),
              order.status,
              order.hold ?? '',
              amountText(digits, order.totalMinor, order.currency),
              moment(order.settledAt),
            ]),
          ),
      last ? `Older ones: --before ${last.number}\n` : '',
    ].join(''),
  )
  return 0
}

export const listUndecidedCommand: OperatorRun = async (ctx, args) => {
  const orders = await listUndecided(ctx.db, LISTED)
  const refused = await countRefused(ctx.db)
  const unmatched = await countUnmatched(ctx.db)
  const digits = await minorUnitsOf(ctx)
  print(args, orders, () =>
    [
      orders.length === 0
        ? 'No order waits for a decision.\n'
        : table(
            ['ORDER', 'SINCE (UTC)', 'HELD', 'LAST', 'TOTAL', 'CAPTURED', 'GIVEN BACK'],
            orders.map((order) => [
              order.number,
              moment(order.since),
              order.hold ?? '',
              order.reason,
              ...[order.totalMinor, order.capturedMinor, order.refundedMinor].map((minor) =>
                amountText(digits, minor, order.currency),
              ),
            ]),
          ),
      refused === 0
        ? ''
        : `Refunds that the payment provider has refused: ${refused}. npm run cli -- refund list shows them.\n`,
      unmatched === 0
        ? ''
        : `Paid and known to no order: ${unmatched}. npm run cli -- payments unmatched shows them.\n`,
    ].join(''),
  )
  return 0
}

export const releaseCommand: OperatorRun = async (ctx, args) => {
  const waits = await explained(
    {
      ...SENTENCES,
      order_closed:
        'This order is not held for a closer look. npm run cli -- orders show tells what it waits for.',
    },
    releaseHold(ctx, positionals(args)[0] ?? ''),
  )
  if (waits !== null) return writeWaiting(waits)
  process.stdout.write('It goes on.\n')
  return 0
}

export const returnMoneyCommand: OperatorRun = async (ctx, args) => {
  const waits = await explained(
    {
      ...SENTENCES,
      order_closed:
        'This order is paid, or holds no money: give units back with npm run cli -- refund.',
    },
    returnMoneyByOperator(ctx, positionals(args)[0] ?? ''),
  )
  if (waits !== null) return writeWaiting(waits)
  process.stdout.write(
    'Its money goes back to where it came from; the worker hands it over within a minute.\n',
  )
  return 0
}
