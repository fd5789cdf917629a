import { Denomination, Denominations } from '#ui/denomination.tsx'
import { Empty } from '#ui/empty.tsx'
import { FieldFault, TextField } from '#ui/field.tsx'
import { OptionList, OptionRow } from '#ui/option-row.tsx'
import { Step } from '#ui/panel.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { useEffect, useState } from 'react'
import { useHref, useT } from '../i18n.tsx'
import { useStore } from '../state/use-store.ts'
import { amountText, isAmountAsked, soldAmount } from './amount.ts'
import { AMOUNT, AMOUNT_DIGITS, AMOUNT_ITEM, ITEM } from './fields.ts'
import type { RechargeAmount, RechargeData, RechargePlan } from './load.ts'
import { BUY_FORM } from './number-field.tsx'
import css from './recharge.module.css'

/** Id of the field of an amount of one's own. */
export const AMOUNT_INPUT = 'recharge-amount'

export function Lists({ data }: { readonly data: RechargeData }) {
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

/** The form of what is bought: without script it is posted as it stands. */
export function Plans({
  data,
  plan,
  onChoose,
}: {
  readonly data: RechargeData
  readonly plan: RechargePlan | null
  readonly onChoose: (item: string) => void
}) {
  const t = useT()
  const href = useHref()
  const plans = data.operator?.plans ?? []
  const free = plans.find(({ amount }) => amount !== null)
  const fault = data.posted?.faults.plan
  return (
    <Step title={t('recharge.choosePlan')}>
      <Lists data={data} />
      {plans.length === 0 ? (
        <Empty title={t('recharge.noPlansTitle')} text={t('recharge.noPlansText')} />
      ) : (
        <form
          id={BUY_FORM}
          method="post"
          action={href(data.form)}
          className="stack"
          onSubmit={(event) => event.preventDefault()}
        >
          {fault === undefined ? null : <FieldFault>{fault}</FieldFault>}
          <PlanChoice list={data.list} plans={plans} plan={plan} onChoose={onChoose} />
          {free?.amount ? (
            <AmountField
              data={data}
              item={free.item}
              amount={free.amount}
              isChosen={free === plan}
              onChoose={onChoose}
            />
          ) : null}
        </form>
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
            name={ITEM}
            value={entry.item}
            amount={entry.amount ? t('recharge.ownAmount') : entry.label}
            price={entry.amount ? entry.label : (entry.price ?? '')}
            wide={entry.amount !== null}
            data-range={entry.amount ? '' : undefined}
            soldOut={entry.inStock && entry.price !== null ? undefined : notSold(t, entry)}
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
          group={ITEM}
          value={entry.item}
          name={entry.label}
          total={entry.price ?? undefined}
          totalNote={entry.inStock ? undefined : notSold(t, entry)}
          checked={entry.item === plan?.item}
          disabled={!entry.inStock || entry.price === null}
          onChange={() => onChoose(entry.item)}
        />
      ))}
    </OptionList>
  )
}

/** Why a plan cannot be had now. */
const notSold = (t: ReturnType<typeof useT>, { isStopped }: RechargePlan) =>
  t(isStopped ? 'goods.stopped' : 'goods.soldOut')

/** Always there for whom no script runs; else once it is chosen. */
function AmountField({
  data,
  item,
  amount,
  isChosen,
  onChoose,
}: {
  readonly data: RechargeData
  readonly item: string
  readonly amount: RechargeAmount
  readonly isChosen: boolean
  readonly onChoose: (item: string) => void
}) {
  const t = useT()
  const { posted } = data
  const text = useStore(amountText)
  const isAsked = useStore(isAmountAsked)
  const [isFresh, setFresh] = useState(true)
  useEffect(() => {
    if (posted?.amount) amountText.set(posted.amount)
    setFresh(false)
  }, [posted])
  const limits = { min: amount.min.text, max: amount.max.text, step: amount.step.text }
  const bad = t('recharge.amountBad', limits)
  const isBad = isAsked && soldAmount(amount, text) === null
  const fault = isFresh || text === posted?.amount ? posted?.faults.amount : undefined
  return (
    <div className={isChosen ? undefined : css.unchosen}>
      <input type="hidden" name={AMOUNT_ITEM} value={item} />
      <input type="hidden" name={AMOUNT_DIGITS} value={amount.digits} />
      <TextField
        id={AMOUNT_INPUT}
        name={AMOUNT}
        inputMode="decimal"
        dir="ltr"
        autoComplete="off"
        maxLength={20}
        label={t('recharge.amountIn', { currency: amount.currency })}
        hint={t('goods.amountRange', limits)}
        message={
          fault !== undefined
            ? { tone: 'error', text: fault }
            : isBad
              ? { tone: 'error', text: bad }
              : undefined
        }
        value={isFresh ? (posted?.amount ?? '') : text}
        onChange={(event) => {
          amountText.set(event.target.value)
          isAmountAsked.set(false)
          onChoose(item)
        }}
        onBlur={() => {
          if (text.trim() !== '') isAmountAsked.set(true)
        }}
      />
    </div>
  )
}
