import { Views } from '../kit/views.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { Levels } from './levels-panel.tsx'
import type { PricesData } from './load.ts'
import { Own } from './own-panel.tsx'
import { Rates } from './rates-panel.tsx'
import { Rounding } from './rounding-panel.tsx'
import { Rules } from './rules-panel.tsx'
import { PRICE_VIEWS } from './views.ts'
import { WhyForm } from './why-form.tsx'

/** What prices are made of: rules, rates, rounding and the floor, levels, and prices that were set. */
export function Page({ data }: { readonly data: PricesData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.prices.nav')}</h1>
          <p>{t('console.prices.lead')}</p>
        </div>
      </div>
      <Views
        views={PRICE_VIEWS.map((name) => ({
          name,
          text: t(`console.prices.view.${name}`),
          count: name === 'rates' ? data.held || null : null,
          isUrgent: true,
        }))}
        current={data.shown.view}
        address={(view) => `/prices?view=${view}`}
      />
      <Shown data={data} />
      <section className="panel stack-2" aria-labelledby="why">
        <h2 id="why">{t('console.prices.why')}</h2>
        <WhyForm places={data.places} action={`${CONSOLE_PATH}/prices/why`} />
      </section>
    </>
  )
}

function Shown({ data }: { readonly data: PricesData }) {
  const { shown, places, mayChange } = data
  switch (shown.view) {
    case 'rules':
      return <Rules shown={shown} places={places} mayChange={mayChange} />
    case 'rates':
      return <Rates shown={shown} places={places} mayChange={mayChange} />
    case 'rounding':
      return <Rounding shown={shown} places={places} mayChange={mayChange} />
    case 'levels':
      return <Levels shown={shown} places={places} mayChange={mayChange} />
    case 'own':
      return <Own shown={shown} places={places} mayChange={mayChange} />
  }
}
