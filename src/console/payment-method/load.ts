import { readShopCurrency } from '#features/base/shop/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { listStops } from '#features/goods/sale-stop/queries.ts'
import { methodText } from '#features/goods/pay-method/views.ts'
import { listMethods } from '#features/office/payment-method/queries.ts'
import type { MethodTerms } from '#features/office/payment-method/engine/methods.ts'
import { findWaiting } from '#features/team/approval/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { providerName } from '../kit/provider-name.ts'
import { moneyTexts } from '../kit/money.ts'
import type { StateLook } from '../kit/state.tsx'
import { stateOf } from '../money/methods.ts'
import { termsTexts, type TermsTexts } from '../money/method-texts.ts'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface MethodData {
  readonly code: string
  readonly name: string
  readonly provider: string
  readonly providerName: string
  readonly look: StateLook
  readonly state: string
  readonly terms: MethodTerms
  readonly texts: TermsTexts
  readonly version: string
  readonly currencies: readonly {
    readonly code: string
    readonly name: string
    readonly places: number
  }[]
  /** In which limits are said where there are none yet. */
  readonly shopCurrency: string
  readonly waits: boolean
  readonly mayChange: boolean
}

export async function load(context: ConsoleContext): Promise<Loaded<MethodData>> {
  const { ctx, t, language, params, paying } = context
  const code = params['code'] ?? ''
  const [{ methods }, stops, currencies, money, shop, waiting] = await Promise.all([
    listMethods(ctx.db),
    listStops(ctx.db),
    listCurrencies(ctx.db),
    moneyTexts(context),
    readShopCurrency(ctx.db),
    findWaiting(ctx.db, 'payment_method', code, ctx.now()),
  ])
  const known = methods.find(({ method }) => method.code === code)
  if (!known) throw new AppError('not_found')
  const { method, terms, version } = known
  const name = methodText(method.name, t)
  const names = new Intl.DisplayNames(language.intl, { type: 'currency' })
  return {
    title: name,
    data: {
      code,
      name,
      provider: method.provider,
      providerName: providerName(t, method.provider),
      ...stateOf(context, {
        isSetUp: paying.providers.has(method.provider),
        isStopped: stops.some((stop) => stop.kind === 'method' && stop.code === code),
        isOn: terms.enabled,
      }),
      terms,
      texts: termsTexts(t, language.code, money, terms),
      version,
      currencies: currencies.map((each) => ({
        code: each.code,
        name: names.of(each.code) ?? each.code,
        places: each.minorUnits,
      })),
      shopCurrency: shop.code,
      waits: waiting !== null,
      mayChange: mayDo(ctx.operator, 'payment.settings'),
    },
  }
}
