import { Icon } from '#ui/icon.tsx'
import { moneyText } from '../kit/money-text.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useConsoleWords } from '../words.tsx'
import { moveText, shareText } from '../kit/share.ts'
import type { Places } from './trying.tsx'
import type { Tried } from './use-trying.ts'

interface Props {
  readonly tried: Tried
  readonly places: Places
}

/** What a change would do to the whole catalogue, before it is made. */
export function TrialEffect({ tried, places }: Props) {
  const { t, language } = useConsoleWords()
  const { effect, reach, limit, needs_second_person: needsAnother } = tried
  const count = (value: number) => new Intl.NumberFormat(language).format(value)
  return (
    <section className="fx" aria-live="polite">
      <h3>
        {t('console.effect')}
        <span>{t('console.acts.notYet')}</span>
      </h3>
      <ul>
        <li>
          <span>{t('console.prices.effect.changed')}</span>
          <b>
            {t('console.prices.effect.ofItems', {
              changed: count(effect.items_changed),
              items: count(effect.items),
            })}
          </b>
          <small>
            {t('console.prices.effect.ofPrices', {
              changed: count(effect.prices_changed),
              prices: count(effect.prices),
              falling: count(effect.falling),
              rising: count(effect.rising),
            })}
          </small>
        </li>
        <Moves tried={tried} />
        <Margins tried={tried} places={places} />
        <li>
          <b>{t(needsAnother ? 'console.acts.second' : 'console.acts.alone')}</b>
          {limit !== null && (
            <small>
              {t('console.prices.effect.limit', {
                fall: shareText(language, -reach.fall),
                rise: shareText(language, reach.rise),
                limit: shareText(language, limit),
              })}
            </small>
          )}
        </li>
      </ul>
      <Top tried={tried} places={places} />
    </section>
  )
}

/** Whether a rate comes in force, how far prices move, and what falls below the floor. */
function Moves({ tried: { effect, rate } }: Pick<Props, 'tried'>) {
  const { t, language } = useConsoleWords()
  const count = (value: number) => new Intl.NumberFormat(language).format(value)
  return (
    <>
      {rate !== null && rate !== 'in_force' && (
        <li>
          <b className="down">
            {t(
              rate === 'held' ? 'console.prices.outcome.held' : 'console.prices.outcome.not_chosen',
            )}
          </b>
        </li>
      )}
      {effect.moves && (
        <li>
          <span>{t('console.prices.effect.moves')}</span>
          <bdi className="num">
            {[effect.moves.least, effect.moves.median, effect.moves.most]
              .map((move) => moveText(language, move))
              .join(' · ')}
          </bdi>
        </li>
      )}
      <li>
        <span>{t('console.prices.effect.belowFloor')}</span>
        <b className={effect.below_floor.items > 0 ? 'down' : undefined}>
          {count(effect.below_floor.items)}
        </b>
        <small>
          {effect.below_floor.codes.length > 0 && (
            <bdi className="mono">{effect.below_floor.codes.join(', ')} · </bdi>
          )}
          {t('console.prices.effect.raised', {
            before: count(effect.raised.before),
            after: count(effect.raised.after),
          })}
        </small>
      </li>
    </>
  )
}

function Change({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <span className="chg">
      <bdi className="from">{from}</bdi>
      <Icon name="arrow" className="flip" />
      <bdi className="to">{to}</bdi>
    </span>
  )
}

const SHOWN = 6

/** What was sold last month would have left, a currency at a time: two are never added. */
function Margins({ tried: { effect }, places }: Props) {
  const { t, language } = useConsoleWords()
  if (effect.margins.length === 0) return null
  return (
    <li>
      <span>{t('console.prices.effect.margin')}</span>
      <span className="stack-2">
        {effect.margins.slice(0, SHOWN).map(({ currency, before, after }) => (
          <Change
            key={currency}
            from={signedMoney(language, before, currency, places)}
            to={signedMoney(language, after, currency, places)}
          />
        ))}
      </span>
      <small>{t('console.prices.effect.marginText')}</small>
    </li>
  )
}

function signedMoney(language: string, minor: string, currency: string, places: Places): string {
  const isLoss = minor.startsWith('-')
  const text = moneyText(language, isLoss ? minor.slice(1) : minor, currency, places[currency] ?? 2)
  return isLoss ? `−${text}` : text
}

function Top({ tried: { effect }, places }: Props) {
  const { t, language } = useConsoleWords()
  if (effect.top.length === 0) return null
  return (
    <details className="astable">
      <summary>{t('console.prices.effect.top')}</summary>
      <div
        className="scrollx"
        tabIndex={0}
        role="group"
        aria-label={t('console.prices.effect.top')}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">{t('console.prices.item')}</th>
              <th scope="col">{t('console.prices.price')}</th>
              <th scope="col" className="num">
                {t('console.prices.effect.move')}
              </th>
            </tr>
          </thead>
          <tbody>
            {effect.top.map(({ item, currency, before, after, move }) => (
              <tr key={item}>
                <th scope="row">
                  <a
                    className="link mono small"
                    href={`${CONSOLE_PATH}/prices/why?item=${encodeURIComponent(item)}&currency=${currency}`}
                  >
                    <bdi>{item}</bdi>
                  </a>
                </th>
                <td>
                  <Change
                    from={moneyText(language, before, currency, places[currency] ?? 2)}
                    to={moneyText(language, after, currency, places[currency] ?? 2)}
                  />
                </td>
                <td className="num">
                  <bdi>{moveText(language, move)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
