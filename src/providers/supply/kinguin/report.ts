import { z } from 'zod'
import { SupplyUnavailable, type ReportedPurchase, type ReportPage } from '../provider.ts'
import { roundedMoney } from '../wire/amounts.ts'
import type { Exchange } from '../wire/client.ts'
import { idOf } from '../wire/text.ts'

const PAGE = 100
const listed = z.object({ results: z.array(z.unknown()), item_count: z.string().nullish() })
const entry = z.object({
  orderId: z.string(),
  orderExternalId: z.string().nullish(),
  status: z.string(),
  createdAt: z.string().nullish(),
  paymentPrice: z.string().nullish(),
  totalPrice: z.string().nullish(),
})
const STATES: Readonly<Record<string, ReportedPurchase['state']>> = {
  processing: 'open',
  completed: 'done',
  canceled: 'failed',
  refunded: 'failed',
}

/** The search of orders between two times, oldest first, so that a new one moves none to another page; the cursor is the number of a page. */
export async function searchOrders(
  ask: (path: string) => Promise<Exchange>,
  { from, to, currency }: { readonly from: Date; readonly to: Date; readonly currency: string },
  cursor: string | null,
): Promise<ReportPage> {
  const page = /^\d{1,6}$/.test(cursor ?? '') ? Number(cursor) : 1
  const query = new URLSearchParams({
    createdAtFrom: plainTime(from),
    createdAtTo: plainTime(to),
    sortBy: 'createdAt',
    sortType: 'asc',
    limit: String(PAGE),
    page: String(page),
  })
  const exchange = await ask(`/v1/order?${query.toString()}`)
  const told = listed.safeParse(
    exchange.kind === 'answer' && exchange.status === 200 ? exchange.json : null,
  ).data
  if (!told) throw new SupplyUnavailable('the orders could not be searched')
  const all = told.results.map((json) => reportedOf(json, currency))
  const purchases = all.flatMap((known) => (known ? [known] : []))
  return {
    purchases,
    unread: all.length - purchases.length,
    next: told.results.length < PAGE ? null : String(page + 1),
  }
}

/** RFC 3339, as their own examples write it. */
const plainTime = (at: Date) => `${at.toISOString().slice(0, 19)}+00:00`

function reportedOf(json: unknown, currency: string): ReportedPurchase | null {
  const told = entry.safeParse(json).data
  const supplierId = idOf(told?.orderId)
  const state = told && Object.hasOwn(STATES, told.status) ? STATES[told.status] : null
  if (!told || !supplierId || !state) return null
  const price = told.paymentPrice ?? told.totalPrice
  const cost = price ? roundedMoney(price, currency, 'up') : null
  if (price && !cost) return null
  const at = Date.parse(told.createdAt ?? '')
  return {
    supplierId,
    reference: told.orderExternalId ?? null,
    state,
    cost: state === 'done' ? cost : null,
    at: Number.isNaN(at) ? null : new Date(at),
  }
}
