import { useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { minorOf } from '../kit/amount.ts'
import { Fault } from '../kit/fault.tsx'
import { Choice, LineField } from '../kit/fields.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { BooksView } from './books.ts'

/** What the books say of a supplier beside what it says itself, and noting what was sent there, given by it or billed. */
export function Books({ code, shown }: { readonly code: string; readonly shown: BooksView }) {
  const t = useT()
  return (
    <div className="g2 half">
      <section className="panel flush" aria-labelledby="books">
        <div className="panel-h">
          <h2 id="books">{t('console.supplier.view.books')}</h2>
        </div>
        <div className="scrollx line-t" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th className="num">{t('console.supplier.prepaid')}</th>
                <th className="num">{t('console.supplier.reserved')}</th>
                <th className="num">{t('console.supplier.goodsCost')}</th>
                <th className="num">{t('console.supplier.losses')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.sums.map((sum) => (
                <tr key={sum.currency}>
                  {[sum.prepaid, sum.reserved, sum.cost, sum.losses].map((amount, at) => (
                    <td key={at} className="num">
                      <bdi className="money">{amount}</bdi>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {shown.readings.length === 0 ? (
          <p className="hint panel-h">{t('console.supplier.noReadings')}</p>
        ) : (
          <div className="scrollx line-t" tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th>{t('console.supplier.at')}</th>
                  <th className="num">{t('console.suppliers.theirs')}</th>
                  <th className="num">{t('console.suppliers.ours')}</th>
                </tr>
              </thead>
              <tbody>
                {shown.readings.map((reading) => (
                  <tr key={`${reading.at} ${reading.told}`}>
                    <td>{reading.at}</td>
                    <td className="num">
                      <bdi className="money">{reading.told}</bdi>
                    </td>
                    <td className="num">
                      <bdi className="money">{reading.booked}</bdi>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
      {shown.mayNote && <Noting code={code} shown={shown} />}
    </div>
  )
}

const KINDS = ['topup', 'commission', 'invoice', 'credit_note'] as const

/** One form for what is noted of money with a supplier. */
function Noting({ code, shown }: { readonly code: string; readonly shown: BooksView }) {
  const t = useT()
  const attempt = useAttempt()
  const [kind, setKind] = useState<(typeof KINDS)[number]>('topup')
  const [amount, setAmount] = useState('')
  const [currency, setCurrency] = useState(shown.currency)
  const [reference, setReference] = useState('')
  const [days, setDays] = useState({ from: '', until: '' })
  const [isDone, setDone] = useState(false)
  const places = shown.currencies.find((one) => one.code === currency)?.places ?? 0
  const isBill = kind === 'invoice' || kind === 'credit_note'
  const money = { supplier: code, amount_minor: minorOf(amount, places) ?? '', currency }
  const call = () =>
    isBill
      ? callConsole('suppliers/invoices/note', { ...money, kind, number: reference, ...days })
      : callConsole(`suppliers/${kind}`, { ...money, reference })
  return (
    <form
      className="panel stack-2"
      onSubmit={(event) => {
        event.preventDefault()
        void attempt.run(call).then((done) => {
          setDone(done !== null)
          if (done === null) return
          setAmount('')
          setReference('')
          refreshPage()
        })
      }}
    >
      <h2>{t('console.supplier.note')}</h2>
      <Choice
        label={t('console.supplier.what')}
        hint={t(`console.supplier.noteText.${kind}`)}
        value={kind}
        options={KINDS.map((value) => ({ value, text: t(`console.supplier.noteKind.${value}`) }))}
        choose={(value) => setKind(KINDS.find((one) => one === value) ?? 'topup')}
      />
      <Amount
        amount={amount}
        setAmount={setAmount}
        currency={currency}
        setCurrency={setCurrency}
        currencies={shown.currencies}
        fault={attempt.fields['amount_minor']}
      />
      <LineField
        label={t(isBill ? 'console.supplier.number' : 'console.supplier.reference')}
        value={reference}
        max={isBill ? 100 : 200}
        write={setReference}
        fault={attempt.fields['reference'] ?? attempt.fields['number']}
        required
      />
      {isBill && <Days days={days} write={setDays} fields={attempt.fields} />}
      <Fault text={attempt.fault} />
      <p role="status">{isDone && t('console.acts.done')}</p>
      <button type="submit" className="btn solid" disabled={attempt.isBusy}>
        {t('console.supplier.note')}
      </button>
    </form>
  )
}

function Amount({
  amount,
  setAmount,
  currency,
  setCurrency,
  currencies,
  fault,
}: {
  readonly amount: string
  readonly setAmount: (value: string) => void
  readonly currency: string
  readonly setCurrency: (value: string) => void
  readonly currencies: BooksView['currencies']
  readonly fault: string | undefined
}) {
  const t = useT()
  return (
    <div className="row wrapx">
      <LineField
        label={t('console.supplier.amount')}
        value={amount}
        max={20}
        write={setAmount}
        fault={fault}
        required
      />
      <Choice
        label={t('console.supplier.currency')}
        value={currency}
        options={currencies.map((one) => ({ value: one.code, text: one.code }))}
        choose={setCurrency}
      />
    </div>
  )
}

interface BillDays {
  readonly from: string
  readonly until: string
}

function Days({
  days,
  write,
  fields,
}: {
  readonly days: BillDays
  readonly write: (days: BillDays) => void
  readonly fields: Readonly<Record<string, string>>
}) {
  const t = useT()
  return (
    <div className="row wrapx">
      {(['from', 'until'] as const).map((end) => (
        <Labelled
          key={end}
          id={`bill-${end}`}
          label={t(`console.supplier.${end}`)}
          fault={fields[end]}
        >
          <input
            className="input"
            id={`bill-${end}`}
            type="date"
            required
            value={days[end]}
            onChange={(event) => write({ ...days, [end]: event.target.value })}
          />
        </Labelled>
      ))}
    </div>
  )
}
