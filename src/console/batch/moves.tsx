import { useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { BatchData } from './load.ts'

const MOVES = ['quarantine', 'release', 'void'] as const
type Move = (typeof MOVES)[number]

interface Moved {
  readonly moved: number
  readonly is_done: boolean
}

/** Keeps keys back, puts them on sale again or voids them: the selected ones, or what is left of the batch. */
export function Moves({
  data,
  selected,
  onDone,
}: {
  readonly data: BatchData
  readonly selected: readonly string[]
  readonly onDone: () => void
}) {
  const attempt = useAttempt()
  const [move, choose] = useState<Move | null>(null)
  const [typed, setTyped] = useState('')
  const [done, setDone] = useState(0)
  const count = countOf(data, selected, move)

  async function go(form: FormData) {
    const reason = String(form.get('reason'))
    const which = selected.length > 0 ? { keys: selected } : { batch: data.row.id }
    for (let moved = 0; ; ) {
      const step = await attempt.run(() =>
        callConsole<Moved>(`keys/${move ?? ''}`, { ...which, reason }),
      )
      if (!step) return
      moved += step.moved
      setDone(moved)
      if (step.is_done) break
    }
    choose(null)
    setTyped('')
    onDone()
    refreshPage()
  }

  return (
    <section className="panel stack-2">
      <Choices data={data} selected={selected} move={move} choose={choose} />
      {move !== null && (
        <MoveForm
          move={move}
          count={count}
          done={done}
          typed={typed}
          setTyped={setTyped}
          attempt={attempt}
          go={(form) => void go(form)}
        />
      )}
    </section>
  )
}

function Choices({
  data,
  selected,
  move,
  choose,
}: {
  readonly data: BatchData
  readonly selected: readonly string[]
  readonly move: Move | null
  readonly choose: (move: Move | null) => void
}) {
  const t = useT()
  return (
    <div className="row wrapx">
      {MOVES.map((one) => (
        <button
          key={one}
          type="button"
          className="btn edge sm"
          aria-pressed={one === move}
          disabled={countOf(data, selected, one) === 0}
          onClick={() => choose(one === move ? null : one)}
        >
          {t(`console.keys.move.${one}`)}
        </button>
      ))}
      {selected.length > 0 && (
        <span className="muted small">
          {t('console.keys.selected', { count: selected.length })}
        </span>
      )}
    </div>
  )
}

interface MoveFormProps {
  readonly move: Move
  readonly count: number
  readonly done: number
  readonly typed: string
  readonly setTyped: (text: string) => void
  readonly attempt: Attempt
  readonly go: (form: FormData) => void
}

/** What the move will do, and why it is made; what cannot be undone is confirmed by its number of keys. */
function MoveForm({ move, count, done, typed, setTyped, attempt, go }: MoveFormProps) {
  const t = useT()
  const isFinal = move === 'void'
  return (
    <form
      className="stack-2"
      onSubmit={(event) => {
        event.preventDefault()
        go(new FormData(event.currentTarget))
      }}
    >
      <section className="fx" aria-live="polite">
        <h3>{t('console.effect')}</h3>
        <p>{t(`console.keys.effect.${move}`, { count })}</p>
      </section>
      <Labelled id="move-reason" label={t('console.reason')} fault={attempt.fields['reason']}>
        <input
          className="input"
          id="move-reason"
          name="reason"
          required
          minLength={3}
          maxLength={300}
        />
      </Labelled>
      {isFinal && <CountField count={count} typed={typed} write={setTyped} />}
      <Fault text={attempt.fault} />
      {attempt.isBusy && done > 0 && (
        <p aria-live="polite">{t('console.keys.progressKeys', { done, count })}</p>
      )}
      <div className="row">
        <button
          type="submit"
          className="btn solid"
          disabled={attempt.isBusy || (isFinal && typed.trim() !== String(count))}
        >
          {t(`console.keys.move.${move}`)}
        </button>
      </div>
    </form>
  )
}

function CountField({
  count,
  typed,
  write,
}: {
  readonly count: number
  readonly typed: string
  readonly write: (text: string) => void
}) {
  const t = useT()
  return (
    <Labelled id="move-count" label={t('console.keys.typeCount', { count })} fault={undefined}>
      <input
        className="input num"
        id="move-count"
        inputMode="numeric"
        value={typed}
        onChange={(event) => write(event.target.value)}
      />
    </Labelled>
  )
}

function countOf(
  { counts, row, status }: BatchData,
  selected: readonly string[],
  move: Move | null,
): number {
  if (selected.length > 0) {
    const fits = move === 'release' ? 'quarantined' : 'free'
    return status === fits || (move === 'void' && status === 'quarantined') ? selected.length : 0
  }
  if (move === 'quarantine') return counts.free
  if (move === 'release') return row.isWithdrawn ? 0 : counts.quarantined
  return counts.free + counts.quarantined + counts.reserved
}
