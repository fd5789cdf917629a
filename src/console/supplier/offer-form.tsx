import { useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { minorOf } from '../kit/amount.ts'
import { Fault } from '../kit/fault.tsx'
import { Choice, LineField } from '../kit/fields.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import { Asked, type Waits } from './asked.tsx'
import type { RoutingView } from './routing.ts'

const EMPTY = { item: '', product: '', amount: '', priority: '0' }

/** Says by hand that an item is bought here, as what and for how much; a sync says it of what it lists by itself. */
export function OfferForm({
  code,
  currencies,
}: {
  readonly code: string
  readonly currencies: RoutingView['currencies']
}) {
  const t = useT()
  const attempt = useAttempt()
  const [typed, setTyped] = useState(EMPTY)
  const [isWaiting, setIsWaiting] = useState(false)
  const [currency, setCurrency] = useState('USD')
  const places = currencies.find((one) => one.code === currency)?.places ?? 0
  const field = (name: keyof typeof EMPTY, label: string, max: number, at: string = name) => (
    <LineField
      label={label}
      value={typed[name]}
      max={max}
      write={(value) => setTyped({ ...typed, [name]: value })}
      fault={attempt.fields[at]}
      required
    />
  )
  const save = async () => {
    const done = await attempt.run(() =>
      callConsole<Waits>('suppliers/offers/set', {
        supplier: code,
        item: typed.item.trim(),
        product: typed.product,
        priority: Number(typed.priority),
        amount_minor: minorOf(typed.amount, places) ?? '',
        currency,
      }),
    )
    if (!done) return
    setTyped(EMPTY)
    setIsWaiting(done.waits_for_approval !== null)
    refreshPage()
  }
  return (
    <details className="panel">
      <summary>{t('console.supplier.bought')}</summary>
      <form
        className="stack-2"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {field('item', t('console.supplier.itemCode'), 160)}
        {field('product', t('console.suppliers.theirs'), 200)}
        <div className="row wrapx">
          {field('amount', t('console.suppliers.cost'), 20, 'amount_minor')}
          <Choice
            label={t('console.supplier.currency')}
            value={currency}
            options={currencies.map((one) => ({ value: one.code, text: one.code }))}
            choose={setCurrency}
          />
          {field('priority', t('console.suppliers.criterion.priority'), 4)}
        </div>
        <Fault text={attempt.fault} />
        {isWaiting && <Asked />}
        <button type="submit" className="btn edge" disabled={attempt.isBusy}>
          {t('console.suppliers.save')}
        </button>
      </form>
    </details>
  )
}
