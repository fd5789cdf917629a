import { setTimeout as sleep } from 'node:timers/promises'
import { cli, sql, workNow } from '../e2e/buying/operator.ts'
import { cards, orderOverWire, payOverWire, TOP_UP, type Goods } from '../e2e/buying/purchase.ts'
import { post, type Shopper } from '../e2e/people/shopper.ts'

/** Players of the sandbox's suppliers: one that is credited much later, one that is refused when it is bought for. */
const SLOW = '123459006'
const REFUSED = '123459022'
const PATIENCE_MS = 90_000

const topUp = (player: string): Goods => ({
  item: TOP_UP.item,
  quantity: 1,
  fields: { ...TOP_UP.fields, user_id: player },
})

/** An order in each state that a shopper meets: name and what its address calls it. */
export async function makeOrders(shopper: Shopper): Promise<Readonly<Record<string, string>>> {
  // As measured of deliveries that a new shop has not made yet.
  await sql(
    `insert into delivery_pace (product, supplier, deliveries, p50_seconds, p95_seconds) values ($1, null, 40, 90, 600) on conflict do nothing`,
    [TOP_UP.product],
  )
  const delivered = await place(shopper, [cards(3)], 'approve')
  const credited = await place(shopper, [topUp(TOP_UP.fields.user_id)], 'approve')
  await until(shopper, credited.order, '"completed"')
  const underWay = await place(shopper, [topUp(SLOW)], 'approve')
  const late = await place(shopper, [topUp(SLOW)], 'approve')
  const asking = await place(shopper, [topUp(REFUSED)], 'approve')
  const partly = await place(shopper, [cards(2)], 'approve')
  await until(shopper, partly.order, '"completed"')
  const { data } = (await (
    await shopper.page.request.get(`/api/order/detail?order=${partly.order}`)
  ).json()) as { data: { lines: { units: { id: string }[] }[] } }
  const unit = data.lines[0]?.units[0]?.id ?? ''
  await cli('refund', partly.number, '--units', unit, '--reason', 'goodwill')
  await workNow('refunds')
  await until(shopper, partly.order, '"refunded"')
  await until(shopper, late.order, '"waiting_for_shipment"|"shipping"')
  await sql(
    `update shop_order set settled_at = settled_at - interval '3 hours', created_at = created_at - interval '3 hours' where public_id = $1`,
    [late.order],
  )
  // Only so many may be unpaid at a time: those that end come first.
  const cancelled = await place(shopper, [cards()])
  await post(shopper, 'order/cancel', { order: cancelled.order })
  const expired = await place(shopper, [cards()])
  await sql(
    `update shop_order set created_at = created_at - interval '2 days', expires_at = now() - interval '1 day' where public_id = $1`,
    [expired.order],
  )
  await workNow('expire_orders')
  await until(shopper, expired.order, '"expired"')
  const unpaid = await place(shopper, [cards(2), topUp(TOP_UP.fields.user_id)])
  const waiting = await place(shopper, [cards()], 'challenge')
  const failed = await place(shopper, [cards()], 'decline')
  // They wait as long as pictures are taken.
  for (const { order } of [unpaid, waiting, failed])
    await sql(
      `update shop_order set expires_at = now() + interval '8 hours' where public_id = $1`,
      [order],
    )
  return {
    unpaid: unpaid.order,
    waiting: waiting.order,
    failed: failed.order,
    cancelled: cancelled.order,
    expired: expired.order,
    delivered: delivered.order,
    credited: credited.order,
    underWay: underWay.order,
    late: late.order,
    asking: asking.order,
    partly: partly.order,
  }
}

async function place(shopper: Shopper, goods: readonly Goods[], outcome?: string) {
  const placed = await orderOverWire(shopper, ...goods)
  if (outcome !== undefined) await payOverWire(shopper, placed, outcome)
  return placed
}

async function until({ page }: Shopper, order: string, wanted: string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(300)) {
    const answer = await page.request.get(`/api/order/detail?order=${order}`)
    if (new RegExp(wanted).test(await answer.text())) return
  }
  throw new Error(`order ${order} never was ${wanted}`)
}
