import { useEffect, useRef, useState } from 'react'
import { internationalNumber, PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import { Button } from '#ui/button.tsx'
import { Denomination, Denominations } from '#ui/denomination.tsx'
import { DetailLayout } from '#ui/detail.tsx'
import { Empty } from '#ui/empty.tsx'
import { SelectField } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { OptionList, OptionRow } from '#ui/option-row.tsx'
import { Panel, Step } from '#ui/panel.tsx'
import { SectionHeader } from '#ui/section.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { MobileBar, SummaryList, type SummaryRow } from '#ui/summary.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useFollowing } from '../goods/following.ts'
import { useHref, useT } from '../i18n.tsx'
import { addToCart, type CartLine } from '../state/cart.ts'
import { orderNow } from '../state/order-now.ts'
import { chosenCountry } from '../state/selection.ts'
import { isSignedIn } from '../state/session.ts'
import { showToast, type ToastMessage } from '../state/toasts.ts'
import type { RechargeData, RechargePlan } from './load.ts'
import {
  DetectedOperator,
  isNumberAsked,
  NUMBER_FIELD,
  NumberField,
  OPERATORS,
  useNational,
} from './number-field.tsx'
import { Marks } from './operator-marks.tsx'
import css from './recharge.module.css'

export function Page({ data }: { readonly data: RechargeData }) {
  const { operator } = data
  const [item, setItem] = useFollowing<string | null>(null)
  const plan =
    operator?.plans.find((entry) => entry.item === item) ??
    operator?.plans.find((entry) => entry.inStock && entry.price !== null) ??
    null
  return (
    <div className="wrap">
      <Crumbs items={data.crumbs} />
      {/* The same frame before and after the operator is found: the number goes on being typed in it. */}
      <DetailLayout
        lead={<h1>{data.title}</h1>}
        aside={<Check data={data} plan={plan} />}
        rest={data.country ? <Operators data={data} /> : <Popular data={data} />}
      >
        <Whose data={data} />
        {operator ? <Plans data={data} plan={plan} onChoose={setItem} /> : null}
      </DetailLayout>
    </div>
  )
}

/** Country and number. Without script the country's operators are chosen from by hand. */
function Whose({ data }: { readonly data: RechargeData }) {
  const t = useT()
  const href = useHref()
  const [country, setCountry] = useFollowing(data.country?.code ?? '')
  const form = useRef<HTMLFormElement>(null)
  const { countries } = data
  const isOpen = data.country === null

  useEffect(() => {
    const kept = chosenCountry()
    if (isOpen && kept !== null && countries.some(({ code }) => code === kept)) setCountry(kept)
    // Only what the page begins with: a choice made since stays.
  }, [isOpen, countries])

  return (
    <Step title={t('recharge.whose')}>
      <form ref={form} action={href(`/mobile-recharge/${data.list}`)} className="stack">
        <div className="two">
          <SelectField
            id="recharge-country"
            name="country"
            label={t('recharge.country')}
            value={country}
            onChange={(event) => {
              setCountry(event.target.value)
              if (event.target.value !== '') form.current?.requestSubmit()
            }}
          >
            <option value="">{t('recharge.chooseCountry')}</option>
            {countries.map((entry) => (
              <option key={entry.code} value={entry.code}>
                {entry.dialCode === ''
                  ? entry.name
                  : t('recharge.countryOption', { country: entry.name, code: entry.dialCode })}
              </option>
            ))}
          </SelectField>
          <NumberField country={data.country} />
        </div>
        <DetectedOperator data={data} />
        {data.operator ? null : (
          <div className={css.submit}>
            <Button type="submit" look="solid">
              {t('recharge.showOperators')}
            </Button>
          </div>
        )}
      </form>
    </Step>
  )
}

function Operators({ data }: { readonly data: RechargeData }) {
  const t = useT()
  const operators = data.country?.operators ?? []
  return (
    <section id={OPERATORS} className={css.choice}>
      <SectionHeader title={t('recharge.operators')} />
      {data.operator ? null : <Lists data={data} />}
      {operators.length === 0 ? (
        <Empty title={t('recharge.noDataTitle')} text={t('recharge.noDataText')} />
      ) : (
        <Marks
          operators={operators.map((operator) => ({
            ...operator,
            isCurrent: operator.code === data.operator?.code,
          }))}
        />
      )}
    </section>
  )
}

function Popular({ data }: { readonly data: RechargeData }) {
  const t = useT()
  return (
    <section className={css.choice}>
      <SectionHeader
        title={t('recharge.popular')}
        note={t('recharge.popularNote', { count: data.countries.length })}
      />
      <Marks
        operators={data.popular.map(({ country, ...operator }) => ({ ...operator, note: country }))}
      />
    </section>
  )
}

function Lists({ data }: { readonly data: RechargeData }) {
  const t = useT()
  const href = useHref()
  return (
    <div className={css.lists}>
      <Segmented
        label={t('recharge.lists')}
        items={data.lists.map(({ list, path, current }) => ({
          href: href(path),
          text: list === 'airtime' ? t('recharge.airtime') : t('recharge.data'),
          current,
        }))}
      />
    </div>
  )
}

function Plans({
  data,
  plan,
  onChoose,
}: {
  readonly data: RechargeData
  readonly plan: RechargePlan | null
  readonly onChoose: (item: string) => void
}) {
  const t = useT()
  const plans = data.operator?.plans ?? []
  return (
    <Step title={t('recharge.choosePlan')}>
      <Lists data={data} />
      {plans.length === 0 ? (
        <Empty title={t('recharge.noPlansTitle')} text={t('recharge.noPlansText')} />
      ) : (
        <PlanChoice list={data.list} plans={plans} plan={plan} onChoose={onChoose} />
      )}
    </Step>
  )
}

/** Airtime is amounts alone, as tiles; data packs have something to say, as lines. */
function PlanChoice({
  list,
  plans,
  plan,
  onChoose,
}: {
  readonly list: RechargeData['list']
  readonly plans: readonly RechargePlan[]
  readonly plan: RechargePlan | null
  readonly onChoose: (item: string) => void
}) {
  const t = useT()
  const label = t('recharge.choosePlan')
  if (list === 'airtime')
    return (
      <Denominations label={label}>
        {plans.map((entry) => (
          <Denomination
            key={entry.item}
            name="plan"
            value={entry.item}
            amount={entry.label}
            price={entry.price ?? ''}
            soldOut={entry.inStock && entry.price !== null ? undefined : t('goods.soldOut')}
            checked={entry.item === plan?.item}
            onChange={() => onChoose(entry.item)}
          />
        ))}
      </Denominations>
    )
  return (
    <OptionList label={label}>
      {plans.map((entry) => (
        <OptionRow
          key={entry.item}
          group="plan"
          value={entry.item}
          name={entry.label}
          total={entry.price ?? undefined}
          totalNote={entry.inStock ? undefined : t('goods.soldOut')}
          checked={entry.item === plan?.item}
          disabled={!entry.inStock || entry.price === null}
          onChange={() => onChoose(entry.item)}
        />
      ))}
    </OptionList>
  )
}

/** Puts a plan for a number into the cart, or orders it at once; asks for the number while there is none. */
function usePurchase({
  operator,
  plan,
  number,
}: {
  readonly operator: string | null
  readonly plan: RechargePlan | null
  readonly number: string | null
}) {
  const t = useT()
  const href = useHref()
  const [isBusy, setBusy] = useState(false)
  /** The plan for the number; null, with the field in sight, while there is none. */
  const readLine = (): CartLine | null => {
    if (number !== null && plan && operator !== null)
      return {
        item: plan.item,
        product: operator,
        quantity: 1,
        fields: { [PHONE_FIELD]: number },
      }
    isNumberAsked.set(true)
    document.getElementById(NUMBER_FIELD)?.focus()
    return null
  }
  const add = async (onward?: ToastMessage['link']): Promise<boolean> => {
    const line = readLine()
    const outcome = line && (await addToCart(line))
    if (outcome === 'added')
      showToast(
        'ok',
        t('recharge.added', { plan: plan?.label ?? '', number: number ?? '' }),
        TOAST_MS,
        onward,
      )
    if (outcome === 'full') showToast('error', t('recharge.cartFull'))
    return outcome === 'added'
  }
  const buy = async (): Promise<void> => {
    if (!isSignedIn()) return void ((await add()) && location.assign(href('/shop-cart')))
    const line = readLine()
    if (!line || isBusy) return
    setBusy(true)
    const path = await orderNow(line)
    setBusy(false)
    if (path !== null) location.assign(href(path))
  }
  return { isBusy, add, buy }
}

/** What is known of the recharge so far, and what is missing. */
function useRows(
  data: RechargeData,
  plan: RechargePlan | null,
  number: string | null,
): readonly SummaryRow[] {
  const t = useT()
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
  const planRow = {
    label: t('recharge.plan'),
    ...(plan ? { value: plan.label } : missing(t('recharge.notChosen'))),
  }
  return [numberRow, operatorRow, planRow]
}

/** What is about to be bought, and the way into the cart. */
function Check({
  data,
  plan,
}: {
  readonly data: RechargeData
  readonly plan: RechargePlan | null
}) {
  const t = useT()
  const national = useNational(data.country)
  const { country, operator } = data
  const number = national === null || !country ? null : internationalNumber(national, country.phone)
  const { isBusy, add, buy } = usePurchase({ operator: operator?.code ?? null, plan, number })
  const rows = useRows(data, plan, number)
  if (!country || !operator || !plan || plan.price === null)
    return (
      <Panel title={t('recharge.check')}>
        <SummaryList rows={rows} />
      </Panel>
    )
  const pay = (isInBar: boolean) => (
    <Button
      look="pay"
      size={isInBar ? undefined : 'large'}
      block={!isInBar}
      grow={isInBar}
      busy={isBusy}
      onClick={() => void buy()}
      data-replay=""
    >
      {t('recharge.pay')}
    </Button>
  )
  return (
    <>
      <Panel title={t('recharge.check')}>
        <div className="stack">
          <SummaryList rows={rows} total={{ label: t('recharge.total'), value: plan.price }} />
          <div className="wide-only">{pay(false)}</div>
          <div className="row">
            <Button
              look="edge"
              grow
              onClick={() => void add({ path: '/shop-cart', text: t('shell.cart') })}
              data-replay=""
            >
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
        label={`${operator.name} ${plan.label}`}
        total={plan.price}
      >
        {pay(true)}
      </MobileBar>
    </>
  )
}

const TOAST_MS = 5_000
