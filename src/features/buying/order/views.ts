import { taxByRate } from '#features/goods/tax/rules.ts'
import { findProduct } from '#features/goods/browse/queries.ts'
import { goodsImage, productName } from '#features/goods/browse/views.ts'
import { faceValue, wholeLabel } from '#features/goods/browse/view/names.ts'
import {
  GOODS_TYPE,
  phraseIn,
  productPath,
  textIn,
  type Product,
} from '#features/goods/catalogue/rules.ts'
import { BANK_TRANSFER } from '#features/goods/pay-method/rules.ts'
import { methodName } from '#features/goods/pay-method/views.ts'
import { PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import { AppError } from '#kernel/error.ts'
import { mapInTurns } from '#platform/turns.ts'
import type { Db } from '#platform/db.ts'
import { formatMoment } from '#platform/i18n/format.ts'
import {
  findForCheck,
  listCartOrders,
  listOrders,
  listStoryEvents,
  type StoryEvent,
} from './queries.ts'
import { isRefundable, type OrderFilter } from './rules.ts'
import {
  findStoredOrder,
  readListedOrders,
  readStoredOrders,
  type ListedLine,
  type ListedOrder,
  type StoredLine,
  type StoredOrder,
  type StoredUnit,
} from './view/stored.ts'
import { heading, orderProgress } from './view/progress.ts'
import { currencyOf, moneyView, type OrderReader } from './view/reader.ts'
import type {
  EventKind,
  ListedOrderView,
  OrderLineView,
  OrderProgressView,
  OrderUnitView,
  OrderView,
} from './view/shapes.ts'
import {
  EVENT_TONES,
  historyOf,
  missingMinor,
  PAYMENT_TONES,
  paymentState,
  UNIT_TONES,
} from './view/texts.ts'

export { moneyView, type OrderReader }

/** A shopper's order as it is shown to them. Throws 'not_found' for what is not theirs. */
export async function getOrderView(
  db: Db,
  reader: OrderReader,
  accountId: string,
  publicId: string,
): Promise<OrderView> {
  return orderView(reader, await getStoredOrder(db, accountId, publicId))
}

/** Throws 'not_found' for what is not theirs. */
export async function getStoredOrder(
  db: Db,
  accountId: string,
  publicId: string,
): Promise<StoredOrder> {
  const order = await findStoredOrder(db, accountId, publicId)
  if (!order) throw new AppError('not_found')
  return order
}

export interface ListQuery {
  readonly status: OrderFilter
  readonly kind: OrderFilter
  readonly page: number
  readonly limit: number
}

/** A page of a shopper's orders, newest first. */
export async function listOrderViews(
  db: Db,
  reader: OrderReader,
  accountId: string,
  { status, kind, page, limit }: ListQuery,
) {
  const { ids, total } = await listOrders(db, accountId, { filters: [status, kind], page, limit })
  const orders = await readListedOrders(db, ids)
  return {
    list: await mapInTurns(orders, (order) => listedOrderView(reader, order)),
    total,
    page,
    limit,
    pages: Math.ceil(total / limit),
  }
}

/** An order of the cart that waits for its money. */
export interface CartOrderView {
  readonly publicId: string
  readonly number: string
  readonly expiresAt: Date
  readonly can: ListedOrderView['can']
  readonly lines: readonly Omit<OrderLineView, 'units'>[]
}

/** What of a shopper's cart is being paid, by order, newest first. */
export async function listCartOrderViews(
  db: Db,
  reader: OrderReader,
  accountId: string,
): Promise<CartOrderView[]> {
  const orders = await readListedOrders(db, await listCartOrders(db, accountId))
  return mapInTurns(orders, (order) => ({
    publicId: order.publicId,
    number: order.number,
    expiresAt: order.expiresAt,
    can: listedOrderView(reader, order).can,
    lines: order.lines.map((line) => ({
      ...goodsView(reader, order.currency, line),
      fields: fieldViews(reader, productOf(reader, line), line),
    })),
  }))
}

function listedOrderView(reader: OrderReader, order: ListedOrder): ListedOrderView {
  const { events: _, ...progress } = orderProgress(reader, { ...order, events: [] })
  const { seconds_left, missing, can } = payingView(reader, order)
  return {
    order: order.publicId,
    ...progress,
    expires_at: order.expiresAt.toISOString(),
    seconds_left,
    total: moneyView(reader, order.currency, order.totalMinor),
    refunded:
      order.refundedMinor > 0n ? moneyView(reader, order.currency, order.refundedMinor) : null,
    missing,
    lines: order.lines.map((line) => goodsView(reader, order.currency, line)),
    can: { ...can, show_codes: order.hasCodes },
  }
}

function payingView(reader: OrderReader, order: Omit<ListedOrder, 'hasCodes'>) {
  const { status, expiresAt, currency } = order
  const missing = missingMinor(order)
  const isUnpaid = status === 'pending_payment' || status === 'waiting_for_payment'
  const secondsLeft = isUnpaid
    ? Math.max(0, Math.floor((expiresAt.getTime() - reader.now.getTime()) / 1_000))
    : 0
  return {
    seconds_left: secondsLeft,
    missing: missing === null ? null : moneyView(reader, currency, missing),
    can: {
      pay: secondsLeft > 0,
      pay_rest: missing !== null && order.attempt?.provider === BANK_TRANSFER,
      cancel: isUnpaid || missing !== null,
    },
  }
}

/** What of an order is tax, by rate; orders from before it was kept by line have one. */
export function taxOfOrder({
  lines,
  taxMinor,
  taxBasisPoints,
}: StoredOrder): readonly { readonly basisPoints: number; readonly minor: bigint }[] {
  if (taxMinor === 0n) return []
  return lines.some(({ tax }) => tax !== null)
    ? taxByRate(lines)
    : [{ basisPoints: taxBasisPoints, minor: taxMinor }]
}

export function orderView(reader: OrderReader, order: StoredOrder): OrderView {
  const { t } = reader
  const money = (minor: bigint) => moneyView(reader, order.currency, minor)
  const { seconds_left, missing, can } = payingView(reader, order)
  const state = paymentState(order)
  const canGiveBack = order.lines.some(({ delivery, units }) =>
    units.some(({ status }) => isRefundable({ status, delivery })),
  )
  return {
    order: order.publicId,
    ...orderProgress(reader, order),
    heading: heading(reader, order),
    expires_at: order.expiresAt.toISOString(),
    seconds_left,
    currency: order.currency,
    goods: money(order.goodsMinor),
    fee: money(order.feeMinor),
    tax: order.taxMinor > 0n ? money(order.taxMinor) : null,
    total: money(order.totalMinor),
    paid: order.capturedMinor > 0n ? money(order.capturedMinor) : null,
    missing,
    refunded: order.refundedMinor > 0n ? money(order.refundedMinor) : null,
    net: order.refundedMinor > 0n ? money(order.capturedMinor - order.refundedMinor) : null,
    payment: order.attempt && {
      method: order.attempt.method,
      method_text: methodName(reader.shop.payMethods, order.attempt.method, t),
      status: state,
      status_text: t(`order.payment.${state}`),
      tone: PAYMENT_TONES[state],
    },
    lines: order.lines.map((line) => lineView(reader, order, line)),
    can: {
      ...can,
      request_refund:
        order.settledAt !== null &&
        order.hold === null &&
        order.status !== 'refunded' &&
        canGiveBack,
      review: reviewableProducts(reader, order).length > 0,
    },
  }
}

/** How far an order is, for whoever knows its number and e-mail address: no goods, no amounts. Null for a pair that belongs to none. */
export async function checkOrder(
  db: Db,
  reader: OrderReader,
  pair: { readonly number: string; readonly email: string },
): Promise<OrderProgressView | null> {
  const id = await findForCheck(db, pair)
  const [order] = id === null ? [] : await readStoredOrders(db, [id])
  return order
    ? orderProgress(reader, {
        ...order,
        events: order.events.map((event) => ({ ...event, details: {} })),
      })
    : null
}

function lineView(reader: OrderReader, order: StoredOrder, line: StoredLine): OrderLineView {
  const texts = new Map<number, string>()
  return {
    ...goodsView(reader, order.currency, line),
    fields: fieldViews(reader, productOf(reader, line), line),
    units: line.units.map((unit) => unitView(reader, unit, texts)),
  }
}

/** What was bought, as it is called today in the reader's language; as it was called in English where it is sold no more. */
function goodsView(
  reader: OrderReader,
  currency: string,
  line: ListedLine,
): Omit<OrderLineView, 'fields' | 'units'> {
  const money = (minor: bigint) => moneyView(reader, currency, minor)
  const product = productOf(reader, line)
  const shared = {
    quantity: line.quantity,
    delivery: line.delivery,
    price: money(line.priceMinor),
    total: money(line.priceMinor * BigInt(line.quantity)),
    amount: line.amount && moneyView(reader, line.amount.currency, line.amount.minor),
  }
  if (line.delivery === 'store_credit') {
    return {
      ...shared,
      item: null,
      product_code: null,
      goods_name: reader.t('order.storeCredit'),
      label: '',
      region: '',
      image: '',
      path: null,
      type: null,
    }
  }
  const view = { ...reader, currency: currencyOf(reader, currency) }
  const item = product?.items.find(({ code }) => code === line.itemCode)
  return {
    ...shared,
    item: line.itemCode,
    product_code: product?.code ?? line.product,
    goods_name: product ? productName(view, product) : line.productName,
    label: line.amount
      ? faceValue(reader.language, currencyOf(reader, line.amount.currency), line.amount.minor)
      : product && item
        ? wholeLabel(view, product, item)
        : line.itemName,
    region: product ? textIn(product.region.name, reader.language) : '',
    image: product ? goodsImage(reader.shop, product) : '',
    path: product ? productPath(product) : null,
    type: line.goodsType || null,
  }
}

/** What it is today; null when it is no longer sold. */
function productOf(
  { shop }: Pick<OrderReader, 'shop'>,
  line: Pick<StoredLine, 'delivery' | 'product'>,
): Product | null {
  return line.delivery === 'store_credit' || line.product === null
    ? null
    : findProduct(shop, line.product)
}

function fieldViews(
  { shop, language, t }: OrderReader,
  product: Product | null,
  { accountFields, goodsType }: ListedLine,
): OrderLineView['fields'] {
  return Object.entries(accountFields)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => {
      const field = product?.brand.fields.find((known) => known.key === key)
      const option = field?.options.find((known) => known.value === value)
      const inLanguage = (english: string) => phraseIn(shop.catalogue, language, english)
      return {
        label:
          goodsType === GOODS_TYPE.recharge && key === PHONE_FIELD
            ? t('shop-cart.phone')
            : inLanguage(field?.label ?? key),
        value: option ? inLanguage(option.label) : value,
      }
    })
}

