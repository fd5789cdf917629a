import { useState, type FormEvent } from 'react'
import { Icon } from '#ui/icon.tsx'
import { sendFile } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { minorOf } from '../kit/amount.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import { Labelled } from '../kit/labelled.tsx'
import { useT } from '../words.tsx'
import type { ShelfData } from './load.ts'

const PASTED = 'pasted.txt'

/** A file, or pasted lines, with what they cost. They are looked through first; what was typed stays where something is wrong. */
export function ImportForm({
  item,
  isPictures,
  currencies,
}: {
  readonly item: string
  /** Its keys are pictures, which may come as an archive. */
  readonly isPictures: boolean
  readonly currencies: ShelfData['currencies']
}) {
  const t = useT()
  const attempt = useAttempt()
  const [file, setFile] = useState<File | null>(null)
  const { fields } = attempt

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const given = new FormData(form)
    const input = { item, file: file?.name ?? PASTED, ...boughtOf(given, currencies) }
    const body = file ?? new Blob([String(given.get('keys') ?? '')])
    if (!(await attempt.run(() => sendFile('keys/import/upload', input, body)))) return
    form.reset()
    setFile(null)
    refreshPage()
  }

  return (
    <section className="panel stack-2" aria-labelledby="import">
      <h2 id="import">{t('console.keys.import')}</h2>
      <p className="hint">{t('console.keys.importLead')}</p>
      {isPictures && <p className="hint">{t('console.keys.importPictures')}</p>}
      <form className="stack-2" onSubmit={(event) => void send(event)}>
        <Labelled id="import-file" label={t('console.keys.file')} fault={fields['file']}>
          <input
            className="input"
            id="import-file"
            type="file"
            onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          />
        </Labelled>
        {file === null && <PasteField />}
        <Bought currencies={currencies} fields={fields} />
        <Fault text={attempt.fault} />
        <button type="submit" className="btn solid" disabled={attempt.isBusy}>
          <Icon name="check" />
          {t('console.keys.check')}
        </button>
      </form>
    </section>
  )
}

/** Where and at what cost the keys were bought, and until when they last, as it was typed. */
function boughtOf(given: FormData, currencies: ShelfData['currencies']) {
  const text = (name: string) => String(given.get(name) ?? '').trim()
  const currency = text('currency')
  const places = currencies.find(({ code }) => code === currency)?.minorUnits ?? 0
  const typed = text('cost')
  // What is no amount is refused at its field.
  const cost = typed === '' ? '' : (minorOf(typed, places) ?? typed)
  return {
    supplier: text('supplier'),
    cost_minor: cost,
    cost_currency: cost === '' ? '' : currency,
    expires_on: text('expires'),
  }
}

function PasteField() {
  const t = useT()
  return (
    <Labelled id="import-keys" label={t('console.keys.paste')} fault={undefined}>
      <textarea
        className="input area mono"
        id="import-keys"
        name="keys"
        rows={5}
        spellCheck={false}
        autoComplete="off"
        dir="ltr"
      />
    </Labelled>
  )
}

function Bought({
  currencies,
  fields,
}: {
  readonly currencies: ShelfData['currencies']
  readonly fields: Attempt['fields']
}) {
  const t = useT()
  return (
    <div className="row wrapx">
      <Labelled id="import-supplier" label={t('console.keys.supplier')} fault={fields['supplier']}>
        <input className="input" id="import-supplier" name="supplier" maxLength={100} />
      </Labelled>
      <CostField currencies={currencies} fault={fields['cost_minor'] ?? fields['cost_currency']} />
      <Labelled id="import-expires" label={t('console.keys.expires')} fault={fields['expires_on']}>
        <input className="input" id="import-expires" name="expires" type="date" />
      </Labelled>
    </div>
  )
}

function CostField({
  currencies,
  fault,
}: {
  readonly currencies: ShelfData['currencies']
  readonly fault: string | undefined
}) {
  const t = useT()
  return (
    <Labelled id="import-cost" label={t('console.keys.cost')} fault={fault}>
      <div className="row">
        <input
          className="input num"
          id="import-cost"
          name="cost"
          inputMode="decimal"
          pattern="[0-9]+([.,][0-9]+)?"
        />
        <select className="input" name="currency" aria-label={t('console.keys.currency')}>
          {currencies.map(({ code }) => (
            <option key={code}>{code}</option>
          ))}
        </select>
      </div>
    </Labelled>
  )
}
