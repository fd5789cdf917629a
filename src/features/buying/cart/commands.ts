import { sql } from 'kysely'
import { listOffers, readFields, type OfferQuery } from '#features/buying/offer/queries.ts'
import type { Offer } from '#features/buying/offer/rules.ts'
import { AppError, type FieldProblem } from '#kernel/error.ts'
import { fencedWrite, type Ctx, type Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { newPublicId, sha256 } from '#platform/secrets.ts'
import type { ShopView } from '#features/goods/browse/views.ts'
import { hasLinesBeingPaid, readCart, type CartQuery } from './queries.ts'
import { fieldsText, LINES_MAX, QUANTITY_MAX, type JudgedLine } from './rules.ts'
import { cartView, type CartView } from './views.ts'

/** What is put into a cart. */
export interface CartAddition {
  /** Code of the item. */
  readonly item: string
  readonly quantity: number
  readonly fields: Readonly<Record<string, string>>
}

interface Addition {
  readonly offer: Offer
  readonly quantity: number
  readonly fields: Readonly<Record<string, string>>
}

/**
 * Adds to the line of the same item and account, or makes one; a line holds at most 100. Stock and country are asked when an order
 * is made. Throws 'check_fields' for what is not sold and for account fields that are wrong, 'cart_full' beyond 50 lines.
 */
export async function addToCart(
  ctx: Ctx,
  query: OfferQuery,
  accountId: string,
  wanted: CartAddition,
): Promise<void> {
  await putLines(ctx, query, accountId, [await readAddition(ctx, query, wanted)], 'sum')
}

/** Refuses as `addToCart` does, and changes nothing: for a cart that a browser keeps. */
export async function assertAddable(
  ctx: Pick<Ctx, 'db'>,
  query: OfferQuery,
  wanted: CartAddition,
): Promise<void> {
  await readAddition(ctx, query, wanted)
}

async function readAddition(
  ctx: Pick<Ctx, 'db'>,
  query: OfferQuery,
  wanted: CartAddition,
): Promise<Addition> {
  const [addition] = await readAdditions(ctx, query, [wanted], () => '')
  if (!addition || 'problems' in addition)
    throw new AppError('check_fields', {}, { fields: addition?.problems ?? [] })
  return addition
}

/**
 * Takes over the cart that a browser kept. The greater quantity of a line counts, so that a cart sent twice is in it once. What is
 * not sold or does not fit any more stays out, and what is more than 50 lines.
 */
export async function mergeCart(
  ctx: Ctx,
  query: OfferQuery,
  accountId: string,
  wanted: readonly CartAddition[],
): Promise<void> {
  const additions = await readAdditions(ctx, query, wanted, (index) => `lines.${index}.`)
  await putLines(
    ctx,
    query,
    accountId,
    additions.flatMap((addition) => ('problems' in addition ? [] : [addition])),
    'greater',
  )
}

/** @param prefix before the names of fields in refusals */
async function readAdditions(
  ctx: Pick<Ctx, 'db'>,
  query: OfferQuery,
  wanted: readonly CartAddition[],
  prefix: (index: number) => string,
): Promise<(Addition | { readonly problems: readonly FieldProblem[] })[]> {
  const offers = await listOffers(
    ctx.db,
    query,
    wanted.map(({ item }) => item),
  )
  return wanted.map(({ item, quantity, fields }, index) => {
    const offer = offers.get(item)
    if (!offer) return { problems: [{ field: `${prefix(index)}item`, reason: 'not_sold' }] }
    const read = readFields(query.shop, offer.product, fields)
    if ('values' in read) return { offer, quantity, fields: read.values }
    return {
      problems: read.problems.map(({ key, ...problem }) => ({
        field: `${prefix(index)}fields.${key}`,
        ...problem,
      })),
    }
  })
}

/** In one trip, and one at a time an account, so that lines of the same goods become one and the greatest number holds. */
async function putLines(
  ctx: Ctx,
  { currency }: OfferQuery,
  accountId: string,
  additions: readonly Addition[],
  kept: 'sum' | 'greater',
): Promise<void> {
  const lines = additions.map(({ offer, quantity, fields }) => {
    const price = offer.priceMinor?.toString() ?? null
    return {
      id: ctx.newId(),
      public_id: newPublicId(ctx),
      item: offer.item.id,
      quantity,
      fields,
      fields_hash: sha256(fieldsText(fields)).toString('hex'),
      price_minor: price,
      currency: price === null ? null : currency.code,
      at: ctx.now(),
    }
  })
  const put = sql<{ outcome: 'put' | 'full' | 'unauthorised' }>`
    select put_in_cart(${accountId}, ${JSON.stringify(lines)}::jsonb, ${kept === 'greater'}, ${LINES_MAX}, ${QUANTITY_MAX}) as outcome`
  const { rows } = await fencedWrite(ctx, (db) => put.execute(db))
  const outcome = rows[0]?.outcome
  if (outcome === 'unauthorised') throw new AppError('unauthorised')
  if (outcome === 'full')
    throw new AppError('cart_full', {
      max: LINES_MAX,
      held: (await hasLinesBeingPaid(ctx.db, accountId)) ? 'yes' : 'no',
    })
}

/** Changes how many a line asks for; its price counts as seen. Throws 'not_found' for a line that is not theirs. */
export async function setQuantity(
  ctx: Ctx,
  query: OfferQuery,
  accountId: string,
  publicId: string,
  quantity: number,
): Promise<void> {
  const line = await ctx.db
    .selectFrom('cart_line as c')
    .innerJoin('item as i', 'i.id', 'c.item')
    .select(['c.id', 'i.code'])
    .where('c.account_id', '=', accountId)
    .where('c.public_id', '=', publicId)
    .executeTakeFirst()
  if (!line) throw new AppError('not_found')
  const offer = (await listOffers(ctx.db, query, [line.code])).get(line.code)
  const price = offer?.priceMinor ?? null
  const changed = await ctx.db
    .updateTable('cart_line')
    .set({
      quantity,
      ...(price === null
        ? {}
        : {
            seen_minor: price.toString(),
            shown_minor: price.toString(),
            seen_currency: query.currency.code,
          }),
    })
    .where('id', '=', line.id)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) throw new AppError('not_found')
}

