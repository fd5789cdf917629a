import { sql } from 'kysely'
import { findBuyer, listOffers, readFields, type OfferQuery } from '#features/offer/queries.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { judgeLines, type CartLine, type JudgedLine } from './rules.ts'

/** Lines of a shopper's cart, newest first. */
export async function listLines(db: Db | Tx, accountId: string): Promise<CartLine[]> {
  const rows = await db.selectFrom('cart_line as c').innerJoin('item as i', 'i.id', 'c.item').innerJoin('product as p', 'p.code', 'i.product').innerJoin('brand as b', 'b.code', 'p.brand')
    .select(['c.id', 'c.public_id', 'i.code', 'i.product', 'i.name as item_name', 'b.name as brand_name', 'c.quantity', 'c.account_fields', 'c.seen_minor', 'c.shown_minor', 'c.seen_currency'])
    .where('c.account_id', '=', accountId).orderBy('c.created_at', 'desc').orderBy('c.id', 'desc').execute()
  return rows.map((row) => ({
    id: row.id, publicId: row.public_id, itemCode: row.code, product: row.product, productName: row.brand_name, itemName: row.item_name, quantity: row.quantity, fields: row.account_fields as Readonly<Record<string, string>>,
    seenMinor: row.seen_minor === null ? null : BigInt(row.seen_minor), shownMinor: row.shown_minor === null ? null : BigInt(row.shown_minor), seenCurrency: row.seen_currency,
  }))
}

export interface CartQuery extends OfferQuery {
  readonly accountId: string
  /** The country the visitor chose. */
  readonly chosenCountry: string | null
}

/** The cart with what each line comes to now. */
export async function readCart(db: Db, query: CartQuery): Promise<JudgedLine[]> {
  const { shop, currency, accountId, chosenCountry } = query
  const lines = await listLines(db, accountId)
  const [offers, buyer] = await Promise.all([listOffers(db, query, lines.map(({ itemCode }) => itemCode)), findBuyer(db, shop, accountId, chosenCountry)])
  return judgeLines(lines, offers, {
    currency: currency.code, country: buyer.country,
    fieldsFit: (line, { product }) => 'values' in readFields(shop, product, line.fields),
  })
}

/** Units in a shopper's cart: the number at its sign. */
export async function countUnits(db: Db, accountId: string): Promise<number> {
  const row = await db.selectFrom('cart_line').select(sql<number>`coalesce(sum(quantity), 0)::integer`.as('units')).where('account_id', '=', accountId).executeTakeFirstOrThrow()
  return row.units
}

/** A shopper's cart, for the export of everything about them. */
export async function exportCart(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const rows = await db.selectFrom('cart_line as c').innerJoin('item as i', 'i.id', 'c.item').select(['i.code', 'c.quantity', 'c.account_fields', 'c.created_at'])
    .where('c.account_id', '=', accountId).orderBy('c.created_at').orderBy('c.id').execute()
  return rows.map((row) => ({ item: row.code, quantity: row.quantity, account_fields: row.account_fields, added_at: row.created_at.toISOString() }))
}
