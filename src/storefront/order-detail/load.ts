import { listInvoices } from '#features/buying/sales-invoice/queries.ts'
import { listCases } from '#features/buying/after-sales/queries.ts'
import {
  CASE_REASONS,
  type CaseReason,
  type ServiceCase,
} from '#features/buying/after-sales/rules.ts'
import { productName } from '#features/goods/browse/views.ts'
import { findProduct } from '#features/goods/browse/queries.ts'
import type { OrderLineView, OrderView, Tone } from '#features/buying/order/view/shapes.ts'
import { findStoredOrder, type StoredOrder } from '#features/buying/order/view/stored.ts'
import { isRefundable } from '#features/buying/order/rules.ts'
import { orderView, reviewableProducts } from '#features/buying/order/views.ts'
import { listPlayers } from '#features/supply/account-check/queries.ts'
import { formatDate, formatParts } from '#platform/i18n/format.ts'
import { keyRows, type KeyRows } from '../card-keys/data.ts'
import { pictureAddress } from '../goods/picture.ts'
import { viewOf } from '../goods/tile.ts'
import { readerOf } from '../order-reader.ts'
import { correctionsOf, type Correction } from './corrections.ts'
import { standingOf, type Standing } from './standing.ts'
import { sumsOf, type OrderSums } from './sums.ts'
import { PageNotFound, PageRedirect, type PageMeta, type PersonalPageContext } from '../page.ts'

export interface OrderDetailData {
  readonly order: string
  readonly title: string
  readonly head: {
    readonly heading: string
    readonly placed: string
    readonly status: string
    readonly tone: Tone | null
  }
  readonly standing: Standing
  readonly steps: readonly {
    readonly text: string
    readonly tone?: Tone | null
    readonly time?: { readonly iso: string; readonly text: string }
  }[]
  readonly lines: readonly ShownLine[]
  /** Its keys, hidden; null before any is delivered. */
  readonly keys: KeyRows | null
  readonly sums: OrderSums
  /** Where paying goes on, or the rest is paid, and where another method is chosen. */
  readonly pay: {
    readonly path: string
    readonly text: string
    readonly changePath: string | null
  } | null
  readonly canCancel: boolean
  readonly receipt: string | null
  /** Invoices and credit notes, oldest first. */
  readonly invoices: readonly { readonly text: string; readonly path: string }[]
  /** Where a problem with it is told. */
  readonly problemPath: string
  /** What the shop has to say about a part that is missing, a question or a dispute. */
  readonly news: {
    readonly tone: 'info' | 'ok' | 'warn'
    readonly text: string
    readonly note: string
    readonly canWithdraw: boolean
  } | null
  /** JSON of the lines to buy again; null where nothing of it is sold any more, or it can still be paid. */
  readonly again: string | null
  readonly reviews: readonly { readonly code: string; readonly name: string }[]
  /** Seconds after which to look again; null where nothing is to come. */
  readonly refresh: number | null
  readonly problem: ProblemData | null
  readonly corrections: readonly Correction[]
}

export interface ShownLine {
  readonly name: string
  readonly note: string
  readonly path: string | null
  readonly image: string
  readonly total: string
  readonly fields: readonly { readonly label: string; readonly value: string }[]
  /** What the supplier calls the account. */
  readonly player: string | null
  readonly isCard: boolean
  readonly units: readonly ShownUnit[]
  /** How many more of them there are, which stand in the list of card keys. */
  readonly more: string | null
  /** Of everything else, how many are how far. */
  readonly states: readonly { readonly text: string; readonly tone: Tone | null }[]
}

export interface ShownUnit {
  readonly id: string
  readonly label: string
  readonly status: string
  readonly tone: Tone | null
  /** It has a key that can be shown. */
  readonly isReadable: boolean
}

export interface ProblemData {
  /** What it may be about; one alone is not asked for. */
  readonly units: readonly { readonly id: string; readonly name: string; readonly note: string }[]
  readonly reasons: readonly { readonly value: CaseReason; readonly text: string }[]
}

/** Seconds between one look and the next: a payment takes moments, goods delivered by hand take minutes. */
const PAYING_SECONDS = 4
const DELIVERING_SECONDS = 20

