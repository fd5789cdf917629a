import { useEffect, useId, useState } from 'react'
import { callConsole, readConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { groupedNumber } from '../kit/grouped-number.ts'
import { OrderLink } from '../kit/order-link.tsx'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { ShownLine } from './bank.ts'
import { useNote, Waits } from './noted.tsx'

interface Effect {
  readonly received_minor: string
  readonly effect: 'pays' | 'pays_in_part' | 'too_much' | 'other_currency' | 'too_late'
  readonly noted: string | null
}

interface Matched {
  readonly waits_for_approval: string | null
}

const NUMBER = /^\d{13}$/

/** Money that nobody has matched yet: the orders it may be for, what matching it would do, and the press that does it. */
export function OpenLine({
  line,
  mayNote,
}: {
  readonly line: ShownLine
  readonly mayNote: boolean
}) {
  const t = useT()
  const heading = useId()
  return (
    <section className="panel stack-2" aria-labelledby={heading}>
      <div className="row between wrapx">
        <h2 id={heading}>
          <bdi className="money">{line.amount}</bdi>
        </h2>
        <span className="small">{line.booked}</span>
      </div>
      <p>
        {line.payer !== null && (
          <>
            <bdi>{line.payer}</bdi>
            <br />
          </>
        )}
        <bdi className="mono muted small">{line.text}</bdi>
      </p>
      {line.isWaiting ? (
        <p className="note warn">
          {t('console.money.waits')} {line.order !== null && <OrderLink number={line.order} />}
        </p>
      ) : (
        mayNote && <Decide line={line} />
      )}
    </section>
  )
}

function Decide({ line }: { readonly line: ShownLine }) {
  const t = useT()
  const attempt = useAttempt()
  const [chosen, setChosen] = useState(line.suggestions[0]?.order ?? '')
  const [typed, setTyped] = useState('')
  const [isWaiting, setWaiting] = useState(false)
  const order = (chosen === '' ? typed : chosen).replaceAll(/[\s-]/g, '')
  const effect = useEffectOf(line.id, order)
  async function match(as: 'noted' | 'new' | null) {
    if (!effect) return
    const done = await attempt.run(() =>
      callConsole<Matched>('money/bank/match', {
        line: line.id,
        order,
        received_minor: effect.received_minor,
        as,
      }),
    )
    if (done) {
      setWaiting(done.waits_for_approval !== null)
      refreshPage()
    }
  }
  return (
    <>
      <Choices line={line} chosen={chosen} typed={typed} choose={setChosen} type={setTyped} />
      {effect && (
        <section className="fx" aria-live="polite">
          <h3>{t('console.effect')}</h3>
          <ul>
            <li>
              <span>{t('console.orders.order')}</span>
              <span>{t(`console.money.effect.${effect.effect}`)}</span>
            </li>
          </ul>
        </section>
      )}
      {effect && effect.noted !== null && (
        <div className="note warn">
          <p>
            {t('console.money.notedAlready')} <bdi>{effect.noted}</bdi>
          </p>
          <button
            type="button"
            className="btn pay"
            disabled={attempt.isBusy || isWaiting}
            onClick={() => void match('noted')}
          >
            {t('console.money.isNoted')}
          </button>
        </div>
      )}
      <div className="row">
        <button
          type="button"
          className={effect?.noted ? 'btn edge grow' : 'btn pay grow'}
          disabled={attempt.isBusy || isWaiting || !effect}
          onClick={() => void match(effect?.noted ? 'new' : null)}
        >
          {t(effect?.noted ? 'console.money.matchOther' : 'console.money.match', {
            amount: line.amount,
          })}
        </button>
      </div>
      <Fault text={attempt.fault} />
      <Waits isWaiting={isWaiting} />
      <SetAside line={line} attempt={attempt} />
    </>
  )
}

/** Asked of the server for each order that is chosen; null until it answers, and for no order. */
function useEffectOf(line: string, order: string): Effect | null {
  const [known, setKnown] = useState<{ readonly order: string; readonly effect: Effect } | null>(
    null,
  )
  useEffect(() => {
    let isCurrent = true
    if (NUMBER.test(order))
      void readConsole<Effect>('money/bank/effect', { line, order }).then(
        (outcome) => {
          if (isCurrent) setKnown(outcome.isDone ? { order, effect: outcome.data } : null)
        },
        () => {},
      )
    return () => {
      isCurrent = false
    }
  }, [line, order])
  return known?.order === order ? known.effect : null
}

function SetAside({ line, attempt }: { readonly line: ShownLine; readonly attempt: Attempt }) {
  const t = useT()
  const note = useNote(attempt.fields['note'])
  return (
    <details>
      <summary className="link small">{t('console.money.noOrder')}</summary>
      <form
        className="stack-2"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt
            .run(() => callConsole('money/bank/set_aside', { line: line.id, note: note.text }))
            .then((done) => done && refreshPage())
        }}
      >
        {note.element}
        <div className="row">
          <button type="submit" className="btn edge sm" disabled={attempt.isBusy}>
            {t('console.money.setAside')}
          </button>
        </div>
      </form>
    </details>
  )
}

function Choices({
  line,
  chosen,
  typed,
  choose,
  type,
}: {
  readonly line: ShownLine
  readonly chosen: string
  readonly typed: string
  readonly choose: (order: string) => void
  readonly type: (text: string) => void
}) {
  const t = useT()
  const name = useId()
  return (
    <div className="pick-l" role="radiogroup" aria-label={t('console.money.suggestions')}>
      {line.suggestions.map((one) => (
        <label key={one.order}>
          <input
            type="radio"
            name={name}
            checked={chosen === one.order}
            onChange={() => choose(one.order)}
          />
          <span>
            <b>
              <bdi className="oid">{groupedNumber(one.order)}</bdi>{' '}
              <span className="badge">{t('console.money.score', { score: one.score })}</span>
            </b>
            <small>
              {one.why}, <bdi className="money">{one.asked}</bdi>
            </small>
          </span>
        </label>
      ))}
      <label>
        <input type="radio" name={name} checked={chosen === ''} onChange={() => choose('')} />
        <span>
          <b>{t('console.money.otherOrder')}</b>
          <input
            className="input num"
            inputMode="numeric"
            value={typed}
            maxLength={40}
            aria-label={t('console.money.orderNumber')}
            onFocus={() => choose('')}
            onChange={(event) => type(event.target.value)}
          />
        </span>
      </label>
    </div>
  )
}
