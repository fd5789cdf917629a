import { findProduct } from '#features/goods/browse/queries.ts'
import { lockSentence } from '#features/goods/browse/view/detail.ts'
import { findRecentRecharges } from '#features/buying/order/queries.ts'
import type { StoredOrder } from '#features/buying/order/view/stored.ts'
import { orderView } from '#features/buying/order/views.ts'
import { GOODS_TYPE, productPath, type Product } from '#features/goods/catalogue/rules.ts'
import type { OrderLineView } from '#features/buying/order/view/shapes.ts'
import { PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import { METHOD_GROUPS, type MethodIcon } from '#features/goods/pay-method/rules.ts'
import { methodName } from '#features/goods/pay-method/views.ts'
import { findLastMethod, getPayable } from '#features/buying/payment/queries.ts'
import { getOrderBeingPaid, methodViews } from '#features/buying/payment/views.ts'
import type { MethodView } from '#features/buying/payment/view/shapes.ts'
import { isAppError } from '#kernel/error.ts'
import { formatMoment } from '#platform/i18n/format.ts'
import type { IconName } from '#ui/icon-paths.ts'
import { readerOf } from '../order-reader.ts'
import { creditTime, promisesOf } from './promises.ts'
import { PageNotFound, PageRedirect, type PageMeta, type PersonalPageContext } from '../page.ts'
import { ownerOf } from '../user/area.ts'

export interface CashierData {
  readonly order: string
  readonly back: string
  readonly lines: readonly CashierLine[]
  /** How many things that are, in words. */
  readonly count: string
  readonly choice: MethodChoice
  /** Where goods work alone: each sentence once, with the goods it is about where the order has others. */
  readonly warnings: readonly {
    readonly names: readonly string[]
    readonly text: string
    /** Where another region of the one product it is about is chosen; null where there is none, or it is about several. */
    readonly change: string | null
  }[]
  /** Name of the method of the payment that is open. */
  readonly open: string | null
  readonly subtotal: string
  readonly tax: string | null
  readonly held: Held
  readonly facts: readonly { readonly icon: IconName; readonly text: string }[]
}

/** Ways to pay of which one is chosen; the styles know those that can be chosen by their place. */
export interface MethodChoice {
  /** Those that can be chosen come first. */
  readonly methods: readonly CashierMethod[]
  /** Null where none can be chosen. */
  readonly chosen: string | null
  /** How this shopper paid before. */
  readonly lastUsed: string | null
}

/** How long the order can be paid: told in words, counted down where script runs. */
export interface Held {
  readonly text: string
  /** At the moment of loading; null where it is too long to count down. */
  readonly seconds: number | null
}

export interface CashierLine {
  readonly name: string
  readonly label: string
  readonly region: string
  readonly image: string
  readonly account: readonly string[]
  readonly quantity: string
  readonly total: string
}

export interface CashierMethod {
  readonly code: string
  readonly name: string
  readonly text: string
  readonly icon: MethodIcon
  readonly total: string
  /** Null for none. */
  readonly fee: string | null
  /** Why it cannot be chosen. */
  readonly reason: string | null
}

/** `/order/cashier?order=`: the last look at an order before it is paid. An order that is over is shown where orders are. */
export async function load(page: PersonalPageContext): Promise<CashierData> {
  const { shop, t } = page
  const { order, open } = await readOrder(page)
  const view = orderView(readerOf(page), order)
  if (!view.can.pay) throw new PageRedirect(`/order/detail?order=${view.order}`)
  if (open && open.status !== 'created' && open.status !== 'requires_action')
    throw new PageRedirect(`/order/pay?order=${view.order}`)
  const choice = await methodChoice(page, view.order, open?.method ?? null)
  return {
    order: view.order,
    back: view.lines[0]?.path ?? '/',
    lines: view.lines.map(cashierLine),
    count: t('shop-cart.items', {
      count: view.lines.reduce((sum, { quantity }) => sum + quantity, 0),
    }),
    choice,
    warnings: [...warningsOf(page, view.lines), ...(await rechargedOf(page, order))],
    open: open ? methodName(shop.payMethods, open.method, t) : null,
    subtotal: view.goods.text,
    tax: view.tax?.text ?? null,
    held: heldOf(page, order.expiresAt, view.seconds_left),
    facts: factsOf(page, view.lines),
  }
}

/** What an order may be paid with: how its buyer paid before comes first, what cannot be chosen last. @param first is chosen, where it can be */
export async function methodChoice(
  page: PersonalPageContext,
  order: string,
  first: string | null,
): Promise<MethodChoice> {
  const { ctx, payments } = page
  const { accountId } = ownerOf(page)
  const [payable, lastUsed] = await Promise.all([
    getPayable(ctx.db, accountId, order),
    findLastMethod(ctx.db, accountId),
  ])
  // Credit of which there is none is no choice, and not worth a line that says so.
  const views = methodViews(readerOf(page), payments.providers, payable).filter(
    ({ group }) => group !== 'balance' || payable.creditMinor > 0n,
  )
  const methods = inOrderShown(views, lastUsed)
  const available = methods.filter(({ reason }) => reason === null)
  return { methods, chosen: chosenMethod(available, first ?? lastUsed), lastUsed }
}

function inOrderShown(views: readonly MethodView[], lastUsed: string | null): CashierMethod[] {
  const place = ({ code, group, is_available: isAvailable }: MethodView) =>
    isAvailable ? (code === lastUsed ? -1 : METHOD_GROUPS.indexOf(group)) : METHOD_GROUPS.length
  return views.toSorted((a, b) => place(a) - place(b)).map(cashierMethod)
}

export function meta(_: CashierData, { t }: PersonalPageContext): PageMeta {
  return { title: t('cashier.title'), description: t('cashier.description'), noIndex: true }
}

/** The order of the address with the payment that is open. Throws PageNotFound for what is not theirs. */
export async function readOrder(page: PersonalPageContext) {
  const { ctx, query } = page
  try {
    return await getOrderBeingPaid(ctx.db, ownerOf(page).accountId, query.get('order') ?? '')
  } catch (error) {
    if (isAppError(error) && error.code === 'not_found') throw new PageNotFound()
    throw error
  }
}

const COUNTED_DOWN_SECONDS = 2 * 60 * 60

/** @param until end of the time to pay, which is so many seconds away */
export function heldOf(
  { t, language, timeZone }: PersonalPageContext,
  until: Date,
  seconds: number,
): Held {
  if (seconds > COUNTED_DOWN_SECONDS)
    return {
      text: t('cashier.payUntil', { time: formatMoment(language.code, until, timeZone) }),
      seconds: null,
    }
  return { text: t('cashier.priceHeld', { count: Math.max(1, Math.round(seconds / 60)) }), seconds }
}

/** The one of before, else the first without a fee: nobody is led to the dearest. */
export function chosenMethod(
  choices: readonly Pick<CashierMethod, 'code' | 'fee'>[],
  before: string | null,
): string | null {
  const known = choices.find(({ code }) => code === before)
  return (known ?? choices.find(({ fee }) => fee === null) ?? choices[0])?.code ?? null
}

/** What comes when: as it was measured or estimated of the slowest that is credited, where that is known of all of these. */
function factsOf(
  { shop, language, t }: PersonalPageContext,
  lines: readonly OrderLineView[],
): CashierData['facts'] {
  const times = lines
    .filter(({ delivery }) => delivery === 'direct_charge')
    .map(({ product_code: code }) => {
      const product = code === null ? null : findProduct(shop, code)
      return product ? creditTime(product, t, language.code) : null
    })
  const known = times.filter((time) => time !== null)
  const slowest = known.toSorted((a, b) => b.seconds - a.seconds)[0]
  const text = known.length === times.length ? slowest?.text : undefined
  return promisesOf(lines).map((promise) => ({
    icon: 'bolt',
    text: promise === 'cashier.byHand' && text !== undefined ? text : t(promise),
  }))
}

function warningsOf(
  { shop, language, t, currency }: PersonalPageContext,
  lines: readonly OrderLineView[],
): CashierData['warnings'] {
  const view = { shop, language: language.code, t, currency }
  const locked = lines.flatMap(({ product_code: code, goods_name: name }) => {
    const product = code === null ? null : findProduct(shop, code)
    // A phone is where its number is: it has no account of another region.
    const text = product && !product.brand.recharge ? lockSentence(view, product) : null
    return text === null || product === null ? [] : [{ name, text, product }]
  })
  const bySentence = [...Map.groupBy(locked, ({ text }) => text)]
  const isOfAll = bySentence.length === 1 && locked.length === lines.length
  return bySentence.map(([text, own]) => ({
    text,
    names: isOfAll ? [] : [...new Set(own.map(({ name }) => name))],
    change: otherRegionPath([...new Set(own.map(({ product }) => product))]),
  }))
}

/** The page of a product shows its regions. */
function otherRegionPath(products: readonly Product[]): string | null {
  const [product] = products
  if (product === undefined || products.length > 1) return null
  return product.brand.products.length > 1 ? productPath(product) : null
}

/** Phones that were recharged minutes ago: whoever presses twice rarely means it. */
async function rechargedOf(
  { ctx, t }: PersonalPageContext,
  { accountId, lines }: StoredOrder,
): Promise<CashierData['warnings']> {
  const numbers = lines.flatMap(({ goodsType, accountFields }) =>
    goodsType === GOODS_TYPE.recharge ? (accountFields[PHONE_FIELD] ?? []) : [],
  )
  const now = ctx.now()
  const recent = await findRecentRecharges(ctx.db, accountId, numbers, now)
  const minutes = (at: Date) => Math.max(1, Math.floor((now.getTime() - at.getTime()) / MINUTE_MS))
  const byMinutes = Map.groupBy(recent, ([, at]) => minutes(at))
  return [...byMinutes].map(([count, phones]) => ({
    text: t('recharge.recent', { count }),
    names: phones.map(([number]) => number),
    change: null,
  }))
}

const MINUTE_MS = 60_000

function cashierLine(line: OrderLineView): CashierLine {
  return {
    name: line.goods_name,
    label: line.label,
    region: line.region,
    image: line.image,
    account: line.fields.map(({ value }) => value),
    quantity: String(line.quantity),
    total: line.total.text,
  }
}

function cashierMethod({ code, name, text, icon, total, fee, reason }: MethodView): CashierMethod {
  return {
    code,
    name,
    text,
    icon,
    total: total.text,
    fee: fee.minor === '0' ? null : fee.text,
    reason,
  }
}
