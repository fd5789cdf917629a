import { useId, useState } from 'react'
import type { PriceChange } from '#features/office/pricing/schema.ts'
import { minorOf } from '../kit/amount.ts'
import { Labelled } from '../kit/labelled.tsx'
import { useT } from '../words.tsx'
import type { SetPrice } from './levels.ts'
import { Trying, useTrying, type Places } from './trying.tsx'
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
    <section className="panel stack-2" aria-labelledby={`${id}-h`}>
      <h2 id={`${id}-h`}>{heading}</h2>
      <div className="row wrapx">
        <Labelled id={`${id}-item`} label={t('console.prices.item')} fault={faultOf('item')} isWide>
          <input
            className="input mono"
            id={`${id}-item`}
            dir="ltr"
            maxLength={160}
            disabled={price !== null}
            value={item}
            onChange={(event) => setItem(event.target.value.trim())}
          />
        </Labelled>
        {isOfLevel && (
          <Labelled id={`${id}-level`} label={t('console.customers.levelHead')}>
            <input
              className="input num"
              id={`${id}-level`}
              type="number"
              min={1}
              max={999}
              disabled={price !== null}
              value={level}
              onChange={(event) => setLevel(event.target.value)}
            />
          </Labelled>
        )}
        <Labelled
          id={`${id}-currency`}
          label={t('console.method.currency')}
          fault={faultOf('currency')}
        >
          <select
            className="input"
            id={`${id}-currency`}
            disabled={price !== null && !isOfLevel}
            value={currency}
            onChange={(event) => setCurrency(event.target.value)}
          >
            {Object.keys(places).map((code) => (
              <option key={code}>{code}</option>
            ))}
          </select>
        </Labelled>
        <Labelled
          id={`${id}-price`}
          label={t('console.prices.price')}
          hint={t('console.prices.priceHint')}
          fault={isBad ? t('console.method.fault.amount') : faultOf('minor')}
        >
          <input
            className="input num"
            id={`${id}-price`}
            dir="ltr"
            inputMode="decimal"
            maxLength={16}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Labelled>
      </div>
      <Trying change={change} places={places} trying={trying} />
    </section>
  )
}
