import { z } from 'zod'
import { SupplyUnavailable, type ReportedPurchase, type ReportPage } from '../provider.ts'
import { exactMoney } from '../wire/amounts.ts'
import { idOf } from '../wire/text.ts'
import { dataIn, moneyShape, type LukadoApi } from './api.ts'

const page = z.object({ orders: z.array(z.unknown()), next: z.string().max(500).nullable() })
const entry = z.object({
  reference: z.string(),
  order: z.string().nullable(),
  result: z.enum(['accepted', 'done', 'partial', 'failed']),
  total: moneyShape.nullable(),
  refunded: moneyShape.nullable(),
  created: z.string(),
})

/** Every order of ours there between two times; the cursor is theirs. */
export async function readOrders(
  api: LukadoApi,
  from: Date,
  to: Date,
  cursor: string | null,
): Promise<ReportPage> {
  const told = dataIn(
    page,
    await api('GET', 'orders', {
      from: from.toISOString(),
      to: to.toISOString(),
      ...(cursor === null ? {} : { cursor }),
    }),
  )
  if (!told) throw new SupplyUnavailable('the orders could not be listed')
  const all = told.orders.map((json) => entry.safeParse(json).data ?? null)
  // What they refused has no order, and is nothing that was bought.
  const bought = all.filter((each) => each?.order !== null || each.result !== 'failed')
  const read = bought.map((each) => (each ? reportedOf(each) : null))
  const purchases = read.flatMap((known) => (known ? [known] : []))
  return { purchases, unread: read.length - purchases.length, next: told.next }
}

function reportedOf(told: z.infer<typeof entry>): ReportedPurchase | null {
  // Without an id it is being ordered at this moment.
  const supplierId = told.order === null ? told.reference : idOf(told.order)
  if (!supplierId) return null
  const state =
    told.result === 'partial' ? 'done' : told.result === 'accepted' ? 'open' : told.result
  const cost = state === 'done' ? keptOf(told) : null
  if (state === 'done' && !cost) return null
  const at = Date.parse(told.created)
  return {
    supplierId,
    reference: told.reference,
    state,
    cost,
    at: Number.isNaN(at) ? null : new Date(at),
  }
}

/** What it cost, less what came back of it. */
function keptOf({ total, refunded }: z.infer<typeof entry>) {
  const paid = total ? exactMoney(total.amount, total.currency) : null
  const back = refunded ? exactMoney(refunded.amount, refunded.currency) : null
  if (!paid || (refunded && back?.currency !== paid.currency)) return null
  return { minor: paid.minor - (back?.minor ?? 0n), currency: paid.currency }
}
