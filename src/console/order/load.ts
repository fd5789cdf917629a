import { listOrdersByNumber, getOrderSheet } from '#features/buying/order/queries.ts'
import { readOrderStory } from '#features/buying/order/views.ts'
import { taxByRate } from '#features/goods/tax/rules.ts'
import { listInvoicesByNumber, listLineTaxes } from '#features/buying/sales-invoice/queries.ts'
import { readDeskSheet, type DeskSheet } from '#features/office/desk/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { PURCHASE_STATUSES } from '#features/supply/purchase/rules.ts'
import type { UnitStatus } from '#features/buying/order/rules.ts'
import { AppError } from '#kernel/error.ts'
import { formatRate, formatShortMoment } from '#platform/i18n/format.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { providerName } from '../kit/provider-name.ts'
import { actorName } from '../kit/actor-name.ts'
import { groupedNumber } from '../kit/grouped-number.ts'
import { methodNames } from '../kit/method-name.ts'
import { moneyTexts } from '../kit/money.ts'
import type { StateLook } from '../kit/state.tsx'
import type { StoryLine } from '../kit/story.tsx'
import { orderRows, type OrderRow } from '../orders/rows.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { actsOf, unitActsOf, type OrderActName, type UnitActName } from './may.ts'
import { PAYMENT_STATES, REFUND_STATES, shownState } from './money-states.ts'
import { evidenceRows, movementRow, priceRows, type MovementRow, type PriceRow } from './facts.ts'
import { supplierName } from '../kit/supplier-name.ts'

export interface UnitData {
  readonly id: string
  readonly picture: string
  readonly goods: string
  readonly look: StateLook
  readonly state: string
  readonly price: string
  readonly notes: readonly string[]
  readonly isRefundable: boolean
  readonly acts: readonly UnitActName[]
}

export interface OrderData {
  readonly order: OrderRow
  /** Name of who reads this. */
  readonly me: string
  /** What it was at when this was read. */
  readonly version: string
  readonly acts: readonly OrderActName[]
  readonly lead: string
  readonly shopper: {
    /** Below /console; null where their page may not be opened, or is none any more. */
    readonly path: string | null
    readonly email: string | null
    readonly uid: string
  }
  readonly captured: string
  readonly refunded: string | null
  /** What of it is tax, by rate. */
  readonly taxes: readonly { readonly label: string; readonly amount: string }[]
  readonly units: readonly UnitData[]
  readonly story: readonly StoryLine[]
  readonly payments: readonly {
    readonly id: string
    readonly method: string
    /** Code of the service that takes it. */
    readonly provider: string
    readonly at: string
    readonly look: StateLook
    readonly state: string
    readonly amount: string
    readonly failure: string | null
  }[]
  readonly refunds: readonly {
    readonly id: string
    readonly amount: string
    readonly to: 'original' | 'store_credit'
    readonly look: StateLook
    readonly state: string
    readonly by: string
    readonly isFailed: boolean
  }[]
  readonly invoices: readonly {
    readonly id: string
    readonly text: string
    readonly at: string
    readonly amount: string
  }[]
  readonly movements: readonly MovementRow[]
  readonly prices: readonly PriceRow[]
  readonly evidence: readonly { readonly name: string; readonly value: string }[]
  readonly mails: readonly {
    readonly kind: string
    readonly text: string
    readonly state: string
  }[]
}

const UNIT_LOOKS: Readonly<Record<UnitStatus, StateLook>> = {
  queued: '',
  delivering: 'way',
  in_doubt: 'badge bad',
  needs_input: 'badge warn',
  delivered: 'done',
  failed: 'fail',
  refund_due: 'way',
  refunded: 'gone',
  released: 'gone',
}

export async function load(context: ConsoleContext): Promise<Loaded<OrderData>> {
  const { ctx, t, params, language, timeZone } = context
  const number = params['number'] ?? ''
  const [listed] = await listOrdersByNumber(ctx.db, [number])
  if (!listed) throw new AppError('not_found')
  const [sheet, desk, story, money, rows, invoices, taxed, methodOf] = await Promise.all([
    getOrderSheet(ctx.db, number),
    readDeskSheet(ctx.db, number),
    readOrderStory(ctx.db, number),
    moneyTexts(context),
    orderRows(context, [listed]),
    listInvoicesByNumber(ctx.db, number),
    listLineTaxes(ctx.db, number),
    methodNames(context),
  ])
  const moment = (at: Date) => formatShortMoment(language.code, at, timeZone)
  const inOrder = (minor: string | bigint) => money(minor, sheet.currency)
  const maySeePeople = mayDo(ctx.operator, 'shopper.read')
  return {
    title: groupedNumber(number),
    data: {
      order: rows[0] as OrderRow,
      me: ctx.operator.name,
      version: desk.version,
      acts: actsOf(ctx.operator, listed, desk),
      lead: leadOf(context, desk, inOrder(sheet.captured_minor)),
      shopper: {
        path:
          maySeePeople && desk.shopper.id !== null
            ? `/customers/${desk.shopper.id}?order=${number}`
            : null,
        email: maySeePeople ? desk.shopper.email : null,
        uid: desk.shopper.uid,
      },
      captured: inOrder(sheet.captured_minor),
      refunded: BigInt(sheet.refunded_minor) > 0n ? inOrder(sheet.refunded_minor) : null,
      taxes: taxRows(context, taxed, inOrder),
      units: unitsOf(context, desk, inOrder),
      story: storyOf(context, story, desk.notes),
      payments: sheet.payments.map((payment) => ({
        id: payment.public_id,
        method: methodOf(payment.method),
        provider: providerName(t, payment.provider),
        at: moment(payment.created_at),
        ...shownState(context, PAYMENT_STATES, payment.status),
        amount: money(payment.amount_minor, payment.currency),
        failure: payment.failure,
      })),
      refunds: sheet.refunds.map((refund) => ({
        id: refund.public_id,
        amount: money(refund.amount_minor, refund.currency),
        to: refund.destination,
        ...shownState(context, REFUND_STATES, refund.status),
        by: actorName(refund.requested_by),
        isFailed: refund.status === 'failed' && mayDo(ctx.operator, 'order.refund'),
      })),
      invoices: maySeePeople ? invoiceRows(context, invoices, money) : [],
      movements: desk.movements.map((moved) => movementRow(t, moved, moment(moved.at), money)),
      prices: desk.lines.map((line) => priceRows(context, line, inOrder(line.price), money)),
      evidence: maySeePeople
        ? evidenceRows(context, desk, desk.agreedAt && moment(desk.agreedAt))
        : [],
      mails: mailsOf(context, desk, number),
    },
  }
}

