import { Icon } from '#ui/icon.tsx'
import { useConsoleWords, useT } from '../words.tsx'
import type { ShownEffect, GoodsCount } from './use-change.ts'
import { fieldText } from './field-text.ts'

/** What will happen, before it does: how much changes, by how much, what goes below its cost, and what is wrong. */
export function EffectBox({ told }: { readonly told: ShownEffect | string | null }) {
  const t = useT()
  return (
    <section className="fx" aria-live="polite" aria-busy={told === null}>
      <h3>
        {t('console.effect')}
        <span>{t('console.acts.notYet')}</span>
      </h3>
      {typeof told === 'string' ? (
        <p className="down">{told}</p>
      ) : (
        told && <EffectRows told={told} />
      )}
    </section>
  )
}

const FAULTS_SHOWN = 8
const SAMPLES_SHOWN = 6

function EffectRows({ told }: { readonly told: ShownEffect }) {
  const t = useT()
  const { prices } = told
  return (
    <ul>
      <li>
        <span>{t('console.products.effect.goods')}</span>
        <b>{told.goods}</b>
      </li>
      {prices && <Shares prices={prices} />}
      <Below text={t('console.products.effect.belowCost')} goods={told.below_cost} />
      <Below
        text={t('console.products.belowFloor')}
        goods={told.below_floor}
        hint={t('console.products.effect.belowFloorText')}
      />
      <Below
        text={t('console.products.effect.byRule')}
        goods={told.by_rule}
        hint={t('console.products.effect.byRuleText')}
      />
      {told.conflicts.slice(0, FAULTS_SHOWN).map((one) => (
        <li key={`c ${one.code} ${one.field}`}>
          <span className="down">
            {t('console.products.effect.conflict')} <bdi className="mono">{one.code}</bdi>
          </span>
          <Moved from={one.present_text} to={one.to_text} />
          <small>{fieldText(t, one.field)}</small>
        </li>
      ))}
      {told.faults.slice(0, FAULTS_SHOWN).map((one) => (
        <li key={`f ${one.code} ${one.field} ${one.msg}`}>
          <span className="down">{one.msg}</span>
          <small>
            {fieldText(t, one.field)}, <bdi className="mono">{one.code}</bdi>
          </small>
        </li>
      ))}
      {told.faults.length > FAULTS_SHOWN && (
        <li>
          <span>
            {t('console.products.effect.moreFaults', { count: told.faults.length - FAULTS_SHOWN })}
          </span>
        </li>
      )}
      {told.samples.slice(0, SAMPLES_SHOWN).map((one) => (
        <li key={`s ${one.code} ${one.field}`}>
          <span>
            <bdi>{one.name}</bdi>
          </span>
          <Moved from={one.before_text} to={one.after_text} />
          <small>{fieldText(t, one.field)}</small>
        </li>
      ))}
    </ul>
  )
}

/** What was, and what will be; the arrow goes with the direction of writing. */
export function Moved({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <span className="chg">
      <bdi className="from">{from}</bdi>
      <Icon name="right" />
      <span className="sr"> → </span>
      <bdi className="to">{to}</bdi>
    </span>
  )
}

function Shares({ prices }: { readonly prices: NonNullable<ShownEffect['prices']> }) {
  const t = useT()
  const { language } = useConsoleWords()
  const share = (basisPoints: number) =>
    new Intl.NumberFormat(language, {
      style: 'percent',
      maximumFractionDigits: 2,
      signDisplay: 'exceptZero',
    }).format(basisPoints / 10_000)
  return (
    <li>
      <span>{t('console.products.effect.prices', { count: prices.count })}</span>
      <bdi className="num">{share(prices.median_basis_points)}</bdi>
      <small>
        {t('console.products.effect.between', {
          least: share(prices.least_basis_points),
          most: share(prices.most_basis_points),
        })}
      </small>
    </li>
  )
}

function Below({
  text,
  goods,
  hint,
}: {
  readonly text: string
  readonly goods: GoodsCount
  readonly hint?: string
}) {
  if (goods.count === 0) return null
  return (
    <li>
      <span>{text}</span>
      <span className="badge bad">{goods.count}</span>
      <small>
        {hint !== undefined && `${hint} `}
        <bdi className="mono">{goods.codes.slice(0, 3).join(', ')}</bdi>
      </small>
    </li>
  )
}
