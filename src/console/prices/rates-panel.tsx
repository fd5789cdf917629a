import { useId, useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { HeldRow, RateRow, RatesView } from './rates.ts'
import { Trying, useTrying, type Places } from './trying.tsx'
import { TypedField } from './typed-field.tsx'

const LOOKS = { stopped: 'badge bad', old: 'badge warn', used: 'done' } as const
const RATE = /^(?=.*[1-9])\d{1,9}(?:\.\d{1,12})?$/

interface Props {
  readonly shown: RatesView
  readonly places: Places
  readonly mayChange: boolean
}

/** The rates that prices are converted by: those that jump first, then those that are old. */
export function Rates({ shown, places, mayChange }: Props) {
  const t = useT()
  const heading = useId()
  const [currency, setCurrency] = useState<string | null>(null)
  return (
    <>
      {shown.held.map((rate) => (
        <Held key={rate.id} rate={rate} places={places} mayChange={mayChange} />
      ))}
      {currency !== null && <ByHand key={currency} currency={currency} places={places} />}
      {shown.history && <History history={shown.history} />}
      <section className="panel flush" aria-labelledby={heading}>
        <div className="panel-h">
          <h2 id={heading}>{t('console.prices.view.rates')}</h2>
          <p>{t('console.prices.ratesLead')}</p>
        </div>
        <div className="scrollx line-t" tabIndex={0} role="group" aria-labelledby={heading}>
          <table className="fold">
            <thead>
              <tr>
                <th scope="col">{t('console.method.currency')}</th>
                <th scope="col" className="num">
                  {t('console.prices.perUsd')}
                </th>
                <th scope="col">{t('console.prices.source')}</th>
                <th scope="col" className="num c3">
                  {t('console.prices.spread')}
                </th>
                <th scope="col">{t('console.prices.published')}</th>
                <th scope="col">{t('console.orders.state')}</th>
                <th scope="col">
                  <span className="sr">{t('console.system.acts')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.rates.map((rate) => (
                <Rate
                  key={rate.currency}
                  rate={rate}
                  onEnter={mayChange && rate.currency !== 'USD' ? setCurrency : null}
                />
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </>
  )
}

function Rate({
  rate,
  onEnter,
}: {
  readonly rate: RateRow
  /** Null where none may be typed. */
  readonly onEnter: ((currency: string) => void) | null
}) {
  const t = useT()
  return (
    <tr id={`rate-${rate.currency}`}>
      <td className="t">
        <a className="link" href={`${CONSOLE_PATH}/prices?view=rates&currency=${rate.currency}`}>
          {rate.currency}
        </a>
      </td>
      <td className="num a">
        <bdi>{rate.perUsd}</bdi>
      </td>
      <td className="m">
        <bdi>{rate.source}</bdi>
      </td>
      <td className="num c3">{rate.spread}</td>
      <td className="m">{rate.published}</td>
      <td className="s">
        <State look={LOOKS[rate.state]} text={t(`console.prices.rateState.${rate.state}`)} />
        {rate.state === 'old' && rate.stops !== null && (
          <small>{t('console.prices.stops', { at: rate.stops })}</small>
        )}
      </td>
      <td className="end">
        {onEnter && (
          <button type="button" className="btn ghost sm" onClick={() => onEnter(rate.currency)}>
            {t('console.prices.enterRate')} <span className="sr">{rate.currency}</span>
          </button>
        )}
      </td>
    </tr>
  )
}

/** A rate that is far from the one in force: it waits until somebody says whether it is true. */
function Held({
  rate,
  places,
  mayChange,
}: {
  readonly rate: HeldRow
  readonly places: Places
  readonly mayChange: boolean
}) {
  const t = useT()
  const heading = useId()
  const attempt = useAttempt()
  const change = { path: 'rate_accept', id: rate.id } as const
  const trying = useTrying(change)
  async function refuse() {
    if (await attempt.run(() => callConsole('prices/rates/refuse', { id: rate.id }))) refreshPage()
  }
  return (
    <section className="panel stack-2" aria-labelledby={heading}>
      <h2 id={heading} className="row wrapx">
        {rate.currency}
        <State look="badge warn" text={t('console.prices.jumped', { change: rate.change })} />
      </h2>
      <p>
        {t('console.prices.heldText', {
          source: rate.source,
          rate: rate.perUsd,
          before: rate.inForce,
          at: rate.published,
        })}
      </p>
      {mayChange && (
        <>
          <Trying change={change} places={places} trying={trying} />
          <Fault text={attempt.fault} />
          <div className="row">
            <button
              type="button"
              className="btn ghost"
              disabled={attempt.isBusy}
              onClick={() => void refuse()}
            >
              {t('console.prices.refuseRate')}
            </button>
          </div>
        </>
      )}
    </section>
  )
}

function ByHand({ currency, places }: { readonly currency: string; readonly places: Places }) {
  const t = useT()
  const id = useId()
  const [typed, setTyped] = useState('')
  const text = typed.trim().replace(',', '.')
  const isRate = RATE.test(text)
  const change = isRate ? ({ path: 'rate', currency, per_usd: text } as const) : null
  const trying = useTrying(change)
  return (
    <section className="panel stack-2" aria-labelledby={id}>
      <h2 id={id}>
        {t('console.prices.enterRate')} {currency}
      </h2>
      <TypedField
        label={t('console.prices.perUsd')}
        value={typed}
        write={setTyped}
        fault={typed !== '' && !isRate ? t('console.prices.fault.rate') : undefined}
      />
      <Trying change={change} places={places} trying={trying} />
    </section>
  )
}

const [WIDTH, HEIGHT] = [320, 48]

/** The rates that were in force, as a line and as a table. */
function History({ history }: { readonly history: NonNullable<RatesView['history']> }) {
  const t = useT()
  const heading = useId()
  const values = history.points.map(({ perUsd }) => Number(perUsd)).toReversed()
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const step = WIDTH / Math.max(1, values.length - 1)
  const yOf = (value: number) =>
    most === least ? HEIGHT / 2 : HEIGHT - 2 - ((value - least) / (most - least)) * (HEIGHT - 4)
  const line = values.map((value, index) => `${index * step},${yOf(value)}`).join(' ')
  return (
    <section className="panel stack-2" aria-labelledby={heading}>
      <h2 id={heading}>
        {t('console.prices.history')} {history.currency}
      </h2>
      {values.length > 1 && (
        <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
          <polyline points={line} fill="none" stroke="currentColor" strokeWidth="1.5" />
        </svg>
      )}
      {/* One rate is no line. */}
      <details className="astable" open={values.length < 2}>
        <summary>{t('console.home.asTable')}</summary>
        <div className="scrollx" tabIndex={0} role="group" aria-labelledby={heading}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('console.money.since')}</th>
                <th scope="col" className="num">
                  {t('console.prices.perUsd')}
                </th>
                <th scope="col">{t('console.prices.source')}</th>
              </tr>
            </thead>
            <tbody>
              {history.points.map((point) => (
                <tr key={`${point.at} ${point.perUsd}`}>
                  <th scope="row">{point.at}</th>
                  <td className="num">
                    <bdi>{point.perUsd}</bdi>
                  </td>
                  <td>
                    <bdi>{point.source}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  )
}
