import { useId } from 'react'
import { Icon } from '#ui/icon.tsx'
import { Fault } from '../kit/fault.tsx'
import { Choice } from '../kit/fields.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useConsoleWords } from '../words.tsx'
import type { CustomerData } from './load.ts'
import { ReasonField } from './reason-field.tsx'
import { useGiving, type Effect, type Giving, type MoneyText, type Outcome } from './use-giving.ts'

/** Store credit with its effect before it is given; above a limit it becomes a request to another person. */
export function GiveCredit({ data }: { readonly data: CustomerData }) {
  const { t } = useConsoleWords()
  const giving = useGiving(data)
  const { attempt, minor, effect, refusal, outcome, text } = giving
  if (data.status !== 'active')
    return (
      <section className="panel stack-2">
        <h2>{t('console.customer.giveCredit')}</h2>
        <p className="hint">{t('console.customer.creditShut')}</p>
      </section>
    )
  return (
    <section className="panel">
      <form className="stack" onSubmit={(event) => void giving.give(event)}>
        <h2>{t('console.customer.giveCredit')}</h2>
        <AmountFields currencies={data.currencies} giving={giving} />
        <ReasonField
          reason={giving.reason}
          write={giving.setReason}
          fault={attempt.fields['reason']}
        />
        {effect && minor !== null && <ToldEffect effect={effect} minor={minor} text={text} />}
        <Fault text={attempt.fault ?? refusal} />
        {outcome !== null && <Said outcome={outcome} />}
        <GiveButton giving={giving} />
      </form>
    </section>
  )
}

function AmountFields({
  currencies,
  giving,
}: {
  readonly currencies: CustomerData['currencies']
  readonly giving: Giving
}) {
  const { t } = useConsoleWords()
  const id = useId()
  return (
    <div className="row">
      <Labelled id={id} label={t('console.customer.amount')} isWide>
        <input
          className="input num"
          id={id}
          inputMode="decimal"
          autoComplete="off"
          required
          value={giving.typed}
          onChange={(event) => giving.setTyped(event.target.value)}
        />
      </Labelled>
      <Choice
        label={t('console.customer.currency')}
        value={giving.currency}
        options={currencies.map(({ code }) => ({ value: code, text: code }))}
        choose={giving.setCurrency}
      />
    </div>
  )
}

function ToldEffect({
  effect,
  minor,
  text,
}: {
  readonly effect: Effect
  readonly minor: string
  readonly text: MoneyText
}) {
  const { t } = useConsoleWords()
  return (
    <section className="fx" aria-live="polite">
      <h3>{t('console.effect')}</h3>
      <ul>
        <li>
          <span>{t('console.customer.figure.credit')}</span>
          <span className="chg">
            <bdi className="from">{text(effect.before_minor)}</bdi>
            <Icon name="arrow" />
            <bdi className="to">{text(effect.after_minor)}</bdi>
          </span>
        </li>
        {effect.pays_back_minor !== '0' && (
          <li>
            <span>{t('console.customer.paysBack')}</span>
            <bdi>{text(effect.pays_back_minor)}</bdi>
          </li>
        )}
        <li>
          <span>{t('console.customer.booked')}</span>
          <span className="moved">
            <bdi>{text(minor)}</bdi>
          </span>
        </li>
        {effect.needs_second_person && (
          <li>
            <span>{t('console.customer.secondPerson')}</span>
          </li>
        )}
      </ul>
    </section>
  )
}

function Said({ outcome }: { readonly outcome: Outcome }) {
  const { t } = useConsoleWords()
  return (
    <p className="note" role="status">
      {t(outcome === 'given' ? 'console.customer.given' : 'console.customer.asked')}{' '}
      {outcome === 'waits' && (
        <a className="link" href={`${CONSOLE_PATH}/approvals`}>
          {t('console.approvals.nav')}
        </a>
      )}
    </p>
  )
}

function GiveButton({ giving: { attempt, minor, effect, text } }: { readonly giving: Giving }) {
  const { t } = useConsoleWords()
  return (
    <button
      type="submit"
      className={effect?.needs_second_person ? 'btn solid block' : 'btn pay block'}
      disabled={attempt.isBusy || effect === null}
    >
      {effect === null || minor === null
        ? t('console.customer.giveCredit')
        : effect.needs_second_person
          ? t('console.askApproval')
          : t('console.customer.give', { amount: text(minor) })}
    </button>
  )
}
