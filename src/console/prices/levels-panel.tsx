import { useId, useState } from 'react'
import type { PriceChange } from '#features/office/pricing/schema.ts'
import { useT } from '../words.tsx'
import type { LevelsView, SetPrice } from './levels.ts'
import { PriceForm } from './price-form.tsx'
import { SetPrices } from './set-prices.tsx'
import { Trying, useTrying, type Places } from './trying.tsx'
import { TypedField } from './typed-field.tsx'
import { pointsOf, shareOf } from '../kit/share.ts'

const MOST_OFF = 9_000

interface Props {
  readonly shown: LevelsView
  readonly places: Places
  readonly mayChange: boolean
}

/** What customer levels pay less, and prices that were set for them. */
export function Levels({ shown, places, mayChange }: Props) {
  const t = useT()
  const [level, setLevel] = useState<LevelsView['levels'][number] | null>(null)
  const [chosen, setChosen] = useState<SetPrice | null>(null)
  return (
    <>
      <LevelTable shown={shown} mayChange={mayChange} onChoose={setLevel} />
      {mayChange && <LevelForm key={level?.level ?? 'new'} level={level} places={places} />}
      {mayChange && (
        <PriceForm
          key={chosen ? `${chosen.item} ${chosen.level}` : 'new price'}
          heading={t('console.prices.levelPrices')}
          price={chosen}
          isOfLevel
          places={places}
        />
      )}
      <SetPrices
        heading={t('console.prices.levelPrices')}
        prices={shown.prices}
        next={
          shown.next === null ? null : `/prices?view=levels&after=${encodeURIComponent(shown.next)}`
        }
        empty={t('console.prices.noOwn')}
        mayChange={mayChange}
        onChoose={setChosen}
      />
    </>
  )
}

function LevelTable({
  shown,
  mayChange,
  onChoose,
}: Pick<Props, 'shown' | 'mayChange'> & {
  readonly onChoose: (level: LevelsView['levels'][number]) => void
}) {
  const t = useT()
  const heading = useId()
  return (
    <section className="panel flush" aria-labelledby={heading}>
      <div className="panel-h">
        <h2 id={heading}>{t('console.prices.view.levels')}</h2>
        <p>{t('console.prices.levelsLead')}</p>
      </div>
      {shown.levels.length > 0 && (
        <div className="scrollx line-t" tabIndex={0} role="group" aria-labelledby={heading}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('console.customers.levelHead')}</th>
                <th scope="col" className="num">
                  {t('console.prices.off')}
                </th>
                <th scope="col">
                  <span className="sr">{t('console.system.acts')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.levels.map((one) => (
                <tr key={one.level}>
                  <th scope="row">
                    {one.level} <span dir="auto">{one.name}</span>
                  </th>
                  <td className="num">{one.off}</td>
                  <td className="end">
                    {mayChange && (
                      <button type="button" className="btn ghost sm" onClick={() => onChoose(one)}>
                        {t('console.people.change')} <span className="sr">{one.level}</span>
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function LevelForm({
  level,
  places,
}: {
  readonly level: LevelsView['levels'][number] | null
  readonly places: Places
}) {
  const t = useT()
  const id = useId()
  const [number, setNumber] = useState(String(level?.level ?? ''))
  const [typed, setTyped] = useState(level ? shareOf(level.points) : '')
  const points = pointsOf(typed, MOST_OFF)
  const change: PriceChange | null =
    points === null || !/^[1-9]\d{0,2}$/.test(number)
      ? null
      : { path: 'level', level: Number(number), off_basis_points: points }
  const trying = useTrying(change)
  return (
    <section className="panel stack-2" aria-labelledby={id}>
      <h2 id={id}>{t('console.customers.levelHead')}</h2>
      <div className="row wrapx">
        <TypedField
          kind="level"
          label={t('console.customers.levelHead')}
          value={number}
          write={setNumber}
          disabled={level !== null}
        />
        <TypedField
          label={t('console.prices.off')}
          value={typed}
          write={setTyped}
          fault={
            typed !== '' && points === null
              ? t('console.prices.fault.percent', { most: '90' })
              : undefined
          }
        />
      </div>
      <Trying change={change} places={places} trying={trying} />
    </section>
  )
}
