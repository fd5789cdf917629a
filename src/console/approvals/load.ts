import { listCurrencies } from '#features/goods/currency/queries.ts'
import { readOpenPayments } from '#features/office/payment-service/queries.ts'
import { readSettingForms } from '#features/office/setting/queries.ts'
import { listWaiting } from '#features/team/approval/queries.ts'
import {
  hasNoAmount,
  isAboutPayment,
  isAboutPrices,
  isAboutShop,
  isAboutSupply,
  MEASURES,
} from '#features/team/approval/rules.ts'
import { listRoles } from '#features/team/operator/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { actorName } from '../kit/actor-name.ts'
import { moneyTexts } from '../kit/money.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { aboutStaff, detailOf } from './about-staff.ts'
import { priceSubject } from './about-prices.ts'
import { shopDetail, shopSubject } from './about-shop.ts'
import { supplierDetail, supplierWarnings } from './about-supplier.ts'
import type { Places } from '../prices/trying.tsx'
import { paymentDetail, paymentSubject, paymentWarnings } from './about-payment.ts'

export interface ApprovalsData {
  readonly waiting: readonly {
    readonly id: string
    readonly what: string
    /** An amount, or whom it is about and what they get. */
    readonly amount: string
    /** Everything that a written role would allow, or the asker's words. */
    readonly detail: string | null
    /** Where money would go from then on, in sentences. */
    readonly warnings: readonly string[]
    readonly askedBy: string
    readonly askedAt: string
    readonly endsAt: string | null
    readonly order: string | null
    /** 'take_back' of one's own; null where the role lacks the power. */
    readonly mayDo: 'decide' | 'take_back' | null
    /** What it would do to prices as of now is asked for. */
    readonly isAboutPrices: boolean
    /** The same of goods whose prices it moves. */
    readonly isAboutGoods: boolean
  }[]
  /** Digits behind the point of each currency. */
  readonly places: Places
}

const LISTED = 200

export async function load(context: ConsoleContext): Promise<Loaded<ApprovalsData>> {
  const { ctx, t, language, timeZone } = context
  const [waiting, money, roles, currencies] = await Promise.all([
    listWaiting(ctx.db, ctx.now(), LISTED),
    moneyTexts(context),
    listRoles(ctx.db),
    listCurrencies(ctx.db),
  ])
  const about = new Set(
    waiting.flatMap(({ kind, subject }) => (kind === 'payment_service' ? [subject] : [])),
  )
  const open = new Map(
    await Promise.all(
      [...about].map(async (code) => [code, await readOpenPayments(ctx.db, code)] as const),
    ),
  )
  // They are read with who changed them last: only where one of them waits.
  const settings = waiting.some(({ kind }) => kind === 'shop_setting')
    ? await readSettingForms(ctx.db)
    : []
  const places = currencies.map(({ code, minorUnits }) => ({ code, places: minorUnits }))
  const moment = (at: Date) => formatShortMoment(language.code, at, timeZone)
  return {
    title: t('console.approvals.nav'),
    data: {
      places: Object.fromEntries(currencies.map((one) => [one.code, one.minorUnits])),
      waiting: waiting.map((act) => {
        const isMine = act.askedBy === ctx.actor
        const mayDecide = mayDo(ctx.operator, MEASURES[act.kind].permission)
        return {
          id: act.publicId,
          what: t(`console.act.${act.kind}`),
          amount: isAboutPrices(act.kind)
            ? priceSubject(context, money, act)
            : isAboutShop(act.kind)
              ? shopSubject(context, act, settings)
              : isAboutSupply(act.kind)
                ? act.subject
                : isAboutPayment(act.kind)
                  ? paymentSubject(context, act)
                  : hasNoAmount(act.kind)
                    ? aboutStaff(t, act, roles)
                    : money(act.money.minor, act.money.currency),
          detail: isAboutShop(act.kind)
            ? shopDetail(context, act, settings, places)
            : isAboutSupply(act.kind)
              ? supplierDetail(context, act)
              : isAboutPayment(act.kind)
                ? paymentDetail(context, money, act)
                : detailOf(act, t, money),
          warnings: isAboutSupply(act.kind)
            ? supplierWarnings(context, act)
            : paymentWarnings(context, money, act, open.get(act.subject) ?? null),
          askedBy: actorName(act.askedBy),
          askedAt: moment(act.askedAt),
          endsAt: act.endsAt && moment(act.endsAt),
          order: act.orderNumber,
          mayDo: isMine ? 'take_back' : mayDecide ? 'decide' : null,
          isAboutPrices: isAboutPrices(act.kind) && act.details['path'] === 'prices' && mayDecide,
          isAboutGoods: isAboutPrices(act.kind) && act.details['path'] === 'goods' && mayDecide,
        }
      }),
    },
  }
}