/** `/order/detail?order=`; `do=problem` is its step for what is wrong. */
export async function load(page: PersonalPageContext): Promise<OrderDetailData> {
  const publicId = page.query.get('order') ?? ''
  const stored =
    page.person && (await findStoredOrder(page.ctx.db, page.person.accountId, publicId))
  if (!stored) throw new PageNotFound()
  const { t, language, timeZone } = page
  const reader = readerOf(page)
  const order = orderView(reader, stored)
  const address = `/order/detail?order=${publicId}`
  const asksProblem = page.query.get('do') === 'problem'
  if (asksProblem && !order.can.request_refund) throw new PageRedirect(address)
  const [cases, players, invoices] = await Promise.all([
    listCases(page.ctx.db, stored.id),
    listPlayers(page.ctx.db, stored.id),
    stored.settledAt === null ? [] : listInvoices(page.ctx.db, stored.id),
  ])
  const lines = shownLines(page, order).map((line, index) => {
    const name = players.get(index)
    return name === undefined ? line : { ...line, player: t('product.player', { name }) }
  })
  return {
    order: publicId,
    title: t('order.title', { number: order.order_no }),
    head: {
      heading: order.heading,
      placed: t('order.placedOn', {
        number: order.order_no,
        date: formatDate(language.code, stored.createdAt, timeZone),
      }),
      status: order.status_text,
      tone: order.tone,
    },
    standing: standingOf(page, order, stored),
    steps: stepsOf(page, order),
    lines,
    keys:
      stored.settledAt === null
        ? null
        : keysOf(lines, await keyRows(page, { order: publicId, path: address })),
    sums: sumsOf(page, order, stored),
    pay: order.can.pay || order.can.pay_rest ? payPaths(page, order) : null,
    canCancel: order.can.cancel,
    receipt:
      stored.settledAt === null
        ? null
        : `/api/order/receipt?order=${publicId}&lang=${language.code}`,
    invoices: invoices.map(({ id, kind, number }) => ({
      text: t(kind === 'invoice' ? 'order.invoice.link' : 'order.invoice.creditNoteLink', {
        number,
      }),
      path: `/api/order/invoice?invoice=${id}&lang=${language.code}`,
    })),
    problemPath: order.can.request_refund ? `${address}&do=problem` : '/support',
    news: partNews(page, order) ?? newsOf(page, cases) ?? refundedNews(page, order),
    again: order.can.cancel ? null : linesAgain(order, stored),
    reviews: reviewableProducts(reader, stored).map((product) => ({
      code: product.code,
      name: productName(viewOf(page), product),
    })),
    refresh: asksProblem ? null : refreshOf(stored),
    problem: asksProblem ? problemData(page, order) : null,
    corrections: asksProblem ? [] : await correctionsOf(page, order, stored),
  }
}

export function meta(data: OrderDetailData, { t }: PersonalPageContext): PageMeta {
  return { title: data.title, description: t('order.description'), noIndex: true }
}

/** What has happened, and what is still to come. That a payment was begun says nothing once it has ended. */
function stepsOf({ t }: PersonalPageContext, order: OrderView): OrderDetailData['steps'] {
  const told = order.events.filter(
    ({ kind }, index) => kind !== 'payment_started' || index === order.events.length - 1,
  )
  const done = told.map((event) => ({
    text: event.text,
    tone: event.tone,
    time: { iso: event.at, text: event.at_text },
  }))
  const isUnpaid = order.can.cancel
  const isUnderWay = order.status === 'waiting_for_shipment' || order.status === 'shipping'
  return [
    ...done,
    ...(isUnpaid ? [{ text: t('order.event.paid') }] : []),
    ...(isUnpaid || isUnderWay ? [{ text: t('order.event.completed') }] : []),
  ]
}

/** So many codes a page shows; an order may have thousands. */
const CODES_MAX = 100

function shownLines(page: PersonalPageContext, order: OrderView): readonly ShownLine[] {
  let left = CODES_MAX
  return order.lines.map((line) => {
    const shown = shownLine(page, order, line, left)
    left -= shown.units.length
    return shown
  })
}

/** Those of codes that are shown. */
function keysOf(lines: readonly ShownLine[], rows: KeyRows): KeyRows {
  const shown = new Set(lines.flatMap(({ units }) => units.map(({ id }) => id)))
  return { ...rows, keys: rows.keys.filter(({ id }) => shown.has(id)) }
}

function shownLine(
  page: PersonalPageContext,
  order: OrderView,
  line: OrderLineView,
  codesMost: number,
): ShownLine {
  const { t, shop, language } = page
  const isCard = line.delivery === 'card_key'
  const product = line.product_code === null ? null : findProduct(shop, line.product_code)
  const count =
    line.quantity === 1 && !isCard
      ? ''
      : t(isCard ? 'order.unitCodes' : 'order.unitPieces', { count: line.quantity })
  const isPaid = order.paid !== null
  const codes = isPaid && isCard ? line.units : []
  return {
    name: line.goods_name,
    note: formatParts(language.code, [line.label, line.region, count]),
    path: line.path,
    image: pictureAddress(
      page,
      'goods_thumb_3_4',
      product?.picture ?? product?.brand.picture ?? null,
      { isSmall: true },
    ),
    total: line.total.text,
    fields: line.fields,
    player: null,
    isCard,
    // Before money has come there is nothing to say of each.
    units: codes.slice(0, codesMost).map((unit, index) => ({
      id: unit.id,
      label: t('order.code', { number: index + 1 }),
      status: unit.status_text,
      tone: unit.tone,
      isReadable: unit.status === 'delivered',
    })),
    more: codes.length <= codesMost ? null : t('list.more', { count: codes.length - codesMost }),
    states: isPaid && !isCard ? statesOf(page, line) : [],
  }
}

