import { z } from 'zod'
import { SupplyUnavailable, type ReportedPurchase, type ReportPage } from '../provider.ts'
import { roundedMoney } from '../wire/amounts.ts'
import type { Exchange } from '../wire/client.ts'
import { idOf } from '../wire/text.ts'
import { DTONE_STATUSES } from './codes.ts'

const PER_PAGE = 100
const entry = z.object({
  id: z.string(),
  external_id: z.string().nullish(),
  creation_date: z.string().nullish(),
  status: z.object({ id: z.string() }),
  prices: z
    .object({ wholesale: z.object({ amount: z.string(), unit: z.string() }).nullish() })
    .nullish(),
})
const STATES = { accepted: 'open', done: 'done', failed: 'failed', reversed: 'failed' } as const

/** The list of transactions between two dates; the cursor is the number of a page. */
export async function readTransactions(
  ask: (path: string) => Promise<Exchange>,
  from: Date,
  to: Date,
  cursor: string | null,
): Promise<ReportPage> {
  const page = /^\d{1,6}$/.test(cursor ?? '') ? Number(cursor) : 1
  const query = new URLSearchParams({
    from_date: plainTime(from),
    to_date: plainTime(to),
    per_page: String(PER_PAGE),
    page: String(page),
  })
  const exchange = await ask(`/transactions?${query.toString()}`)
  if (exchange.kind !== 'answer' || exchange.status !== 200 || !Array.isArray(exchange.json))
    throw new SupplyUnavailable('the transactions could not be listed')
  const all = exchange.json.map(reportedOf)
  const purchases = all.flatMap((known) => (known ? [known] : []))
  const pages = Number(exchange.headers['x-total-pages'] ?? 1)
  return {
    purchases,
    unread: all.length - purchases.length,
    next: page < pages ? String(page + 1) : null,
  }
}

/** To the second: finer times are not documented. */
const plainTime = (at: Date) => `${at.toISOString().slice(0, 19)}Z`

function reportedOf(json: unknown): ReportedPurchase | null {
  const told = entry.safeParse(json).data
  const supplierId = idOf(told?.id)
  const status =
    told && Object.hasOwn(DTONE_STATUSES, told.status.id) ? DTONE_STATUSES[told.status.id] : null
  if (!told || !supplierId || !status) return null
  const price = told.prices?.wholesale
  const cost = price ? roundedMoney(price.amount, price.unit, 'up') : null
  if (price && !cost) return null
  const at = Date.parse(told.creation_date ?? '')
  return {
    supplierId,
    reference: told.external_id ?? null,
    state: STATES[status],
    cost: status === 'done' ? cost : null,
    at: Number.isNaN(at) ? null : new Date(at),
  }
}
