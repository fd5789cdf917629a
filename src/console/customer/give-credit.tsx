import { useEffect, useId, useState, type FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { minorOf } from '../kit/amount.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useConsoleWords } from '../words.tsx'
import type { CustomerData } from './load.ts'

interface Effect {
  readonly before_minor: string
  readonly after_minor: string
  readonly pays_back_minor: string
  readonly needs_second_person: boolean
}

const SETTLE_MS = 300

/** Store credit with its effect before it is given; above a limit it becomes a request to another person. */
export function GiveCredit({ data }: { readonly data: CustomerData }) {
  const { t, language } = useConsoleWords()
  const attempt = useAttempt()
  const ids = { amount: useId(), currency: useId(), reason: useId() }
  const [typed, setTyped] = useState('')
  const [currency, setCurrency] = useState(data.currencies[0]?.code ?? 'USD')
  const [reason, setReason] = useState('')
  // Held until an answer has come: what is sent again is the same act.
  const [held, setHeld] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<'given' | 'waits' | null>(null)
  const places = data.currencies.find(({ code }) => code === currency)?.places ?? 2
  const minor = minorOf(typed, places)
  const { effect, refusal } = useEffectOf(data, minor, currency)
  const text = (value: string) => moneyText(language, value, currency, places)

  async function give(event: FormEvent) {
    event.preventDefault()
    if (minor === null || effect === null) return
    const key = held ?? data.key
    setHeld(key)
    const body = { shopper: data.id, amount: { minor, currency }, reason, key }
    const done = await attempt.run(() =>
      callConsole<{ waits: string | null }>('shoppers/credit', body),
    )
    if (!done) return
    setOutcome(done.waits === null ? 'given' : 'waits')
    setTyped('')
    setReason('')
    setHeld(null)
    refreshPage()
  }

  if (data.status !== 'active')
    return (
      <section className="panel stack-2">
        <h2>{t('console.customer.giveCredit')}</h2>
        <p className="hint">{t('console.customer.creditShut')}</p>
      </section>
    )
  return (
    <section className="panel">
      <form className="stack" onSubmit={(event) => void give(event)}>
        <h2>{t('console.customer.giveCredit')}</h2>
        <div className="row">
          <div className="field grow">
            <label htmlFor={ids.amount}>{t('console.customer.amount')}</label>
            <input
              className="input num"
              id={ids.amount}
              inputMode="decimal"
              autoComplete="off"
              required
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                setOutcome(null)
              }}
            />
          </div>
          <div className="field">
            <label htmlFor={ids.currency}>{t('console.customer.currency')}</label>
            <select
              className="input"
              id={ids.currency}
              value={currency}
              onChange={(event) => setCurrency(event.target.value)}
            >
              {data.currencies.map(({ code }) => (
                <option key={code}>{code}</option>
              ))}
            </select>
          </div>
        </div>
        <div className={attempt.fields['reason'] === undefined ? 'field' : 'field err'}>
          <label htmlFor={ids.reason}>{t('console.customer.reason')}</label>
          <input
            className="input"
            id={ids.reason}
            required
            maxLength={500}
            autoComplete="off"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          {attempt.fields['reason'] !== undefined && (
            <p className="msg" role="alert">
              {attempt.fields['reason']}
            </p>
          )}
        </div>
        {effect && minor !== null && (
          <section className="fx" aria-live="polite">
            <h3>{t('console.effect')}</h3>
            <ul>
              <li>
                <span>{t('console.customer.figure.credit')}</span>
                <span className="chg">
                  <bdi className="from">{text(effect.before_minor)}</bdi> →{' '}
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
        )}
        <Fault text={attempt.fault ?? refusal} />
        {outcome !== null && (
          <p className="note" role="status">
            {t(outcome === 'given' ? 'console.customer.given' : 'console.customer.asked')}{' '}
            {outcome === 'waits' && (
              <a className="link" href={`${CONSOLE_PATH}/approvals`}>
                {t('console.approvals.nav')}
              </a>
            )}
          </p>
        )}
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
      </form>
    </section>
  )
}

/** What the shop says that giving it would do; asked once typing has settled. */
function useEffectOf(
  { id, figures }: CustomerData,
  minor: string | null,
  currency: string,
): { readonly effect: Effect | null; readonly refusal: string | null } {
  const [state, setState] = useState<{ effect: Effect | null; refusal: string | null }>(NOTHING)
  const standing = figures.map(({ value }) => value).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has been given since changes what would be
  useEffect(() => {
    setState(NOTHING)
    if (minor === null) return
    let isStale = false
    const timer = setTimeout(async () => {
      const body = { shopper: id, amount: { minor, currency } }
      const outcome = await callConsole<Effect>('shoppers/credit_preview', body).catch(() => null)
      if (isStale || outcome === null) return
      setState(
        outcome.isDone
          ? { effect: outcome.data, refusal: null }
          : { effect: null, refusal: outcome.message },
      )
    }, SETTLE_MS)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [id, minor, currency, standing])
  return state
}

const NOTHING = { effect: null, refusal: null }

/** Written as the page writes amounts; exact, whatever the amount: the parts are never made one number. */
function moneyText(language: string, minor: string, currency: string, places: number): string {
  const digits = minor.padStart(places + 1, '0')
  const decimal = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }).format(decimal as unknown as number)
}
