import { useEffect, useId, useState } from 'react'
import { callConsole, readConsole, type CallOutcome } from '../browser/call.ts'
import { Choice } from '../kit/fields.tsx'
import type { Attempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { UnmatchedView } from './providers.ts'

const NUMBER = /^\d{13}$/

interface MatchEffect {
  readonly version: string
  readonly missing_minor: string
  readonly surplus_minor: string
  readonly was: 'open' | 'cancelled' | 'expired'
  readonly lacking: readonly string[]
  readonly is_ours: boolean
  readonly needs_second_person: boolean
}

interface Waiting {
  readonly waits_for_approval: string | null
}

interface MatchProps {
  readonly row: UnmatchedView['rows'][number]
  readonly attempt: Attempt
  readonly isWaiting: boolean
  readonly act: (call: () => Promise<CallOutcome<Waiting>>) => Promise<void>
}

/** Takes money for the order whose number is typed, with what that would do shown before. */
export function MatchUnmatched({ row, attempt, isWaiting, act }: MatchProps) {
  const t = useT()
  const [typed, setTyped] = useState('')
  const [to, setTo] = useState<'original' | 'store_credit'>('original')
  const order = typed.replaceAll(/[\s-]/g, '')
  const effect = useMatchEffect(row.id, order)
  const isTold = effect !== null && typeof effect !== 'string'
  const hasSurplus = isTold && effect.surplus_minor !== '0'
  return (
    <form
      className="stack-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (isTold)
          void act(() =>
            callConsole<Waiting>('money/unmatched/match', {
              id: row.id,
              order,
              version: effect.version,
              to,
            }),
          )
      }}
    >
      <OrderNumber value={typed} write={setTyped} fault={attempt.fields['order']} />
      {effect !== null && <MatchRows effect={effect} />}
      {hasSurplus && (
        <Choice
          label={t('console.acts.leftover')}
          value={to}
          options={(['original', 'store_credit'] as const).map((value) => ({
            value,
            text: t(`console.acts.way.${value}`),
          }))}
          choose={(value) => setTo(value as typeof to)}
        />
      )}
      <div className="row">
        <button
          type="submit"
          className="btn edge"
          disabled={attempt.isBusy || isWaiting || !isTold || effect.lacking.length > 0}
        >
          {t('console.money.match', { amount: row.amount })}
        </button>
      </div>
    </form>
  )
}

function OrderNumber({
  value,
  write,
  fault,
}: {
  readonly value: string
  readonly write: (text: string) => void
  readonly fault: string | undefined
}) {
  const t = useT()
  const field = useId()
  return (
    <div className={fault === undefined ? 'field' : 'field err'}>
      <label htmlFor={field}>{t('console.money.orderNumber')}</label>
      <input
        className="input num"
        id={field}
        inputMode="numeric"
        value={value}
        maxLength={40}
        aria-invalid={fault !== undefined}
        onChange={(event) => write(event.target.value)}
      />
      {fault !== undefined && (
        <p className="msg" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

function MatchRows({ effect }: { readonly effect: MatchEffect | string }) {
  const t = useT()
  return (
    <section className="fx" aria-live="polite">
      <h3>{t('console.effect')}</h3>
      {typeof effect === 'string' ? (
        <ul>
          <li>
            <span className="down">{effect}</span>
          </li>
        </ul>
      ) : (
        <ToldMatch effect={effect} />
      )}
    </section>
  )
}

function ToldMatch({ effect }: { readonly effect: MatchEffect }) {
  const t = useT()
  const { lacking } = effect
  const kind =
    effect.missing_minor !== '0'
      ? 'pays_in_part'
      : effect.surplus_minor !== '0'
        ? 'too_much'
        : 'pays'
  return (
    <ul>
      <li>
        <span>{t(`console.money.effect.${kind}`)}</span>
      </li>
      {effect.was !== 'open' && (
        <li>
          <span>{t('console.acts.reopened')}</span>
        </li>
      )}
      {lacking.length > 0 && (
        <li>
          <span className="down">{t('console.acts.lacking')}</span>
          <bdi className="mono small">{lacking.join(', ')}</bdi>
        </li>
      )}
      {!effect.is_ours && (
        <li>
          <span>{t('console.money.notFollowed')}</span>
        </li>
      )}
      <li>
        <b>{t(effect.needs_second_person ? 'console.acts.second' : 'console.acts.alone')}</b>
      </li>
    </ul>
  )
}

/** Asked of the server for each number that is whole; a text where it cannot be done, null for no order and until it answers. */
function useMatchEffect(id: string, order: string): MatchEffect | string | null {
  const t = useT()
  const [known, setKnown] = useState<{
    readonly order: string
    readonly effect: MatchEffect | string
  } | null>(null)
  useEffect(() => {
    if (!NUMBER.test(order)) return
    const ending = new AbortController()
    readConsole<MatchEffect>('money/unmatched/effect', { id, order }, ending.signal).then(
      (outcome) =>
        setKnown({
          order,
          effect: outcome.isDone ? outcome.data : (outcome.fields['order'] ?? outcome.message),
        }),
      () => {
        if (!ending.signal.aborted) setKnown({ order, effect: t('console.unreachable') })
      },
    )
    return () => ending.abort()
    // biome-ignore lint/correctness/useExhaustiveDependencies: the translator is the same for a whole visit
  }, [id, order])
  return known?.order === order ? known.effect : null
}
