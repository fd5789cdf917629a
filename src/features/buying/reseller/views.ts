import type { ShopView } from '#features/goods/browse/views.ts'
import { goodsName, wholeLabel } from '#features/goods/browse/view/names.ts'
import type { Item, Product } from '#features/goods/catalogue/rules.ts'
import { PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import { listOffers } from '#features/buying/offer/queries.ts'
import type { Offer } from '#features/buying/offer/rules.ts'
import { toMajor, type Money } from '#kernel/money.ts'
import type { Db } from '#platform/db.ts'
import { haveTermsChanged, listChangedItems, type ReferencedOrder } from './queries.ts'
import { resultOf } from './rules.ts'
import type { ListedItem, OrderView } from './schema.ts'

/** For whom prices are listed: a language, a currency, and a level. */
export interface ListView extends ShopView {
  readonly roleId: number
}

export interface Found {
  readonly product: Product
  readonly item: Item
}

/** Prices at a level, by code: the one place that price lists, stock and search take them from. */
export const pricesAt = (
  db: Db,
  { shop, currency, roleId }: ListView,
  codes: readonly string[],
): Promise<ReadonlyMap<string, Offer>> =>
  listOffers(
    db,
    { shop, currency, roleId },
    codes.map((item) => ({ item })),
  )

export interface ListPage {
  readonly items: ListedItem[]
  readonly next: string | null
}

/** A page of the price list, in the order of codes, so that what changes meanwhile moves nothing to another page. */
export async function listPage(
  db: Db,
  view: ListView,
  {
    cursor,
    limit,
    since,
  }: { readonly cursor: string | null; readonly limit: number; readonly since: Date | null },
): Promise<ListPage> {
  const changed =
    since === null || (await haveTermsChanged(db, since)) ? null : await listChangedItems(db, since)
  const isListed = ({ item }: Found) =>
    (cursor === null || item.code > cursor) && (changed === null || changed.has(item.id))
  const found = view.shop.catalogue.products
    .flatMap((product) => product.items.map((item) => ({ product, item })))
    .filter(isListed)
    .toSorted((a, b) => (a.item.code < b.item.code ? -1 : 1))
  const page = found.slice(0, limit)
  const offers = await pricesAt(
    db,
    view,
    page.map(({ item }) => item.code),
  )
  return {
    items: page.flatMap((each) => listedItem(view, each, offers.get(each.item.code)) ?? []),
    next: found.length > page.length ? (page.at(-1)?.item.code ?? null) : null,
  }
}

/** Null for what has no price in this currency. */
export function listedItem(
  view: ListView,
  { product, item }: Found,
  offer: Offer | undefined,
): ListedItem | null {
  if (!offer?.priceMinor) return null
  const { brand } = product
  const { language, currency, t } = view
  return {
    item: item.code,
    kind: kindOf(product, item),
    name: `${goodsName(brand, language, t)} ${wholeLabel(view, product, item)}`,
    product: product.code,
    brand: brand.code,
    country: product.countries?.length === 1 ? (product.countries[0] ?? null) : null,
    price: { amount: toMajor(offer.priceMinor, currency.minorUnits), currency: currency.code },
    amount: rangeOf(product, item),
    stock: item.stock,
    fields: fieldsOf(product),
  }
}

function rangeOf({ faceCurrency }: Product, { free, faceMinor }: Item): ListedItem['amount'] {
  if (!free || faceMinor === null || faceCurrency === null) return null
  return {
    currency: faceCurrency,
    min: Number(free.minMinor),
    max: Number(free.maxMinor),
    step: Number(free.stepMinor),
    face: Number(faceMinor),
  }
}

/** What was asked for of goods that are sold at any amount, as lines tell it. */
export function amountOf(amount: Money | null): Pick<OrderView['lines'][number], LineAmount> {
  return {
    amount: amount && Number(amount.minor),
    amount_currency: amount?.currency ?? null,
  }
}
type LineAmount = 'amount' | 'amount_currency'

function kindOf({ brand }: Product, item: Item): ListedItem['kind'] {
  if (brand.recharge) return item.kind === 'data' ? 'data' : 'recharge'
  if (brand.delivery === 'direct_charge') return 'topup'
  return brand.kind === 'game_key' ? 'key' : 'giftcard'
}

function fieldsOf({ brand }: Product): ListedItem['fields'] {
  if (brand.recharge) return [{ key: PHONE_FIELD, kind: 'phone', required: true, options: [] }]
  if (brand.delivery !== 'direct_charge') return []
  return brand.fields.map(({ key, kind, required, options }) => ({
    key,
    kind,
    required,
    options: options.map(({ value, label }) => ({ value, label })),
  }))
}

/** @param codeOf the envelope's code of a refusal @param minorUnits of the order's currency */
export function orderView(
  { reference, state, refusal, currency, order }: ReferencedOrder,
  minorUnits: number,
  codeOf: (refusal: string) => number,
): OrderView {
  const money = (minor: bigint) => ({ amount: toMajor(minor, minorUnits), currency })
  const failure =
    state === 'refused' && refusal !== null ? { code: codeOf(refusal), reason: refusal } : null
  if (!order) {
    const result = state === 'open' ? 'accepted' : 'failed'
    return { ...NO_ORDER, reference, result, failure }
  }
  const units = order.lines.flatMap((line) => line.units)
  return {
    reference,
    order: order.publicId,
    order_no: order.number,
    result: state === 'refused' ? 'failed' : resultOf(order.status, units),
    status: order.status,
    is_paid: order.isPaid,
    total: money(order.totalMinor),
    refunded: money(order.refundedMinor),
    failure,
    lines: order.lines.map((line) => ({
      item: line.item,
      quantity: line.quantity,
      ...amountOf(line.amount && { ...line.amount, minor: BigInt(line.amount.minor) }),
      price: money(BigInt(line.price)),
      units: line.units.map(({ id, status }) => ({ id, status })),
    })),
  }
}

const NO_ORDER = {
  order: null,
  order_no: null,
  status: null,
  is_paid: false,
  total: null,
  refunded: null,
  lines: [],
}
