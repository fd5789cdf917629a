import { listOrdersByNumber, getOrderSheet } from '#features/buying/order/queries.ts'
import { readOrderStory } from '#features/buying/order/views.ts'
import type { UnitStatus } from '#features/buying/order/rules.ts'
import { AppError } from '#kernel/error.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { moneyTexts } from '../kit/money.ts'
import { groupedNumber, orderRows, type OrderRow, type StateLook } from '../orders/rows.ts'
import type { ConsoleContext } from '../page.ts'

export interface OrderData {
  readonly order: OrderRow
  readonly captured: string
  readonly refunded: string | null
  readonly units: readonly {
    readonly id: string
    readonly goods: string
    readonly look: StateLook
    readonly state: string
    readonly price: string
    readonly note: string | null
  }[]
  readonly story: readonly {
    readonly at: string
    readonly text: string
    readonly mark: 'ok' | 'bad' | 'me2' | ''
    readonly by: string | null
  }[]
  readonly payments: readonly {
    readonly id: string
    readonly method: string
    readonly at: string
    readonly state: string
    readonly amount: string
    readonly failure: string | null
  }[]
  readonly refunds: readonly {
    readonly id: string
    readonly amount: string
    readonly to: string
    readonly state: string
    readonly by: string
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

export async function load(
  context: ConsoleContext,
): Promise<{ readonly title: string; readonly data: OrderData }> {
  const { ctx, params, t, language, timeZone } = context
  const number = params['number'] ?? ''
  const [listed] = await listOrdersByNumber(ctx.db, [number])
  if (!listed) throw new AppError('not_found')
  const [sheet, story, money, rows] = await Promise.all([
    getOrderSheet(ctx.db, number),
    readOrderStory(ctx.db, number),
    moneyTexts(context),
    orderRows(context, [listed]),
  ])
  const moment = (at: Date) => formatShortMoment(language.code, at, timeZone)
  const inOrder = (minor: string | bigint) => money(minor, sheet.currency)
  return {
    title: groupedNumber(number),
    data: {
      order: rows[0] as OrderRow,
      captured: inOrder(sheet.captured_minor),
      refunded: BigInt(sheet.refunded_minor) > 0n ? inOrder(sheet.refunded_minor) : null,
      units: sheet.units.map((unit) => ({
        id: unit.public_id,
        goods: `${unit.product_name}, ${unit.item_name}`,
        look: UNIT_LOOKS[unit.status],
        state: t(`order.unit.${unit.status}`),
        price: inOrder(unit.price_minor),
        note: unit.delivered_at ? moment(unit.delivered_at) : null,
      })),
      story: story.map(({ at, kind, tone, actor }) => ({
        at: moment(at),
        text: t(`order.event.${kind}`),
        mark: actor.startsWith('operator:') ? 'me2' : (tone ?? ''),
        by: actor.startsWith('operator:') ? actor.slice('operator:'.length) : null,
      })),
      payments: sheet.payments.map((payment) => ({
        id: payment.public_id,
        method: `${payment.provider} ${payment.method}`,
        at: moment(payment.created_at),
        state: payment.status,
        amount: money(payment.amount_minor, payment.currency),
        failure: payment.failure,
      })),
      refunds: sheet.refunds.map((refund) => ({
        id: refund.public_id,
        amount: money(refund.amount_minor, refund.currency),
        to: refund.destination,
        state: refund.status,
        by: refund.requested_by,
      })),
    },
  }
}
