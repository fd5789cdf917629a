import { useState } from 'react'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { SetPrice } from './levels.ts'
import type { OwnView } from './own.ts'
import { PriceForm } from './price-form.tsx'
import { SetPrices } from './set-prices.tsx'
import type { Places } from './trying.tsx'

/** Prices that stand in a currency whatever rates and costs do. */
export function Own({
  shown,
  places,
  mayChange,
}: {
  readonly shown: OwnView
  readonly places: Places
  readonly mayChange: boolean
}) {
  const t = useT()
  const [chosen, setChosen] = useState<SetPrice | null>(null)
  const of = shown.currency === null ? '' : `&currency=${shown.currency}`
  return (
    <>
      {mayChange && (
        <PriceForm
          key={chosen ? `${chosen.item} ${chosen.currency}` : 'new'}
          heading={t('console.prices.view.own')}
          price={chosen}
          isOfLevel={false}
          places={places}
        />
      )}
      <form className="row" action={`${CONSOLE_PATH}/prices`} method="get">
        <input type="hidden" name="view" value="own" />
        <select
          className="input"
          name="currency"
          aria-label={t('console.method.currency')}
          defaultValue={shown.currency ?? ''}
        >
          <option value="">{t('console.orders.view.all')}</option>
          {Object.keys(places).map((code) => (
            <option key={code}>{code}</option>
          ))}
        </select>
        <button type="submit" className="btn edge sm">
          {t('console.money.showDay')}
        </button>
      </form>
      <SetPrices
        heading={t('console.prices.view.own')}
        prices={shown.prices}
        next={
          shown.next === null
            ? null
            : `/prices?view=own${of}&after=${encodeURIComponent(shown.next)}`
        }
        empty={t('console.prices.noOwn')}
        mayChange={mayChange}
        onChoose={setChosen}
      />
    </>
  )
}
