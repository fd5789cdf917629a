import { sql } from 'kysely'
import {
  amountProblem,
  listOffers,
  readFields,
  type OfferQuery,
} from '#features/buying/offer/queries.ts'
import { offerKey, type Offer, type WantedGoods } from '#features/buying/offer/rules.ts'
import { findRecentRecharges } from '#features/buying/order/queries.ts'
import { PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import { AppError, type FieldProblem } from '#kernel/error.ts'
import { fencedWrite, type Ctx, type Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { newPublicId, sha256 } from '#platform/secrets.ts'
import type { ShopView } from '#features/goods/browse/views.ts'
import { hasLinesBeingPaid, readCart, type CartQuery } from './queries.ts'
import { lineText, LINES_MAX, QUANTITY_MAX, type JudgedLine } from './rules.ts'
import { cartView, type CartView, type Recharged } from './views.ts'

/** What is put into a cart. */
export interface CartAddition extends WantedGoods {
  readonly quantity: number
  readonly fields: Readonly<Record<string, string>>
}

interface Addition {
  readonly offer: Offer
  readonly quantity: number
  readonly fields: Readonly<Record<string, string>>
  readonly amountMinor: bigint | null
}

/**
 * Adds to the line of the same item and account, or makes one; a line holds at most 100. Stock and country are asked when an order
 * is made. Throws 'check_fields' for what is not sold, and for account fields and amounts that are wrong, 'cart_full' beyond 50 lines.
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
  ctx: Pick<Ctx, 'db' | 'locale'>,
  query: OfferQuery,
  wanted: CartAddition,
): Promise<void> {
  await readAddition(ctx, query, wanted)
}

async function readAddition(
  ctx: Pick<Ctx, 'db' | 'locale'>,
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
  ctx: Pick<Ctx, 'db' | 'locale'>,
  query: OfferQuery,
  wanted: readonly CartAddition[],
  prefix: (index: number) => string,
): Promise<(Addition | { readonly problems: readonly FieldProblem[] })[]> {
  const offers = await listOffers(ctx.db, query, wanted)
  return wanted.map((each, index) => {
    const { quantity, fields, amountMinor = null } = each
    const offer = offers.get(offerKey(each))
    if (!offer) return { problems: [{ field: `${prefix(index)}item`, reason: 'not_sold' }] }
    const read = readFields(query.shop, offer.product, fields)
    const amount = amountProblem(query.shop, ctx.locale, offer, amountMinor)
    if ('values' in read && !amount) return { offer, quantity, fields: read.values, amountMinor }
    return {
      problems: [
        ...(amount ? [{ field: `${prefix(index)}amount`, ...amount }] : []),
        ...('values' in read ? [] : read.problems).map(({ key, ...problem }) => ({
          field: `${prefix(index)}fields.${key}`,
          ...problem,
        })),
      ],
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
  const lines = additions.map(({ offer, quantity, fields, amountMinor }) => {
    const price = offer.priceMinor?.toString() ?? null
    return {
      id: ctx.newId(),
      public_id: newPublicId(ctx),
      item: offer.item.id,
      quantity,
      fields,
      amount_minor: amountMinor?.toString() ?? null,
      fields_hash: sha256(lineText(fields, amountMinor)).toString('hex'),
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

/** What a line is to be from now on. */
export interface LineChange {
  readonly quantity: number
  /** Of goods that are sold at any amount, another one; the same where it is left out. */
  readonly amountMinor?: bigint | undefined
}

/**
 * Changes how many a line asks for, or of what amount; its price counts as seen. A line that becomes the same as another is one with it.
 * Throws 'not_found' for a line that is not theirs, 'check_fields' at `amount`.
 */
export async function changeLine(
  ctx: Ctx,
  query: OfferQuery,
  accountId: string,
  publicId: string,
  { quantity, amountMinor }: LineChange,
): Promise<void> {
  const line = await ctx.db
    .selectFrom('cart_line as c')
    .innerJoin('item as i', 'i.id', 'c.item')
    .select(['c.id', 'c.item', 'c.account_fields', 'c.amount_minor', 'i.code'])
    .where('c.account_id', '=', accountId)
    .where('c.public_id', '=', publicId)
    .executeTakeFirst()
  if (!line) throw new AppError('not_found')
  const kept = line.amount_minor === null ? null : BigInt(line.amount_minor)
  const goods = { item: line.code, amountMinor: amountMinor ?? kept }
  const offer = (await listOffers(ctx.db, query, [goods])).get(offerKey(goods))
  const problem =
    offer && amountMinor !== undefined
      ? amountProblem(query.shop, ctx.locale, offer, amountMinor)
      : null
  if (problem) throw new AppError('check_fields', {}, { fields: [{ field: 'amount', ...problem }] })
  const price = offer?.priceMinor?.toString() ?? null
  const text = lineText(line.account_fields as Record<string, string>, goods.amountMinor)
  const { rows } = await sql<{ changed: boolean }>`
    with same as (
      update cart_line c set quantity = least(${QUANTITY_MAX}, c.quantity + ${quantity}::integer)
      where c.account_id = ${accountId} and c.item = ${line.item} and c.fields_hash = ${sha256(text)} and c.id <> ${line.id} returning c.id
    ), gone as (
      delete from cart_line c where c.id = ${line.id} and exists (select from same) returning c.id
    ), changed as (
      update cart_line c set quantity = ${quantity}, amount_minor = ${goods.amountMinor?.toString() ?? null}::numeric, fields_hash = ${sha256(text)},
        seen_minor = coalesce(${price}::numeric, c.seen_minor), shown_minor = coalesce(${price}::numeric, c.shown_minor),
        seen_currency = case when ${price}::numeric is null then c.seen_currency else ${query.currency.code} end
      where c.id = ${line.id} and not exists (select from same) returning c.id
    ) select exists (select from gone) or exists (select from changed) as changed`.execute(ctx.db)
  if (rows[0]?.changed !== true) throw new AppError('not_found')
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
  ctx: Pick<Ctx, 'db' | 'now'>,
  view: ShopView,
  query: CartQuery,
): Promise<CartView> {
  const lines = await readCart(ctx.db, query)
  await rememberShown(ctx.db, query.currency.code, lines)
  return cartView(view, lines, await readRecharged(ctx, query.accountId, lines))
}

/** Phones of the cart that were recharged minutes ago: whoever presses twice rarely means it. */
async function readRecharged(
  ctx: Pick<Ctx, 'db' | 'now'>,
  accountId: string,
  lines: readonly JudgedLine[],
): Promise<Recharged> {
  const numbers = lines.flatMap(({ line, offer }) =>
    offer?.product.brand.recharge ? (line.fields[PHONE_FIELD] ?? []) : [],
  )
  const now = ctx.now()
  const recent = await findRecentRecharges(ctx.db, accountId, numbers, now)
  return new Map(
    [...recent].map(([number, at]) => [
      number,
      Math.max(1, Math.floor((now.getTime() - at.getTime()) / MINUTE_MS)),
    ]),
  )
}

const MINUTE_MS = 60_000

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
