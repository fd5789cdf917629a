import { z } from 'zod'
import {
  SupplyUnavailable,
  type LookupOutcome,
  type LookupRequest,
  type PurchaseOutcome,
  type ReportedPurchase,
  type ReportPage,
  type SupplyPurchase,
} from '../provider.ts'
import { addDecimals, roundedMoney } from '../wire/amounts.ts'
import { unknown } from '../wire/outcome.ts'
import { idOf } from '../wire/text.ts'
import type { Part, ReloadlyApi } from './api.ts'

const report = z.object({ content: z.array(z.unknown()) })
const named = z.object({ customIdentifier: z.string() })

interface Report {
  readonly api: Parameters<ReloadlyApi>[0]
  readonly path: string
  /** What one entry says of what we bought. */
  readonly read: (
    json: unknown,
    purchase: SupplyPurchase,
    expectedId: string | null,
  ) => PurchaseOutcome
}

/** A purchase in one of Reloadly's reports, found by our reference. */
export async function findInReport(
  api: ReloadlyApi,
  { api: part, path, read }: Report,
  { purchase, supplierId }: LookupRequest,
): Promise<LookupOutcome> {
  const exchange = await api(part, {
    method: 'GET',
    path: `${path}?size=50&page=1&customIdentifier=${encodeURIComponent(purchase.reference)}`,
  })
  const parsed = report.safeParse(
    exchange.kind === 'answer' && exchange.status === 200 ? exchange.json : null,
  )
  if (!parsed.success) return unknown('the report could not be read')
  const own = parsed.data.content.filter(
    (each) => named.safeParse(each).data?.customIdentifier === purchase.reference,
  )
  if (own.length > 1) return unknown('two purchases under our reference')
  if (own.length === 1) return read(own[0], purchase, supplierId)
  if (parsed.data.content.length > 0) return unknown('the report is about something else')
  return supplierId === null
    ? { kind: 'not_found' }
    : unknown('Reloadly no longer knows what it accepted')
}

const PAGE = 200
/** Its dates have no zone: a report is asked for so much wider. */
const ZONE_MS = 14 * 3_600_000
const page = z.object({ content: z.array(z.unknown()), totalPages: z.string() })
const entry = z.object({
  transactionId: z.string(),
  status: z.string(),
  customIdentifier: z.string().nullish(),
  transactionDate: z.string().nullish(),
  transactionCreatedTime: z.string().nullish(),
  discount: z.string().nullish(),
})
const topup = z.object({ requestedAmount: z.string(), requestedAmountCurrencyCode: z.string() })
const cards = z.object({
  amount: z.string(),
  currencyCode: z.string(),
  fee: z.string().nullish(),
  totalFee: z.string().nullish(),
})
const PATHS: Readonly<Record<Part, string>> = {
  topups: '/topups/reports/transactions',
  giftcards: '/reports/transactions',
}
const STATES: Readonly<Record<string, ReportedPurchase['state']>> = {
  SUCCESSFUL: 'done',
  PROCESSING: 'open',
  PENDING: 'open',
  FAILED: 'failed',
  REFUNDED: 'failed',
}

/** Airtime first, then gift cards; the cursor is `topups:2`. */
export async function readReport(
  api: ReloadlyApi,
  from: Date,
  to: Date,
  cursor: string | null,
): Promise<ReportPage> {
  const [, name, number = '1'] = /^(topups|giftcards):(\d{1,5})$/.exec(cursor ?? '') ?? []
  const part: Part = name === 'giftcards' ? 'giftcards' : 'topups'
  const query = new URLSearchParams({
    size: String(PAGE),
    page: number,
    startDate: plainTime(from.getTime() - ZONE_MS),
    endDate: plainTime(to.getTime() + ZONE_MS),
  })
  const exchange = await api(part, { method: 'GET', path: `${PATHS[part]}?${query.toString()}` })
  const parsed = page.safeParse(
    exchange.kind === 'answer' && exchange.status === 200 ? exchange.json : null,
  )
  if (!parsed.success) throw new SupplyUnavailable('the report could not be read')
  const all = parsed.data.content.map((json) => reportedOf(part, json))
  const purchases = all.flatMap((known) => (known ? [known] : []))
  const isLast = Number(number) >= Number(parsed.data.totalPages)
  return {
    purchases,
    unread: all.length - purchases.length,
    next: isLast ? (part === 'topups' ? 'giftcards:1' : null) : `${part}:${Number(number) + 1}`,
  }
}

const plainTime = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

function reportedOf(part: Part, json: unknown): ReportedPurchase | null {
  const told = entry.safeParse(json).data
  const supplierId = idOf(told?.transactionId)
  const state = told && Object.hasOwn(STATES, told.status) ? STATES[told.status] : undefined
  if (!told || !supplierId || !state) return null
  const at = Date.parse(
    `${(told.transactionDate ?? told.transactionCreatedTime ?? '').replace(' ', 'T')}Z`,
  )
  const cost = costOf(part, json, told.discount ?? '0')
  if (state === 'done' && !cost) return null
  return {
    supplierId,
    reference: told.customIdentifier ?? null,
    state,
    cost: state === 'done' ? cost : null,
    at: Number.isNaN(at) ? null : new Date(at),
  }
}

/** As the outcome of a purchase counts it. */
function costOf(part: Part, json: unknown, discount: string) {
  const airtime = part === 'topups' ? topup.safeParse(json).data : undefined
  const order = part === 'giftcards' ? cards.safeParse(json).data : undefined
  const [plus, currency] = airtime
    ? [[airtime.requestedAmount], airtime.requestedAmountCurrencyCode]
    : [[order?.amount ?? '', order?.totalFee ?? order?.fee ?? '0'], order?.currencyCode ?? '']
  const spent = addDecimals(plus, [discount])
  return spent === null ? null : roundedMoney(spent, currency, 'up')
}
