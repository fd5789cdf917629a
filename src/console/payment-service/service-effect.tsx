import { Icon } from '#ui/icon.tsx'
import { useT } from '../words.tsx'
import type { Account, Effect, EnteredOf } from './use-entering.ts'

interface Props {
  readonly effect: Effect
  readonly of: EnteredOf
}

const ANSWER = { good: 'st done', refused: 'badge bad', unknown: 'badge warn' } as const

/** What would hold, whose it would be, and what of it is under way at the account that it replaces. */
export function ServiceEffect({ effect, of }: Props) {
  const t = useT()
  const mode = (of: 'live' | 'test' | null) => (of === null ? '–' : t(`console.money.mode.${of}`))
  return (
    <section className="fx" aria-live="polite">
      <h3>
        {t('console.effect')}
        <span>{t('console.acts.notYet')}</span>
      </h3>
      <ul>
        <li>
          <span>{t('console.service.test')}</span>
          <span className={ANSWER[effect.answer]}>
            {t(`console.service.answer.${effect.answer}`)}
          </span>
          {effect.why !== null && (
            <small lang="en" dir="ltr">
              {effect.why}
            </small>
          )}
        </li>
        {effect.changed.length > 0 && (
          <li>
            <span>{t('console.service.new')}</span>
            <bdi className="mono small">{effect.changed.join(', ')}</bdi>
          </li>
        )}
        <li>
          <span>{t('console.service.mode')}</span>
          <span className="chg">
            {effect.mode_before !== null && effect.mode_before !== effect.mode && (
              <>
                <span className="from">{mode(effect.mode_before)}</span>
                <Icon name="arrow" className="flip" />
              </>
            )}
            <b className="to">{mode(effect.mode)}</b>
          </span>
        </li>
        <Whose effect={effect} of={of} />
        {effect.balances?.map((balance) => (
          <li key={balance}>
            <span>{t('console.money.balance')}</span>
            <bdi className="money">{balance}</bdi>
          </li>
        ))}
        {effect.changed.length > 0 && of === 'payment' && <UnderWay effect={effect} of={of} />}
        {effect.changed.length > 0 && of === 'supplier' && (
          <li>
            <span>{t('console.supplier.openPurchases', { count: effect.open })}</span>
          </li>
        )}
        {effect.changed.length > 0 && (
          <li>
            <b>{t(effect.needs_second_person ? 'console.acts.second' : 'console.acts.alone')}</b>
          </li>
        )}
      </ul>
    </section>
  )
}

const accountText = ({ id, name }: Account) => (name === null ? id : `${name} · ${id}`)

function Whose({ effect: { account, account_before: before, may_be_other: isOther }, of }: Props) {
  const t = useT()
  const text = (of: Account | null) => (of === null ? t('console.service.untold') : accountText(of))
  return (
    <li>
      <span>{t('console.service.account')}</span>
      <span className="chg">
        {isOther && (
          <>
            <bdi className="from">{text(before)}</bdi>
            <Icon name="arrow" className="flip" />
          </>
        )}
        <b className="to">
          <bdi>{text(account)}</bdi>
        </b>
      </span>
      {isOther && (
        <small>
          {t(
            before === null || account === null
              ? 'console.service.maybeOther'
              : of === 'payment'
                ? 'console.service.other'
                : 'console.supplier.other',
          )}
        </small>
      )}
    </li>
  )
}

function UnderWay({ effect: { open, open_sums: sums, may_be_other: isOther } }: Props) {
  const t = useT()
  if (!isOther || open === 0)
    return (
      <li>
        <span>{t('console.service.open', { count: open })}</span>
      </li>
    )
  return (
    <li>
      <span>{t('console.service.openThere', { count: open })}</span>
      <b>
        {sums.map(({ text }) => (
          <bdi key={text} className="money">
            {text}{' '}
          </bdi>
        ))}
      </b>
      <small>{t('console.service.openKept')}</small>
    </li>
  )
}