function leadOf({ t }: ConsoleContext, { units, shopper }: DeskSheet, amount: string): string {
  const delivered = units.filter(({ status }) => status === 'delivered').length
  const name = shopper.name
  return t('console.order.lead', { name, amount, delivered, count: units.length })
}

const invoiceRows = (
  { t, language, timeZone }: ConsoleContext,
  invoices: Awaited<ReturnType<typeof listInvoicesByNumber>>,
  money: (minor: bigint, currency: string) => string,
): OrderData['invoices'] =>
  invoices.map(({ id, kind, number, issuedAt, grossMinor, currency }) => ({
    id,
    text: t(kind === 'invoice' ? 'order.invoice.title' : 'order.invoice.creditNoteTitle', {
      number,
    }),
    at: formatShortMoment(language.code, issuedAt, timeZone),
    amount: money(grossMinor, currency),
  }))

const taxRows = (
  { t, language }: ConsoleContext,
  taxed: Awaited<ReturnType<typeof listLineTaxes>>,
  amount: (minor: bigint) => string,
): OrderData['taxes'] =>
  taxByRate(taxed).map(({ basisPoints, minor }) => ({
    label: t('order.tax', { rate: formatRate(language.code, basisPoints) }),
    amount: amount(minor),
  }))

function unitsOf(
  context: ConsoleContext,
  { units }: DeskSheet,
  price: (minor: string) => string,
): OrderData['units'] {
  const { t, ctx, language, timeZone } = context
  return units.map((unit) => {
    const at = unit.deliveredAt && formatShortMoment(language.code, unit.deliveredAt, timeZone)
    const code =
      unit.code &&
      t(unit.isSeen ? 'console.order.codeSeen' : 'console.order.code', { last: unit.code })
    const notes = [
      at,
      code,
      unit.isReplaced ? t('console.order.replaced') : null,
      unit.claimedBy === null ? null : t('console.order.by', { name: unit.claimedBy }),
      unit.proof,
      unit.waitsFor,
      ...unit.attempts.map(({ supplier, reference, status, code: failure }) =>
        [supplierName(supplier), reference, purchaseText(t, status), failure]
          .filter((part) => part !== null)
          .join(' · '),
      ),
    ]
    return {
      id: unit.id,
      picture: context.pictureOf(unit.product),
      goods: unit.goods,
      look: UNIT_LOOKS[unit.status],
      state: t(`order.unit.${unit.status}`),
      price: price(unit.price),
      notes: notes.filter((note): note is string => note !== null && note !== ''),
      isRefundable:
        ['queued', 'failed', 'needs_input'].includes(unit.status) ||
        (unit.status === 'delivered' && unit.delivery !== 'store_credit'),
      acts: unitActsOf(ctx.operator, unit),
    }
  })
}

/** How an attempt to buy a unit stands; one of another release by its code. */
function purchaseText(t: Translate, status: string): string {
  const known = PURCHASE_STATUSES.find((one) => one === status)
  return known ? t(`console.order.purchase.${known}`) : status
}

type Story = Awaited<ReturnType<typeof readOrderStory>>

/** What happened, with what colleagues noted where they noted it. */
function storyOf(
  { t, language, timeZone }: ConsoleContext,
  story: Story,
  notes: DeskSheet['notes'],
): OrderData['story'] {
  const told = story.map(({ at, kind, tone, actor }) => {
    const by = actor.startsWith('operator:') ? actor.slice('operator:'.length) : null
    return {
      at,
      text: t(`order.event.${kind}`),
      mark: by === null ? (tone ?? '') : 'me2',
      by,
    } as const
  })
  const noted = notes.map(
    ({ at, author, text }) => ({ at, text, mark: 'me2', by: author }) as const,
  )
  return [...told, ...noted]
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map((row) => ({ ...row, at: formatShortMoment(language.code, row.at, timeZone) }))
}

function mailsOf(
  { t, language, timeZone }: ConsoleContext,
  { mails }: DeskSheet,
  number: string,
): OrderData['mails'] {
  return mails.map(({ kind, sentAt, isGivenUp }) => ({
    kind,
    text: t(`notice.${kind as 'order_delivered'}.title`, { number: groupedNumber(number) }),
    state: sentAt
      ? t('console.order.mailSent', { at: formatShortMoment(language.code, sentAt, timeZone) })
      : t(isGivenUp ? 'console.order.mailNever' : 'console.order.mailWaits'),
  }))
}
