import { useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { minorOf } from '../kit/amount.ts'
import { Fault } from '../kit/fault.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { BatchData } from './load.ts'

/** Where the batch was bought and at what cost. Somebody else's change meanwhile is not overwritten. */
export function Terms({ data }: { readonly data: BatchData }) {
  const t = useT()
  const attempt = useAttempt()
  const [supplier, setSupplier] = useState(data.terms.supplier ?? '')
  const [cost, setCost] = useState(data.costText)
  const [currency, setCurrency] = useState(
    data.terms.cost?.currency ?? data.currencies[0]?.code ?? '',
  )
  const { fields } = attempt

  async function save() {
    const places = data.currencies.find(({ code }) => code === currency)?.minorUnits ?? 0
    const typed = cost.trim()
    // What is no amount is refused at its field.
    const minor = typed === '' ? '' : (minorOf(typed, places) ?? typed)
    const is = {
      supplier: supplier.trim() === '' ? null : supplier.trim(),
      cost: minor === '' ? null : { minor, currency },
    }
    const body = { batch: data.row.id, was: data.terms, is }
    if (await attempt.run(() => callConsole('keys/batch_terms', body))) refreshPage()
  }

  return (
    <form
      className="panel stack-2"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div className="row wrapx">
        <Labelled id="terms-supplier" label={t('console.keys.supplier')} fault={fields['supplier']}>
          <input
            className="input"
            id="terms-supplier"
            maxLength={100}
            value={supplier}
            onChange={(event) => setSupplier(event.target.value)}
          />
        </Labelled>
        <CostField
          currencies={data.currencies}
          cost={cost}
          setCost={setCost}
          currency={currency}
          setCurrency={setCurrency}
          fault={fields['cost_minor'] ?? fields['cost_currency']}
        />
      </div>
      <Fault text={attempt.fault} />
      <div className="row">
        <button type="submit" className="btn edge" disabled={attempt.isBusy}>
          {t('console.keys.save')}
        </button>
      </div>
    </form>
  )
}

interface CostFieldProps {
  readonly currencies: BatchData['currencies']
  readonly cost: string
  readonly setCost: (text: string) => void
  readonly currency: string
  readonly setCurrency: (code: string) => void
  readonly fault: string | undefined
}

function CostField({ currencies, cost, setCost, currency, setCurrency, fault }: CostFieldProps) {
  const t = useT()
  return (
    <Labelled id="terms-cost" label={t('console.keys.cost')} fault={fault}>
      <div className="row">
        <input
          className="input num"
          id="terms-cost"
          inputMode="decimal"
          pattern="[0-9]+([.,][0-9]+)?"
          value={cost}
          onChange={(event) => setCost(event.target.value)}
        />
        <select
          className="input"
          aria-label={t('console.keys.currency')}
          value={currency}
          onChange={(event) => setCurrency(event.target.value)}
        >
          {currencies.map(({ code }) => (
            <option key={code}>{code}</option>
          ))}
        </select>
      </div>
    </Labelled>
  )
}
