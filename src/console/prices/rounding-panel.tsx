import { useId, useState } from 'react'
import type { PriceChange } from '#features/office/pricing/schema.ts'
import { minorOf } from '../kit/amount.ts'
import { Choice } from '../kit/fields.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { CurrencyRow, RoundingView } from './rounding.ts'
import { Trying, useTrying, type Places } from './trying.tsx'
import { majorOf, pointsOf, shareOf } from '../kit/share.ts'

const MOST_MARGIN = 5_000

interface Props {
  readonly shown: RoundingView
  readonly places: Places
  readonly mayChange: boolean
}

/** How prices of each currency end, and below what nothing is sold. */
export function Rounding({ shown, places, mayChange }: Props) {
  const t = useT()
  const heading = useId()
  const [edited, setEdited] = useState<CurrencyRow | null>(null)
  return (
    <>
      <Floor shown={shown} places={places} mayChange={mayChange} />
      {edited && <CurrencyForm key={edited.code} row={edited} places={places} />}
      <section className="panel flush" aria-labelledby={heading}>
        <div className="panel-h">
          <h2 id={heading}>{t('console.prices.view.rounding')}</h2>
        </div>
        <div className="scrollx line-t" tabIndex={0} role="group" aria-labelledby={heading}>
          <table className="fold">
            <thead>
              <tr>
                <th scope="col">{t('console.method.currency')}</th>
                <th scope="col" className="num">
                  {t('console.prices.ownMargin')}
                </th>
                <th scope="col" className="num">
                  {t('console.prices.step')}
                </th>
                <th scope="col">{t('console.order.step.rounding')}</th>
                <th scope="col">{t('console.prices.charmEnding')}</th>
                <th scope="col">
                  <span className="sr">{t('console.system.acts')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.currencies.map((row) => (
                <tr key={row.code} id={`currency-${row.code}`}>
                  <td className="t">
                    <b>{row.code}</b> {!row.isSold && <small>{t('console.prices.notSold')}</small>}
                  </td>
                  <td className="num a">{row.margin}</td>
                  <td className="num m">
                    <bdi className="money">{row.incrementText}</bdi>
                  </td>
                  <td className="s">{t(`console.prices.mode.${row.mode}`)}</td>
                  <td className="m">
                    <bdi className="money">{row.charmText ?? '–'}</bdi>
                  </td>
                  <td className="end">
                    {mayChange && (
                      <button type="button" className="btn ghost sm" onClick={() => setEdited(row)}>
                        {t('console.people.change')} <span className="sr">{row.code}</span>
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </>
  )
}

/** Below what nothing is sold, and what that keeps from being sold. */
function Floor({ shown, places, mayChange }: Props) {
  const t = useT()
  const id = useId()
  const [typed, setTyped] = useState(shown.floor ? shareOf(shown.floor.basis_points) : '')
  const [afterFees, setAfterFees] = useState(shown.floor?.after_fees ?? true)
  const points = pointsOf(typed)
  const isOff = typed.trim() === ''
  const change: PriceChange | null = isOff
    ? { path: 'floor', floor: null }
    : points === null
      ? null
      : { path: 'floor', floor: { basis_points: points, after_fees: afterFees } }
  const trying = useTrying(change)
  return (
    <section className="panel stack-2" aria-labelledby={`${id}-h`}>
      <h2 id={`${id}-h`}>{t('console.order.step.floor')}</h2>
      <p>{t('console.prices.floorText')}</p>
      {mayChange && (
        <>
          <div className="row wrapx">
            <Labelled
              id={id}
              label={t('console.prices.floorPercent')}
              hint={t('console.prices.floorHint')}
              fault={
                !isOff && points === null
                  ? t('console.prices.fault.percent', { most: '1000' })
                  : undefined
              }
            >
              <input
                className="input num"
                id={id}
                dir="ltr"
                inputMode="decimal"
                maxLength={8}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            </Labelled>
            <label className="check">
              <input
                type="checkbox"
                checked={afterFees}
                onChange={(event) => setAfterFees(event.target.checked)}
              />
              {t('console.prices.afterFees')}
            </label>
          </div>
          <Trying change={change} places={places} trying={trying} />
        </>
      )}
      {shown.withheld.length > 0 && (
        <details>
          <summary>{t('console.prices.withheld')}</summary>
          <ul className="stack-2">
            {shown.withheld.map(({ item, currencies }) => (
              <li key={item}>
                <a
                  className="link mono small"
                  href={`${CONSOLE_PATH}/prices/why?item=${encodeURIComponent(item)}&currency=${currencies.slice(0, 3)}`}
                >
                  <bdi>{item}</bdi>
                </a>{' '}
                <bdi>{currencies}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function CurrencyForm({ row, places }: { readonly row: CurrencyRow; readonly places: Places }) {
  const t = useT()
  const id = useId()
  const digits = places[row.code] ?? 2
  const [margin, setMargin] = useState(shareOf(row.points))
  const [step, setStep] = useState(majorOf(row.increment, digits))
  const [mode, setMode] = useState<'half_up' | 'up'>(row.mode)
  const [ending, setEnding] = useState(
    row.charm ? majorOf(String(row.charm.ending_minor), digits) : '',
  )
  const [every, setEvery] = useState(
    row.charm ? majorOf(String(row.charm.every_minor), digits) : '',
  )
  const points = pointsOf(margin, MOST_MARGIN)
  const increment = minorOf(step, digits)
  const hasCharm = ending.trim() !== '' || every.trim() !== ''
  const charm = hasCharm ? charmOf(ending, every, digits) : null
  const isCharmBad = hasCharm && charm === null
  const change: PriceChange | null =
    points === null || increment === null || isCharmBad
      ? null
      : {
          path: 'currency',
          currency: row.code,
          margin_basis_points: points,
          rounding_increment: increment,
          rounding_mode: mode,
          charm,
        }
  const trying = useTrying(change)
  const amount = (
    name: string,
    label: string,
    value: string,
    write: (value: string) => void,
    fault: string | undefined,
  ) => (
    <Labelled id={`${id}-${name}`} label={label} fault={fault}>
      <input
        className="input num"
        id={`${id}-${name}`}
        dir="ltr"
        inputMode="decimal"
        maxLength={16}
        value={value}
        onChange={(event) => write(event.target.value)}
      />
    </Labelled>
  )
  return (
    <section className="panel stack" aria-labelledby={`${id}-h`}>
      <h2 id={`${id}-h`}>
        {t('console.people.change')} {row.code}
      </h2>
      <div className="row wrapx">
        {amount(
          'margin',
          t('console.prices.ownMargin'),
          margin,
          setMargin,
          points === null ? t('console.prices.fault.percent', { most: '50' }) : undefined,
        )}
        {amount(
          'step',
          t('console.prices.step'),
          step,
          setStep,
          increment === null ? t('console.method.fault.amount') : undefined,
        )}
        <Choice
          label={t('console.order.step.rounding')}
          value={mode}
          options={(['half_up', 'up'] as const).map((value) => ({
            value,
            text: t(`console.prices.mode.${value}`),
          }))}
          choose={(value) => setMode(value === 'up' ? 'up' : 'half_up')}
        />
        {amount(
          'ending',
          t('console.prices.charmEnding'),
          ending,
          setEnding,
          isCharmBad ? t('console.prices.fault.charm') : undefined,
        )}
        {amount('every', t('console.prices.charmEvery'), every, setEvery, undefined)}
      </div>
      <Trying change={change} places={places} trying={trying} />
    </section>
  )
}

/** Prices that end so within every so much; null where that is nothing a price could do. */
function charmOf(ending: string, every: string, digits: number) {
  const [end, within] = [minorOf(ending, digits) ?? '0', minorOf(every, digits)]
  if (within === null) return null
  const charm = { ending_minor: Number(end), every_minor: Number(within) }
  return charm.every_minor < 2 || charm.ending_minor >= charm.every_minor ? null : charm
}
