import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { Db } from '#platform/db.ts'
import { sha256 } from '#platform/secrets.ts'
import { termsText, type PlacedOrder } from './rules.ts'

const TERMS = 'sales-terms'
const NO_TERMS = 'none'

/** Which terms of sale hold now: their date and what their English words come to. */
export function termsVersion({ contents }: Pick<ShopSnapshot, 'contents'>): string {
  const terms = contents.get('en')?.pageByCode.get(TERMS)
  if (!terms) return NO_TERMS
  return `${terms.publishedAt.toISOString().slice(0, 10)}-${sha256(termsText(terms)).toString('hex').slice(0, 12)}`
}

/** The order that a request key stands for already. */
export async function findByRequestKey(
  db: Db,
  accountId: string,
  requestKey: string,
): Promise<PlacedOrder | null> {
  const row = await db
    .selectFrom('shop_order')
    .select(['public_id', 'number'])
    .where('account_id', '=', accountId)
    .where('request_key', '=', requestKey)
    .executeTakeFirst()
  return row ? { publicId: row.public_id, number: row.number } : null
}

/** An order made of the cart since then that waits to be paid. */
export async function findNewFromCart(
  db: Db,
  accountId: string,
  since: Date,
): Promise<PlacedOrder | null> {
  const row = await db
    .selectFrom('shop_order')
    .select(['public_id', 'number'])
    .where('account_id', '=', accountId)
    .where('from_cart', '=', true)
    .where('created_at', '>=', since)
    .where('status', '=', 'pending_payment')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { publicId: row.public_id, number: row.number } : null
}
