import { DIMENSIONS, PERIODS } from '#features/office/figure/rules.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { BreakdownView } from './breakdown.ts'
import type { ChartView } from './chart-view.ts'
import type { DeliveryView } from './delivery.ts'
import { DeliveryChart } from './delivery-chart.tsx'
import type { Choice, FiguresView } from './figures.ts'
import { LineChart } from '../kit/line-chart.tsx'
import { Shares } from '../kit/shares.tsx'
import { PartsTable } from './parts.tsx'
import type { Tile } from './tiles.ts'

/** Where the section stands on the page: a choice leads back to it. */
const ANCHOR = 'figures'

const addressOf = (choice: Choice) =>
  `${CONSOLE_PATH}?${new URLSearchParams({ ...choice }).toString()}#${ANCHOR}`

/** What the shop has sold, against the period before; the choice stands in the address. */
export function FiguresSection({ view }: { readonly view: FiguresView }) {
  const t = useT()
  const { choice, shown, currency } = view
  return (
    <section className="stack figures" id={ANCHOR} aria-labelledby="figures-title">
      <div className="pg">
        <div>
          <h2 id="figures-title">{t('console.home.figures')}</h2>
          <p>
            {view.span}
            {view.asOf !== null && ` · ${t('console.home.asOf', { at: view.asOf })}`}
          </p>
        </div>
        <nav className="seg" aria-label={t('console.home.period')}>
          {PERIODS.map((period) => (
            <a
              key={period}
              href={addressOf({ ...choice, period })}
              aria-current={period === choice.period ? 'true' : undefined}
            >
              {t(`console.home.period.${period}`)}
            </a>
          ))}
        </nav>
      </div>
      {view.isBehind && <p className="note">{t('console.home.behind')}</p>}
      {shown ? (
        <>
          <Tiles tiles={shown.tiles} choice={choice} />
          <div className="g2 stretch">
            <ChartPanel chart={shown.chart} />
            <SharesPanel breakdown={shown.breakdown} choice={choice} currency={currency} />
          </div>
          <div className="g2 stretch">
            <PartsPanel breakdown={shown.breakdown} choice={choice} />
            {shown.delivery && <DeliveryPanel delivery={shown.delivery} />}
          </div>
        </>
      ) : (
        <div className="panel empty">
          <h3>{t('console.home.empty')}</h3>
          <p>{t('console.home.emptyText')}</p>
        </div>
      )}
    </section>
  )
}

function Tiles({ tiles, choice }: { readonly tiles: readonly Tile[]; readonly choice: Choice }) {
  const t = useT()
  return (
    <nav className="panel flush" aria-label={t('console.home.figures')}>
      <ul className="figs">
        {tiles.map(({ show, value, change, note, beside }) => (
          <li key={show}>
            <a
              href={addressOf({ ...choice, show })}
              aria-current={show === choice.show ? 'true' : undefined}
            >
              <span className="n">{t(`console.home.show.${show}`)}</span>
              <bdi className="v">{value}</bdi>
              <small>
                {change && (
                  <>
                    <b className={change.look === 'same' ? undefined : change.look}>
                      <bdi>{change.text}</bdi>
                    </b>{' '}
                  </>
                )}
                {note}
              </small>
              {beside !== undefined && <small>{beside}</small>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function ChartPanel({ chart }: { readonly chart: ChartView }) {
  const t = useT()
  return (
    <section className="panel stack-2" aria-labelledby="chart-title">
      <div className="row between wrapx">
        <h3 id="chart-title">
          {t(`console.home.show.${chart.show}`)}{' '}
          <small className="hint">{t(`console.home.per.${chart.per}`)}</small>
        </h3>
      </div>
      <LineChart key={`${chart.show} ${chart.per}`} chart={chart} />
    </section>
  )
}

function SharesPanel({
  breakdown,
  choice,
  currency,
}: {
  readonly breakdown: BreakdownView
  readonly choice: Choice
  readonly currency: string
}) {
  const t = useT()
  return (
    <section className="panel stack-2" aria-labelledby="shares-title">
      <h3 id="shares-title">{t('console.home.breakdown')}</h3>
      <nav className="seg" aria-label={t('console.home.breakdown')}>
        {DIMENSIONS.map((by) => (
          <a
            key={by}
            href={addressOf({ ...choice, by })}
            aria-current={by === choice.by ? 'true' : undefined}
          >
            {t(`console.home.by.${by}`)}
          </a>
        ))}
      </nav>
      <Shares rows={breakdown.rows} />
      <p className="hint push">
        {currency === 'USD' ? t('console.home.inUsd') : t('console.home.inCurrency', { currency })}
      </p>
    </section>
  )
}

function PartsPanel({
  breakdown,
  choice,
}: {
  readonly breakdown: BreakdownView
  readonly choice: Choice
}) {
  const t = useT()
  return (
    <section className="panel flush" aria-labelledby="parts-title">
      <div className="panel-h">
        <h3 id="parts-title">{t(`console.home.by.${choice.by}`)}</h3>
      </div>
      <PartsTable rows={breakdown.rows} name={t(`console.home.by.${choice.by}`)} />
    </section>
  )
}

function DeliveryPanel({ delivery }: { readonly delivery: DeliveryView }) {
  const t = useT()
  return (
    <section className="panel stack-2" aria-labelledby="delivery-title">
      <div className="row between wrapx">
        <h3 id="delivery-title">{t('console.home.delivery')}</h3>
        <span className="hint">{delivery.units}</span>
      </div>
      <DeliveryChart delivery={delivery} />
    </section>
  )
}
