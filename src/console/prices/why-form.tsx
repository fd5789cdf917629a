import { useId } from 'react'
import { Labelled } from '../kit/labelled.tsx'
import { useT } from '../words.tsx'
import type { Places } from './trying.tsx'

/** Asks how a price comes about: what is asked for stands in the address. */
export function WhyForm({
  places,
  action,
  asked = { item: '', currency: 'USD', level: '0', at: '' },
}: {
  readonly places: Places
  readonly action: string
  readonly asked?: {
    readonly item: string
    readonly currency: string
    readonly level: string
    readonly at: string
  }
}) {
  const t = useT()
  const id = useId()
  return (
    <form className="row wrapx" action={action} method="get" role="search">
      <Labelled id={`${id}-item`} label={t('console.prices.item')} isWide>
        <input
          className="input mono"
          id={`${id}-item`}
          name="item"
          dir="ltr"
          maxLength={160}
          defaultValue={asked.item}
          required
        />
      </Labelled>
      <Labelled id={`${id}-currency`} label={t('console.method.currency')}>
        <select
          className="input"
          id={`${id}-currency`}
          name="currency"
          defaultValue={asked.currency}
        >
          {Object.keys(places).map((code) => (
            <option key={code}>{code}</option>
          ))}
        </select>
      </Labelled>
      <Labelled id={`${id}-level`} label={t('console.customers.levelHead')}>
        <input
          className="input num"
          id={`${id}-level`}
          name="level"
          type="number"
          min={0}
          max={999}
          defaultValue={asked.level}
        />
      </Labelled>
      <Labelled id={`${id}-at`} label={t('console.prices.at')}>
        <input
          className="input"
          id={`${id}-at`}
          name="at"
          type="datetime-local"
          defaultValue={asked.at}
        />
      </Labelled>
      <button type="submit" className="btn edge">
        {t('console.prices.why')}
      </button>
    </form>
  )
}