/** Takes lines out; those that are not there stay away. Throws 'not_found' when none of them was theirs. */
export async function removeLines(
  ctx: Pick<Ctx, 'db'>,
  accountId: string,
  publicIds: readonly string[],
): Promise<void> {
  const removed = await ctx.db
    .deleteFrom('cart_line')
    .where('account_id', '=', accountId)
    .where('public_id', 'in', publicIds)
    .executeTakeFirst()
  if (removed.numDeletedRows === 0n) throw new AppError('not_found')
}

/** The cart as it is shown. From then on its prices were seen. */
export async function showCart(
  ctx: Pick<Ctx, 'db'>,
  view: ShopView,
  query: CartQuery,
): Promise<CartView> {
  const lines = await readCart(ctx.db, query)
  await rememberShown(ctx.db, query.currency.code, lines)
  return cartView(view, lines)
}

/** Remembers the prices that a shopper is shown now: they pay no more without being told. */
async function rememberShown(
  db: Db,
  currency: string,
  lines: readonly JudgedLine[],
): Promise<void> {
  const news = lines.flatMap(({ line, offer }) => {
    const price = offer?.priceMinor ?? null
    return price === null || (line.seenCurrency === currency && line.shownMinor === price)
      ? []
      : [{ id: line.id, priceMinor: price }]
  })
  if (news.length > 0) await showPrices(db, currency, news)
}

/** In another currency than before, the price counts as seen as well. */
export async function showPrices(
  db: Db,
  currency: string,
  prices: readonly { readonly id: string; readonly priceMinor: bigint }[],
): Promise<void> {
  await sql`
    update cart_line c set shown_minor = p.minor, seen_minor = case when c.seen_currency = ${currency} then c.seen_minor else p.minor end, seen_currency = ${currency}
    from unnest(${prices.map(({ id }) => id)}::uuid[], ${prices.map(({ priceMinor }) => priceMinor.toString())}::numeric[]) as p (id, minor) where c.id = p.id`.execute(
    db,
  )
}

/** Part of erasing a person. */
export async function eraseCart(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('cart_line').where('account_id', '=', accountId).execute()
}
