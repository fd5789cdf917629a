import { z } from 'zod'
import type { LookupOutcome, LookupRequest, PurchaseOutcome, SupplyPurchase } from '../provider.ts'
import { unknown } from '../wire/outcome.ts'
import type { ReloadlyApi } from './api.ts'

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
