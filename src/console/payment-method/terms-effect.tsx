import { Icon } from '#ui/icon.tsx'
import { moneyText } from '../kit/money-text.ts'
import { useConsoleWords } from '../words.tsx'
import type { Effect } from './use-terms.ts'

/** What payers would pay, and who could, before and after; null while it is being asked. */
export function TermsEffect({ effect }: { readonly effect: Effect | null }) {
  const { t, language } = useConsoleWords()
  const usd = (minor: string | null) =>
    minor === null ? t('console.method.cannot') : moneyText(language, minor, 'USD', 2)
  return (
    <section className="fx" aria-live="polite" aria-busy={effect === null}>
      <h3>
        {t('console.effect')}
        <span>{t('console.acts.notYet')}</span>
      </h3>
      {effect && (
        <ul>
          {effect.before.enabled !== effect.after.enabled && (
            <li>
              <b>
                {t(effect.after.enabled ? 'console.method.turnsOn' : 'console.method.turnsOff')}
              </b>
            </li>
          )}
          {effect.examples.map(({ goods_minor: goods, before, after }) => (
            <li key={goods}>
              <span>{t('console.method.example', { amount: usd(goods) })}</span>
              <Change from={usd(before)} to={usd(after)} />
            </li>
          ))}
          <CodesChange
            label={t('console.method.countriesLabel')}
            all={t('console.method.allCountries')}
            before={effect.before.countries}
            after={effect.after.countries}
          />
          <CodesChange
            label={t('console.method.currenciesLabel')}
            all={t('console.method.allCurrencies')}
            before={effect.before.currencies}
            after={effect.after.currencies}
          />
          {effect.leaves_none && (
            <li>
              <b className="down">{t('console.method.leavesNone')}</b>
            </li>
          )}
          <li>
            <b>{t(effect.needs_second_person ? 'console.acts.second' : 'console.acts.alone')}</b>
          </li>
        </ul>
      )}
    </section>
  )
}

function Change({ from, to }: { readonly from: string; readonly to: string }) {
  if (from === to) return <bdi className="money">{to}</bdi>
  return (
    <span className="chg">
      <bdi className="from">{from}</bdi>
      <Icon name="arrow" className="flip" />
      <bdi className="to">{to}</bdi>
    </span>
  )
}

function CodesChange({
  label,
  all,
  before,
  after,
}: {
  readonly label: string
  readonly all: string
  readonly before: readonly string[] | null
  readonly after: readonly string[] | null
}) {
  const [from, to] = [before, after].map((codes) => codes?.join(', ') ?? all)
  if (from === to || from === undefined || to === undefined) return null
  return (
    <li>
      <span>{label}</span>
      <Change from={from} to={to} />
    </li>
  )
}
