import { useId, useState } from 'react'
import { callConsole, type CallOutcome } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { OrderLink } from '../kit/order-link.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import { MatchUnmatched } from './match-unmatched.tsx'
import { useNote, Waits } from './noted.tsx'
import type { DifferencesView, UnmatchedView } from './providers.ts'

interface Noted {
  readonly waits_for_approval: string | null
}

/** Acts on money: once at a time, and where it waits for another person it says so. */
function useMoneyAct() {
  const attempt = useAttempt()
  const [isWaiting, setWaiting] = useState(false)
  async function act(call: () => Promise<CallOutcome<Noted>>) {
    const done = await attempt.run(call)
    if (!done) return
    if (done.waits_for_approval === null) refreshPage()
    else setWaiting(true)
  }
  return { attempt, isWaiting, act }
}

/** Money at providers that no order knows: given back, or what was done elsewhere. */
export function Unmatched({
  shown,
  mayNote,
}: {
  readonly shown: UnmatchedView
  readonly mayNote: boolean
}) {
  const t = useT()
  if (shown.rows.length === 0)
    return (
      <section className="panel empty">
        <h2>{t('console.money.noUnmatched')}</h2>
        <p>{t('console.money.noUnmatchedText')}</p>
      </section>
    )
  return shown.rows.map((row) => <Stray key={row.id} row={row} mayNote={mayNote} />)
}

function Stray({
  row,
  mayNote,
}: {
  readonly row: UnmatchedView['rows'][number]
  readonly mayNote: boolean
}) {
  const t = useT()
  const heading = useId()
  const { attempt, isWaiting, act } = useMoneyAct()
  const note = useNote(attempt.fields['note'])
  return (
    <section className="panel stack-2" aria-labelledby={heading}>
      <h2 id={heading}>
        <bdi className="money">{row.amount}</bdi> <bdi>{row.provider}</bdi>
      </h2>
      <p>
        <bdi className="mono small">{row.reference}</bdi>{' '}
        {t('console.money.found', { at: row.found })}
      </p>
      {mayNote && (
        <>
          <section className="fx">
            <h3>{t('console.effect')}</h3>
            <ul>
              <li>
                <span>{t('console.money.payerGets')}</span>
                <span className="moved">{row.amount}</span>
                <small>{t('console.money.returnText')}</small>
              </li>
            </ul>
          </section>
          <div className="row wrapx">
            <button
              type="button"
              className="btn pay"
              disabled={attempt.isBusy || isWaiting}
              onClick={() =>
                void act(() => callConsole<Noted>('money/unmatched/return', { id: row.id }))
              }
            >
              {t('console.money.return', { amount: row.amount })}
            </button>
          </div>
          <MatchUnmatched row={row} attempt={attempt} isWaiting={isWaiting} act={act} />
          <form
            className="stack-2"
            onSubmit={(event) => {
              event.preventDefault()
              void act(() =>
                callConsole<Noted>('money/unmatched/close', { id: row.id, note: note.text }),
              )
            }}
          >
            {note.element}
            <div className="row">
              <button type="submit" className="btn edge" disabled={attempt.isBusy || isWaiting}>
                {t('console.money.seenTo')}
              </button>
            </div>
          </form>
        </>
      )}
      <Fault text={attempt.fault} />
      <Waits isWaiting={isWaiting} />
    </section>
  )
}

/** Payments of which a provider and the books tell different sums. */
export function Differences({
  shown,
  mayNote,
}: {
  readonly shown: DifferencesView
  readonly mayNote: boolean
}) {
  const t = useT()
  if (shown.rows.length === 0)
    return (
      <section className="panel empty">
        <h2>{t('console.money.noDifferences')}</h2>
        <p>{t('console.money.noDifferencesText')}</p>
      </section>
    )
  return shown.rows.map((row) => <Difference key={row.id} row={row} mayNote={mayNote} />)
}

function Difference({
  row,
  mayNote,
}: {
  readonly row: DifferencesView['rows'][number]
  readonly mayNote: boolean
}) {
  const t = useT()
  const heading = useId()
  const { attempt, isWaiting, act } = useMoneyAct()
  const note = useNote(attempt.fields['note'])
  const isBookable = row.kind === 'refunded_elsewhere'
  return (
    <section className="panel stack-2" aria-labelledby={heading}>
      <h2 id={heading}>{t(`console.money.difference.${row.kind}`)}</h2>
      <Sums row={row} />
      {mayNote && (
        <form
          className="stack-2"
          onSubmit={(event) => {
            event.preventDefault()
            void act(() =>
              callConsole<Noted>('money/differences/close', { id: row.id, note: note.text }),
            )
          }}
        >
          {isBookable && (
            <div className="row">
              <button
                type="button"
                className="btn edge"
                disabled={attempt.isBusy || isWaiting}
                onClick={() =>
                  void act(() =>
                    callConsole<Noted>('money/differences/book', {
                      id: row.id,
                      told_minor: row.toldMinor,
                    }),
                  )
                }
              >
                {t('console.money.book', { amount: row.told })}
              </button>
            </div>
          )}
          {note.element}
          <div className="row">
            <button type="submit" className="btn edge" disabled={attempt.isBusy || isWaiting}>
              {t('console.money.seenTo')}
            </button>
          </div>
        </form>
      )}
      <Fault text={attempt.fault} />
      <Waits isWaiting={isWaiting} />
    </section>
  )
}

function Sums({ row }: { readonly row: DifferencesView['rows'][number] }) {
  const t = useT()
  return (
    <dl className="dl">
      <dt>{t('console.orders.order')}</dt>
      <dd>
        <OrderLink number={row.order} />
      </dd>
      <dt>{t('console.money.told', { provider: row.provider })}</dt>
      <dd>
        <bdi className="money">{row.told}</bdi>
      </dd>
      <dt>{t('console.money.known')}</dt>
      <dd>
        <bdi className="money">{row.known}</bdi>
      </dd>
      <dt>{t('console.money.since')}</dt>
      <dd>{row.found}</dd>
    </dl>
  )
}
