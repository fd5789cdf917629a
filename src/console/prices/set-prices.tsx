import { useId } from 'react'
import { Pager } from '../kit/pager.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { SetPrice } from './levels.ts'

/** Prices that were set, by the codes of their items. */
export function SetPrices({
  heading,
  prices,
  next,
  empty,
  mayChange,
  onChoose,
}: {
  readonly heading: string
  readonly prices: readonly SetPrice[]
  /** Address of the next page, below /console. */
  readonly next: string | null
  readonly empty: string
  readonly mayChange: boolean
  readonly onChoose: (price: SetPrice) => void
}) {
  const t = useT()
  const id = useId()
  return (
    <section className="panel flush" aria-labelledby={id}>
      <div className="panel-h">
        <h2 id={id}>{heading}</h2>
      </div>
      {prices.length === 0 ? (
        <div className="empty">
          <p>{empty}</p>
        </div>
      ) : (
        <div className="scrollx line-t" tabIndex={0} role="group" aria-labelledby={id}>
          <table className="fold">
            <thead>
              <tr>
                <th scope="col">{t('console.prices.item')}</th>
                <th scope="col">{t('console.customers.levelHead')}</th>
                <th scope="col" className="num">
                  {t('console.prices.price')}
                </th>
                <th scope="col">
                  <span className="sr">{t('console.system.acts')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {prices.map((one) => (
                <Row
                  key={`${one.item} ${one.currency} ${one.level}`}
                  price={one}
                  onChoose={mayChange ? onChoose : null}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager next={next} />
    </section>
  )
}

function Row({
  price,
  onChoose,
}: {
  readonly price: SetPrice
  readonly onChoose: ((price: SetPrice) => void) | null
}) {
  const t = useT()
  const { item, currency, level } = price
  return (
    <tr>
      <td className="t">
        <a
          className="link"
          href={`${CONSOLE_PATH}/prices/why?item=${encodeURIComponent(item)}&currency=${currency}&level=${level ?? 0}`}
        >
          {price.name}
        </a>
        <bdi className="sub mono">{item}</bdi>
      </td>
      <td className="m">{level ?? '–'}</td>
      <td className="num a">
        <bdi className="money">{price.price}</bdi>
      </td>
      <td className="end">
        {onChoose && (
          <button type="button" className="btn ghost sm" onClick={() => onChoose(price)}>
            {t('console.people.change')} <span className="sr">{item}</span>
          </button>
        )}
      </td>
    </tr>
  )
}
