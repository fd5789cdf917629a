import { useId, useState } from 'react'
import type { PriceChange } from '#features/office/pricing/schema.ts'
import { Labelled } from '../kit/labelled.tsx'
import { useT } from '../words.tsx'
import type { LevelsView, SetPrice } from './levels.ts'
import { PriceForm } from './price-form.tsx'
import { SetPrices } from './set-prices.tsx'
import { Trying, useTrying, type Places } from './trying.tsx'
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
  const heading = useId()
  const [level, setLevel] = useState<LevelsView['levels'][number] | null>(null)
  const [chosen, setChosen] = useState<SetPrice | null>(null)
  return (
    <>
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
                        <button
                          type="button"
                          className="btn ghost sm"
                          onClick={() => setLevel(one)}
                        >
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
    <section className="panel stack-2" aria-labelledby={`${id}-h`}>
      <h2 id={`${id}-h`}>{t('console.customers.levelHead')}</h2>
      <div className="row wrapx">
        <Labelled id={`${id}-level`} label={t('console.customers.levelHead')}>
          <input
            className="input num"
            id={`${id}-level`}
            type="number"
            min={1}
            max={999}
            disabled={level !== null}
            value={number}
            onChange={(event) => setNumber(event.target.value)}
          />
        </Labelled>
        <Labelled
          id={`${id}-off`}
          label={t('console.prices.off')}
          fault={
            typed !== '' && points === null
              ? t('console.prices.fault.percent', { most: '90' })
              : undefined
          }
        >
          <input
            className="input num"
            id={`${id}-off`}
            dir="ltr"
            inputMode="decimal"
            maxLength={8}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Labelled>
      </div>
      <Trying change={change} places={places} trying={trying} />
    </section>
  )
}
