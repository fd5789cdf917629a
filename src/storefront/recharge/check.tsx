import { useState } from 'react'
import { PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Panel } from '#ui/panel.tsx'
import { MobileBar, SummaryList, type SummaryRow } from '#ui/summary.tsx'
import { FORM_FIELD } from '../forms/form-field.ts'
import { useHref, useT } from '../i18n.tsx'
import { addToCart, type CartLine } from '../state/cart.ts'
import { orderNow } from '../state/order-now.ts'
import { isSignedIn } from '../state/session.ts'
import { showToast, type ToastMessage } from '../state/toasts.ts'
import { isAmountAsked, usePlan } from './amount.ts'
import { readNumber, useDetected } from './detection.ts'
import type { RechargeData, RechargePlan } from './load.ts'
import { BUY_FORM, isNumberAsked, NUMBER_FIELD } from './number-field.tsx'
import { AMOUNT_INPUT } from './plans.tsx'

type ChosenPlan = NonNullable<ReturnType<typeof usePlan>>

/** Puts a plan for a number into the cart, or orders it at once; asks for the number, or the amount, while there is none. */
function usePurchase(data: RechargeData, plan: RechargePlan | null, chosen: ChosenPlan | null) {
  const t = useT()
  const href = useHref()
  const [isBusy, setBusy] = useState(false)
  /** The plan for the number; null, with the field in sight, while there is none. */
  const readLine = async (): Promise<CartLine | null> => {
    if (!plan || !chosen || !data.operator) return null
    if (plan.amount && chosen.minor === null) {
      isAmountAsked.set(true)
      document.getElementById(AMOUNT_INPUT)?.focus()
      return null
    }
    const number = await readNumber(data.country?.code ?? '')
    if (number !== null)
      return {
        item: plan.item,
        product: data.operator.code,
        quantity: 1,
        fields: { [PHONE_FIELD]: number },
        ...(chosen.minor === null ? {} : { amount: chosen.minor }),
      }
    isNumberAsked.set(true)
    document.getElementById(NUMBER_FIELD)?.focus()
    return null
  }
  const put = async (line: CartLine, onward?: ToastMessage['link']): Promise<boolean> => {
    const outcome = await addToCart(line)
    const number = line.fields[PHONE_FIELD] ?? ''
    if (outcome === 'added')
      showToast('ok', t('recharge.added', { plan: chosen?.label ?? '', number }), TOAST_MS, onward)
    if (outcome === 'full') showToast('error', t('recharge.cartFull'))
    return outcome === 'added'
  }
  const whileBusy = async (act: (line: CartLine) => Promise<void>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    const line = await readLine()
    if (line) await act(line)
    setBusy(false)
  }
  return {
    isBusy,
    add: () =>
      whileBusy(
        async (line) => void (await put(line, { path: '/shop-cart', text: t('shell.cart') })),
      ),
    buy: () =>
      whileBusy(async (line) => {
        if (!isSignedIn()) {
          if (await put(line)) location.assign(href('/shop-cart'))
          return
        }
        const path = await orderNow(line)
        if (path !== null) location.assign(href(path))
      }),
  }
}

/** What is known of the recharge so far, and what is missing. */
function useRows(
  data: RechargeData,
  plan: RechargePlan | null,
  chosen: ChosenPlan | null,
): readonly SummaryRow[] {
  const t = useT()
  const number = useDetected().answer?.number ?? null
  const missing = (text: string) => ({ value: text, look: 'muted' as const })
  const numberRow = {
    label: t('recharge.number'),
    ...(number === null
      ? missing(t('recharge.numberMissing'))
      : { value: <bdi dir="ltr">{number}</bdi> }),
  }
  const operatorRow = {
    label: t('recharge.operator'),
    ...(data.operator
      ? { value: <bdi>{data.operator.name}</bdi> }
      : missing(t('recharge.notChosen'))),
  }
  const isAirtime = plan?.kind === 'airtime'
  const planRow = {
    label: isAirtime ? t('recharge.receives') : t('recharge.plan'),
    ...(chosen?.label ? { value: chosen.label } : missing(t('recharge.notChosen'))),
  }
  return [numberRow, operatorRow, planRow]
}

/** What is about to be bought, and the way into the cart. */
export function Check({
  data,
  plan,
}: {
  readonly data: RechargeData
  readonly plan: RechargePlan | null
}) {
  const t = useT()
  const { country, operator } = data
  const chosen = usePlan(operator?.code ?? null, plan)
  const { isBusy, add, buy } = usePurchase(data, plan, chosen)
  const rows = useRows(data, plan, chosen)
  if (!country || !operator || !plan || plan.price === null)
    return (
      <Panel title={t('recharge.check')}>
        <SummaryList rows={rows} />
      </Panel>
    )
  const total = chosen?.price ?? '…'
  const pay = (isInBar: boolean) => (
    <Button
      {...formButton('buyNow', buy)}
      look="pay"
      size={isInBar ? undefined : 'large'}
      block={!isInBar}
      grow={isInBar}
      busy={isBusy}
    >
      {t('recharge.pay')}
    </Button>
  )
  return (
    <>
      <Panel title={t('recharge.check')}>
        <div className="stack">
          <SummaryList rows={rows} total={{ label: t('recharge.total'), value: total }} />
          <div className="wide-only">{pay(false)}</div>
          <div className="row">
            <Button {...formButton('add', add)} look="edge" grow>
              <Icon name="cart" />
              {t('recharge.add')}
            </Button>
          </div>
          <p className="small muted">{t('recharge.noReturn')}</p>
          {operator.isPortable ? <p className="small muted">{t('recharge.portable')}</p> : null}
        </div>
      </Panel>
      <MobileBar
        name={t('recharge.check')}
        label={`${operator.name} ${chosen?.label ?? ''}`}
        total={total}
      >
        {pay(true)}
      </MobileBar>
    </>
  )
}

/** A button of the form of plans, which without script posts it. */
function formButton(value: 'add' | 'buyNow', act: () => Promise<void>) {
  return {
    type: 'submit',
    form: BUY_FORM,
    name: FORM_FIELD,
    value,
    onClick: (event: { readonly preventDefault: () => void }) => {
      event.preventDefault()
      void act()
    },
    'data-replay': '',
  } as const
}

const TOAST_MS = 5_000
