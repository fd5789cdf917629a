import { useId, useState, type FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { CaseData } from './load.ts'

type Way = 'accept' | 'replace' | 'decline'

/** The decision: what each way does is told before it is taken, and the customer reads the note. */
export function Decide({ data }: { readonly data: CaseData }) {
  const t = useT()
  const attempt = useAttempt()
  const ids = { template: useId(), note: useId() }
  const [way, setWay] = useState<Way>(data.mayReplace ? 'replace' : 'accept')
  const [note, setNote] = useState('')
  const [waits, setWaits] = useState(false)
  const { effect, refusal } = data.refund
  const ways: readonly Way[] = [
    ...(data.mayReplace ? (['replace'] as const) : []),
    'accept',
    'decline',
  ]

  async function decide(event: FormEvent) {
    event.preventDefault()
    const done = await attempt.run(() =>
      callConsole<{ waits?: string | readonly string[] | null }>(`cases/${way}`, {
        case: data.id,
        note,
        ...(way === 'accept' && effect ? { amount_minor: effect.minor } : {}),
      }),
    )
    if (!done) return
    setWaits((done.waits?.length ?? 0) > 0)
    refreshPage()
  }

  const noteFault = attempt.fields['note']
  return (
    <section className="panel">
      <form className="stack" onSubmit={(event) => void decide(event)}>
        <h2>{t('console.cases.decide')}</h2>
        <fieldset className="pick-l">
          <legend className="sr">{t('console.cases.decide')}</legend>
          {ways.map((one) => (
            <label key={one}>
              <input type="radio" name="way" checked={way === one} onChange={() => setWay(one)} />
              <span>
                <b>{t(`console.cases.way.${one}`)}</b>
                <small>{t(`console.cases.wayText.${one}`)}</small>
              </span>
            </label>
          ))}
        </fieldset>
        {data.templates.length > 0 && (
          <div className="field">
            <label htmlFor={ids.template}>{t('console.cases.template')}</label>
            <select
              className="input"
              id={ids.template}
              value=""
              onChange={(event) => {
                const chosen = data.templates.find(({ id }) => id === event.target.value)
                if (chosen) setNote(chosen.text)
              }}
            >
              <option value="">{t('console.cases.chooseTemplate')}</option>
              {data.templates.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        )}
        <div className={noteFault === undefined ? 'field' : 'field err'}>
          <label htmlFor={ids.note}>{t('console.cases.note')}</label>
          <textarea
            className="input"
            id={ids.note}
            rows={4}
            required
            maxLength={2_000}
            dir="auto"
            value={note}
            onChange={(event) => setNote(event.target.value)}
            aria-invalid={noteFault !== undefined}
          />
          {noteFault !== undefined && (
            <p className="msg" role="alert">
              {noteFault}
            </p>
          )}
        </div>
        <section className="fx" aria-live="polite">
          <h3>{t('console.effect')}</h3>
          <ul>
            <li>
              <span>{t(`console.cases.effect.${way}`)}</span>
              {way === 'accept' && effect && (
                <span className="moved">
                  <bdi>{effect.amount}</bdi>
                </span>
              )}
            </li>
            {way === 'accept' && effect && (
              <li>
                <span>{t(`console.cases.to.${effect.to}`)}</span>
              </li>
            )}
            {way === 'accept' && effect?.needsSecondPerson && (
              <li>
                <span>{t('console.customer.secondPerson')}</span>
              </li>
            )}
          </ul>
        </section>
        <Fault text={attempt.fault ?? (way === 'accept' ? refusal : null)} />
        {waits && (
          <p className="note" role="status">
            {t('console.customer.asked')}{' '}
            <a className="link" href={`${CONSOLE_PATH}/approvals`}>
              {t('console.approvals.nav')}
            </a>
          </p>
        )}
        <button
          type="submit"
          className={way === 'accept' ? 'btn pay block' : 'btn solid block'}
          disabled={attempt.isBusy || (way === 'accept' && effect === null)}
        >
          {way === 'accept' && effect?.needsSecondPerson
            ? t('console.askApproval')
            : t(`console.cases.do.${way}`)}
        </button>
      </form>
    </section>
  )
}