/** @param texts of moments, which the thousands delivered in one share */
function unitView(
  { t, language, timeZone }: OrderReader,
  unit: StoredUnit,
  texts: Map<number, string>,
): OrderUnitView {
  const at = unit.deliveredAt?.getTime()
  if (unit.deliveredAt && at !== undefined && !texts.has(at))
    texts.set(at, formatMoment(language, unit.deliveredAt, timeZone))
  return {
    id: unit.publicId,
    status: unit.status,
    status_text: t(`order.unit.${unit.status}`),
    tone: UNIT_TONES[unit.status],
    delivered_at: unit.deliveredAt?.toISOString() ?? null,
    delivered_at_text: (at === undefined ? null : texts.get(at)) ?? null,
    revealed_at: unit.revealedAt?.toISOString() ?? null,
    is_used: unit.usedAt !== null,
  }
}

/** What of an order its buyer may review now: delivered, still sold, and not reviewed; one of each brand. */
export function reviewableProducts(
  { shop }: Pick<OrderReader, 'shop'>,
  order: Pick<StoredOrder, 'lines' | 'reviewed'>,
): Product[] {
  const delivered = order.lines.filter(({ units }) =>
    units.some(({ status }) => status === 'delivered'),
  )
  const products = delivered
    .map((line) => productOf({ shop }, line))
    .filter((product) => product !== null)
  const byBrand = new Map(
    products
      .filter(({ brand }) => !order.reviewed.includes(brand.code))
      .map((product) => [product.brand.code, product]),
  )
  return [...byBrand.values()]
}

/** A row of an order's story as operators read it: what its buyer was told, and who did it. */
export interface OrderStoryRow {
  readonly at: Date
  readonly kind: EventKind
  readonly tone: 'ok' | 'bad' | 'warn' | null
  /** 'system', or who acted: 'operator:<name>', 'account:<id>'. */
  readonly actor: string
}

/** Throws 'not_found'. */
export async function readOrderStory(db: Db, number: string): Promise<readonly OrderStoryRow[]> {
  const events = await listStoryEvents(db, number)
  return historyOf(events).map(({ kind, event }) => ({
    at: event.at,
    kind,
    tone: EVENT_TONES[kind],
    actor: (event as StoryEvent).actor,
  }))
}
