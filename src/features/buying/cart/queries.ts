import { sql } from 'kysely'
import {
  buyerFrom,
  listOffers,
  offersAt,
  readFields,
  TERMS,
  type OfferQuery,
  type Terms,
} from '#features/buying/offer/queries.ts'
import type { Db } from '#platform/db.ts'
import { judgeLines, type CartLine, type JudgedLine } from './rules.ts'

/** A shopper's cart as it is kept, and what its prices and its order depend on. */
export interface StoredCart {
  /** Newest first. */
  readonly lines: readonly CartLine[]
  /** By item. */
  readonly terms: ReadonlyMap<string, Terms>
  /** Of the default billing address. */
  readonly billingCountry: string | null
}

interface StoredLine extends Terms {
  readonly id: string
  readonly publicId: string
  readonly item: string
  readonly itemCode: string
  readonly product: string
  readonly itemName: string
  readonly productName: string
  readonly quantity: number
  readonly fields: Readonly<Record<string, string>>
  readonly amountMinor: string | null
  readonly seenMinor: string | null
  readonly shownMinor: string | null
  readonly seenCurrency: string | null
  readonly billingCountry: string | null
}

/** All of it in one statement: putting something into a cart and ordering it begin with this. */
export async function readStoredCart(
  db: Db,
  accountId: string,
  roleId: number,
): Promise<StoredCart> {
  const { rows } = await sql<StoredLine>`
    select c.id, c.public_id as "publicId", i.id as item, i.code as "itemCode", i.product, i.name as "itemName", b.name as "productName", c.quantity, c.account_fields as fields, c.amount_minor::text as "amountMinor",
      c.seen_minor::text as "seenMinor", c.shown_minor::text as "shownMinor", c.seen_currency as "seenCurrency", ${TERMS},
      (select country from billing_address where account_id = ${accountId} and is_default) as "billingCountry"
    from cart_line c join item i on i.id = c.item join product p on p.code = i.product join brand b on b.code = p.brand left join item_level_price l on l.item = i.id and l.level = ${roleId}
    where c.account_id = ${accountId} order by c.created_at desc, c.id desc`.execute(db)
  return {
    lines: rows.map(
      ({
        id,
        publicId,
        itemCode,
        product,
        productName,
        itemName,
        quantity,
        fields,
        amountMinor,
        seenMinor,
        shownMinor,
        seenCurrency,
      }) => ({
        id,
        publicId,
        itemCode,
        product,
        productName,
        itemName,
        quantity,
        fields,
        amountMinor: amountMinor === null ? null : BigInt(amountMinor),
        seenCurrency,
        seenMinor: seenMinor === null ? null : BigInt(seenMinor),
        shownMinor: shownMinor === null ? null : BigInt(shownMinor),
      }),
    ),
    terms: new Map(rows.map((row) => [row.item, row])),
    billingCountry: rows[0]?.billingCountry ?? null,
  }
}

export interface CartQuery extends OfferQuery {
  readonly accountId: string
  /** The country the visitor chose. */
  readonly chosenCountry: string | null
}

/** The cart with what each line comes to now. */
export async function readCart(db: Db, query: CartQuery): Promise<JudgedLine[]> {
  const { shop, currency, accountId, roleId, chosenCountry } = query
  const { lines, terms, billingCountry } = await readStoredCart(db, accountId, roleId)
  return judgeLines(
    lines,
    offersAt(
      query,
      lines.map(({ itemCode, amountMinor }) => ({ item: itemCode, amountMinor })),
      terms,
    ),
    {
      currency: currency.code,
      country: buyerFrom(shop, billingCountry, chosenCountry).country,
      fieldsFit: (line, { product }) => 'values' in readFields(shop, product, line.fields),
    },
  )
}

/** The cart that a visitor's browser keeps, with what each line comes to now; lines go by their `id`. */
export async function readVisitorLines(
  db: Db,
  query: Omit<CartQuery, 'accountId'>,
  wanted: readonly {
    readonly id: string
    readonly item: string
    readonly quantity: number
    readonly fields: Readonly<Record<string, string>>
    readonly amountMinor: bigint | null
  }[],
): Promise<JudgedLine[]> {
  const { shop, currency, chosenCountry } = query
  const lines = wanted.map(({ id, item, quantity, fields, amountMinor }) => ({
    id,
    publicId: id,
    itemCode: item,
    product: '',
    productName: item,
    itemName: '',
    quantity,
    fields,
    amountMinor,
    seenMinor: null,
    shownMinor: null,
    seenCurrency: null,
  }))
  return judgeLines(lines, await listOffers(db, query, wanted), {
    currency: currency.code,
    country: buyerFrom(shop, null, chosenCountry).country,
    fieldsFit: (line, { product }) => 'values' in readFields(shop, product, line.fields),
  })
}

/** Units in a shopper's cart: the number at its sign. */
export async function countUnits(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('cart_line')
    .select(sql<number>`coalesce(sum(quantity), 0)::integer`.as('units'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return row.units
}

/** A shopper's cart, for the export of everything about them. */
export async function exportCart(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('cart_line as c')
    .innerJoin('item as i', 'i.id', 'c.item')
    .select(['i.code', 'c.quantity', 'c.account_fields', 'c.amount_minor', 'c.created_at'])
    .where('c.account_id', '=', accountId)
    .orderBy('c.created_at')
    .orderBy('c.id')
    .execute()
  return rows.map((row) => ({
    item: row.code,
    quantity: row.quantity,
    account_fields: row.account_fields,
    ...(row.amount_minor === null ? {} : { amount_minor: row.amount_minor }),
    added_at: row.created_at.toISOString(),
  }))
}

/** Whether lines of a cart stand in an order that is not paid yet: they take room in it, as they may come back (decision 035). */
export async function hasLinesBeingPaid(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (select from shop_order where account_id = ${accountId} and status in ('pending_payment', 'waiting_for_payment') and from_cart) as held`.execute(
    db,
  )
  return rows[0]?.held ?? false
}