function statesOf({ t }: PersonalPageContext, { units }: OrderLineView): ShownLine['states'] {
  const groups = [...Map.groupBy(units, ({ status_text: text }) => text)]
  return groups.map(([text, own]) => ({
    text: units.length === 1 ? text : t('order.unitGroup', { count: own.length, status: text }),
    tone: own[0]?.tone ?? null,
  }))
}

function payPaths(
  { t }: PersonalPageContext,
  { order, status, can }: OrderView,
): OrderDetailData['pay'] {
  const cashier = `/order/cashier?order=${order}`
  const pay = `/order/pay?order=${order}`
  if (can.pay_rest) return { path: pay, text: t('order.payRest'), changePath: null }
  const text = t('order.payNow')
  return status === 'waiting_for_payment'
    ? { path: pay, text, changePath: cashier }
    : { path: cashier, text, changePath: null }
}

/** How much has arrived of what, and what its buyer can do. */
function partNews(
  { t }: PersonalPageContext,
  { paid, missing, total, can }: OrderView,
): OrderDetailData['news'] {
  if (missing === null) return null
  return {
    tone: 'warn',
    text: t('order.partLead', { paid: paid?.text ?? '', total: total.text, missing: missing.text }),
    note: t(can.pay_rest ? 'order.partRest' : 'order.partOther'),
    canWithdraw: false,
  }
}

/** That a part went back is no bad news, and asks nothing of anybody. */
function refundedNews(
  { t }: PersonalPageContext,
  { status, refunded, net, tone }: OrderView,
): OrderDetailData['news'] {
  if (status !== 'completed' || refunded === null || net === null || tone !== null) return null
  return {
    tone: 'info',
    text: t('order.partlyLead', { amount: refunded.text }),
    note: t('order.partlyNote'),
    canWithdraw: false,
  }
}

/** The last case with something to say. */
function newsOf(
  { t, language, timeZone }: PersonalPageContext,
  cases: readonly ServiceCase[],
): OrderDetailData['news'] {
  const found = cases.find(({ kind, status }) =>
    kind === 'dispute' ? status === 'open' : status !== 'withdrawn',
  )
  if (!found) return null
  if (found.kind === 'dispute')
    return { tone: 'warn', text: t('order.disputeOpen'), note: '', canWithdraw: false }
  const date = formatDate(language.code, found.createdAt, timeZone)
  if (found.status === 'open')
    return {
      tone: 'info',
      text: t('order.requestOpen', { date }),
      note: '',
      canWithdraw: found.kind === 'refund_request',
    }
  if (found.status === 'accepted')
    return {
      tone: 'ok',
      text: t('order.requestAccepted', { date }),
      note: found.note,
      canWithdraw: false,
    }
  return {
    tone: 'warn',
    text: t('order.requestDeclined', { date }),
    note: found.note,
    canWithdraw: false,
  }
}

/** What the cart takes of the same goods, for the same game accounts. */
function linesAgain(order: OrderView, stored: StoredOrder): string | null {
  const sold = stored.lines.filter(
    (line, index) => line.delivery !== 'store_credit' && order.lines[index]?.path,
  )
  return sold.length === 0
    ? null
    : JSON.stringify(
        sold.map(({ itemCode, quantity, accountFields, amount }) => ({
          item: itemCode,
          quantity,
          fields: accountFields,
          ...(amount ? { amount: Number(amount.minor) } : {}),
        })),
      )
}

function refreshOf({ status, hold, lines }: StoredOrder): number | null {
  if (status === 'waiting_for_payment') return PAYING_SECONDS
  const isOnItsWay = lines.some(({ units }) =>
    units.some(
      (unit) =>
        unit.status === 'queued' || unit.status === 'delivering' || unit.status === 'refund_due',
    ),
  )
  return (status === 'waiting_for_shipment' || status === 'shipping' || status === 'processing') &&
    hold === null &&
    isOnItsWay
    ? DELIVERING_SECONDS
    : null
}

function problemData({ t, language }: PersonalPageContext, { lines }: OrderView): ProblemData {
  // Of more than a page holds none is chosen: one that does not work is reported from the list of card keys.
  const refundable = lines
    .flatMap((line) => line.units.map((unit, index) => ({ line, unit, index })))
    .filter(({ line, unit }) => isRefundable({ status: unit.status, delivery: line.delivery }))
  const choices = refundable.length > CODES_MAX ? [] : refundable
  return {
    units: choices.map(({ line, unit, index }) => ({
      id: unit.id,
      name: formatParts(language.code, [line.goods_name, line.label]),
      note: formatParts(language.code, [
        line.delivery === 'card_key' ? t('order.code', { number: index + 1 }) : '',
        unit.status_text,
      ]),
    })),
    reasons: CASE_REASONS.map((value) => ({ value, text: t(`order.reason.${value}`) })),
  }
}
