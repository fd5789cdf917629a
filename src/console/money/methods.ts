import { listStops } from '#features/goods/sale-stop/queries.ts'
import { METHOD_GROUPS, type MethodGroup } from '#features/goods/pay-method/rules.ts'
import { methodText } from '#features/goods/pay-method/views.ts'
import { listMethods } from '#features/office/payment-method/queries.ts'
import { ORDER_SUBJECT } from '#features/office/payment-method/engine/methods.ts'
import { findWaiting } from '#features/team/approval/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { providerName } from '../kit/provider-name.ts'
import { moneyTexts } from '../kit/money.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext } from '../page.ts'
import { termsTexts, type TermsTexts } from './method-texts.ts'

export interface MethodRow extends TermsTexts {
  readonly code: string
  readonly name: string
  readonly provider: string
  readonly group: MethodGroup
  readonly look: StateLook
  readonly state: string
}

export interface MethodsView {
  readonly view: 'methods'
  /** In the cashier's order: by group, and in each as the shop has put them. */
  readonly rows: readonly MethodRow[]
  /** All codes, in the shop's own order. */
  readonly codes: readonly string[]
  readonly version: string
  readonly waits: boolean
  readonly mayChange: boolean
}

export async function loadMethods(context: ConsoleContext): Promise<MethodsView> {
  const { ctx, t, language, paying } = context
  const [{ methods, version }, stops, money, waiting] = await Promise.all([
    listMethods(ctx.db),
    listStops(ctx.db),
    moneyTexts(context),
    findWaiting(ctx.db, 'payment_method', ORDER_SUBJECT, ctx.now()),
  ])
  const isStopped = (code: string) =>
    stops.some((stop) => stop.kind === 'method' && stop.code === code)
  const rows = methods.map(({ method, terms }): MethodRow => {
    const { code, provider, group } = method
    return {
      code,
      name: methodText(method.name, t),
      provider: providerName(t, provider),
      group,
      ...stateOf(context, {
        isSetUp: paying.providers.has(provider),
        isStopped: isStopped(code),
        isOn: terms.enabled,
      }),
      ...termsTexts(t, language.code, money, terms),
    }
  })
  return {
    view: 'methods',
    rows: METHOD_GROUPS.flatMap((group) => rows.filter((row) => row.group === group)),
    codes: methods.map(({ method }) => method.code),
    version,
    waits: waiting !== null,
    mayChange: mayDo(ctx.operator, 'payment.settings'),
  }
}

export function stateOf(
  { t }: Pick<ConsoleContext, 't'>,
  {
    isSetUp,
    isStopped,
    isOn,
  }: { readonly isSetUp: boolean; readonly isStopped: boolean; readonly isOn: boolean },
): { readonly look: StateLook; readonly state: string } {
  if (!isOn) return { look: 'gone', state: t('console.method.off') }
  if (!isSetUp) return { look: 'gone', state: t('console.money.notSetUp') }
  if (isStopped) return { look: 'badge warn', state: t('console.method.stopped') }
  return { look: 'done', state: t('console.method.on') }
}
