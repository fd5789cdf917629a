import { useId, useState } from 'react'
import type { PriceChange } from '#features/office/pricing/schema.ts'
import { minorOf } from '../kit/amount.ts'
import { Choice } from '../kit/fields.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { CurrencyRow, RoundingView } from './rounding.ts'
import { Trying, useTrying, type Places } from './trying.tsx'
import { TypedField } from './typed-field.tsx'
import { majorOf, pointsOf, shareOf } from '../kit/share.ts'

const MOST_MARGIN = 5_000
/** What all prices are converted from: it cannot be left out. */
const US_DOLLAR = 'USD'

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
            <TypedField
              label={t('console.prices.floorPercent')}
              hint={t('console.prices.floorHint')}
              value={typed}
              write={setTyped}
              fault={
                !isOff && points === null
                  ? t('console.prices.fault.percent', { most: '1000' })
                  : undefined
              }
            />
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
      <Withheld shown={shown} />
    </section>
  )
}

/** What the floor keeps from being sold. */
function Withheld({ shown }: Pick<Props, 'shown'>) {
  const t = useT()
  if (shown.withheld.length === 0) return null
  return (
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
  )
}

interface TypedTerms {
  readonly margin: string
  readonly step: string
  readonly mode: 'half_up' | 'up'
  readonly ending: string
  readonly every: string
  readonly isOffered: boolean
}

function typedOf(row: CurrencyRow, digits: number): TypedTerms {
  const { charm } = row
  return {
    margin: shareOf(row.points),
    step: majorOf(row.increment, digits),
    mode: row.mode,
    isOffered: row.isSold,
    ending: charm ? majorOf(String(charm.ending_minor), digits) : '',
    every: charm ? majorOf(String(charm.every_minor), digits) : '',
  }
}

/** What is typed as a change, and what of it is nothing that a currency could have. */
function readTerms(typed: TypedTerms, code: string, digits: number) {
  const points = pointsOf(typed.margin, MOST_MARGIN)
  const increment = minorOf(typed.step, digits)
  const hasCharm = typed.ending.trim() !== '' || typed.every.trim() !== ''
  const charm = hasCharm ? charmOf(typed.ending, typed.every, digits) : null
  const bad = { margin: points === null, step: increment === null, charm: hasCharm && !charm }
  const change: PriceChange | null =
    points === null || increment === null || bad.charm
      ? null
      : {
          path: 'currency',
          currency: code,
          margin_basis_points: points,
          rounding_increment: increment,
          rounding_mode: typed.mode,
          is_offered: typed.isOffered,
          charm,
        }
  return { change, bad }
}

function CurrencyForm({ row, places }: { readonly row: CurrencyRow; readonly places: Places }) {
  const t = useT()
  const heading = useId()
  const digits = places[row.code] ?? 2
  const [typed, setTyped] = useState(typedOf(row, digits))
  const { change, bad } = readTerms(typed, row.code, digits)
  const trying = useTrying(change)
  const of = (name: Exclude<keyof TypedTerms, 'isOffered'>) => ({
    value: typed[name],
    write: (value: string) => setTyped({ ...typed, [name]: value }),
  })
  return (
    <section className="panel stack" aria-labelledby={heading}>
      <h2 id={heading}>
        {t('console.people.change')} {row.code}
      </h2>
      <div className="row wrapx">
        <TypedField
          {...of('margin')}
          label={t('console.prices.ownMargin')}
          fault={bad.margin ? t('console.prices.fault.percent', { most: '50' }) : undefined}
        />
        <TypedField
          {...of('step')}
          label={t('console.prices.step')}
          fault={bad.step ? t('console.method.fault.amount') : undefined}
        />
        <Choice
          label={t('console.order.step.rounding')}
          value={typed.mode}
          options={(['half_up', 'up'] as const).map((value) => ({
            value,
            text: t(`console.prices.mode.${value}`),
          }))}
          choose={(value) => setTyped({ ...typed, mode: value === 'up' ? 'up' : 'half_up' })}
        />
        <TypedField
          {...of('ending')}
          label={t('console.prices.charmEnding')}
          fault={bad.charm ? t('console.prices.fault.charm') : undefined}
        />
        <TypedField {...of('every')} label={t('console.prices.charmEvery')} />
      </div>
      <div>
        <label className="check">
          <input
            type="checkbox"
            checked={typed.isOffered}
            disabled={row.code === US_DOLLAR}
            aria-describedby={`${heading}-offered`}
            onChange={(event) => setTyped({ ...typed, isOffered: event.target.checked })}
          />
          {t('console.prices.offered')}
        </label>
        <p id={`${heading}-offered`} className="hint">
          {t('console.prices.offeredHint')}
        </p>
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
