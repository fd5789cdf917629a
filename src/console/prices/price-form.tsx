import { useId, useState } from 'react'
import type { PriceChange } from '#features/office/pricing/schema.ts'
import { minorOf } from '../kit/amount.ts'
import { Labelled } from '../kit/labelled.tsx'
import { useT } from '../words.tsx'
import type { SetPrice } from './levels.ts'
import { Trying, useTrying, type Places } from './trying.tsx'
import { TypedField } from './typed-field.tsx'
import { majorOf } from '../kit/share.ts'

/** Sets what one item costs in a currency, or costs a customer level; left empty it takes that back. */
export function PriceForm({
  heading,
  price,
  isOfLevel,
  places,
}: {
  readonly heading: string
  /** What is there; null for a new one. */
  readonly price: SetPrice | null
  readonly isOfLevel: boolean
  readonly places: Places
}) {
  const t = useT()
  const id = useId()
  const [item, setItem] = useState(price?.item ?? '')
  const [currency, setCurrency] = useState(price?.currency ?? 'USD')
  const [level, setLevel] = useState(String(price?.level ?? 1))
  const [typed, setTyped] = useState(price ? majorOf(price.minor, places[price.currency] ?? 2) : '')
  const minor = typed.trim() === '' ? null : minorOf(typed, places[currency] ?? 2)
  const isBad = typed.trim() !== '' && minor === null
  const set = minor === null ? null : { minor, currency }
  const own: PriceChange = isOfLevel
    ? { path: 'level_price', item, level: Number(level), price: set }
    : { path: 'own', item, currency, minor }
  const change = item === '' || isBad || !/^[1-9]\d{0,2}$/.test(level) ? null : own
  const trying = useTrying(change)
  const { fields } = trying.attempt
  const faultOf = (name: string) => fields[name] ?? fields[`change.${name}`]
  return (
    <section className="panel stack-2" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <div className="row wrapx">
        <TypedField
          kind="code"
          label={t('console.prices.item')}
          value={item}
          write={setItem}
          fault={faultOf('item')}
          disabled={price !== null}
        />
        {isOfLevel && (
          <TypedField
            kind="level"
            label={t('console.customers.levelHead')}
            value={level}
            write={setLevel}
            disabled={price !== null}
          />
        )}
        <CurrencyChoice
          places={places}
          value={currency}
          choose={setCurrency}
          fault={faultOf('currency')}
          disabled={price !== null && !isOfLevel}
        />
        <TypedField
          label={t('console.prices.price')}
          value={typed}
          write={setTyped}
          hint={t('console.prices.priceHint')}
          fault={isBad ? t('console.method.fault.amount') : faultOf('minor')}
        />
      </div>
      <Trying change={change} places={places} trying={trying} />
    </section>
  )
}

function CurrencyChoice({
  places,
  value,
  choose,
  fault,
  disabled,
}: {
  readonly places: Places
  readonly value: string
  readonly choose: (code: string) => void
  readonly fault: string | undefined
  readonly disabled: boolean
}) {
  const t = useT()
  const id = useId()
  return (
    <Labelled id={id} label={t('console.method.currency')} fault={fault}>
      <select
        className="input"
        id={id}
        disabled={disabled}
        value={value}
        onChange={(event) => choose(event.target.value)}
      >
        {Object.keys(places).map((code) => (
          <option key={code}>{code}</option>
        ))}
      </select>
    </Labelled>
  )
}
