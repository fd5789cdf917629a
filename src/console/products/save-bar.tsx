import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useT } from '../words.tsx'
import { EffectBox } from './effect-box.tsx'
import type { Edits } from './edits.ts'
import { useChange, type ShownEffect } from './use-change.ts'

/** Changes that are not saved, what they would do, and the press that saves them; faults and what others have changed stand in the box. */
export function SaveBar({
  edits,
  done,
}: {
  readonly edits: Edits
  /** @param change its public id; null where it waits for somebody else */
  readonly done: (change: string | null, rows: number) => void
}) {
  const t = useT()
  const right = edits.all.filter(({ fault }) => fault === null)
  // One whose fault is not known yet is being read.
  const faults = edits.all.filter(({ fault }) => fault !== null && fault !== '').length
  const asked =
    right.length === 0
      ? null
      : {
          edits: right.map(({ code, field, to, ...edit }) => ({
            subject: 'item',
            code,
            field,
            ...('from' in edit && edit.from !== undefined ? { from: edit.from } : {}),
            to,
          })),
        }
  const change = useChange(asked)
  if (edits.all.length === 0) return null
  const told = typeof change.told === 'string' ? null : change.told
  const isWhole =
    told !== null &&
    told.faults.length + told.conflicts.length === 0 &&
    right.length === edits.all.length
  async function save(isPartial: boolean) {
    const made = await change.make({ kind: 'inline', partial: isPartial })
    if (!made) return
    const left = new Set([...(told?.faults ?? []), ...(told?.conflicts ?? [])].map(placeOf))
    for (const edit of right) if (!left.has(placeOf(edit))) edits.drop(edit.code, edit.field)
    done(made.change, made.rows)
    refreshPage()
  }
  return (
    <>
      <h2 className="sr">{t('console.products.save.count', { count: edits.all.length })}</h2>
      {asked && <EffectBox told={change.told} />}
      <Fault text={change.fault} />
      <div
        className="save"
        role="region"
        aria-label={t('console.products.save.count', { count: edits.all.length })}
      >
        <p>
          <b>{t('console.products.save.count', { count: edits.all.length })}</b>{' '}
          {faults > 0 && (
            <span className="down">{t('console.products.save.faults', { count: faults })}</span>
          )}{' '}
          <span className="muted hide-s">{t('console.products.save.lockText')}</span>
        </p>
        <SaveButtons
          {...{ change, told, isWhole, save }}
          clear={edits.clear}
          count={right.length}
          takeTheirs={() => told && takeTheirs(edits, told)}
        />
      </div>
    </>
  )
}

interface ButtonsProps {
  readonly clear: () => void
  readonly change: ReturnType<typeof useChange>
  readonly told: ShownEffect | null
  readonly isWhole: boolean
  readonly count: number
  readonly save: (isPartial: boolean) => Promise<void>
  /** Forgets one's own where somebody else was faster; absent where that is chosen at each field. */
  readonly takeTheirs?: () => void
}

/** What can be done with what is not saved yet. */
export function SaveButtons({
  clear,
  change,
  told,
  isWhole,
  count,
  save,
  takeTheirs,
}: ButtonsProps) {
  const t = useT()
  return (
    <>
      <button type="button" className="btn ghost" onClick={clear}>
        {t('console.products.save.discard')}
      </button>
      {takeTheirs && told && told.conflicts.length > 0 && (
        <button type="button" className="btn edge" onClick={takeTheirs}>
          {t('console.products.save.takeTheirs')}
        </button>
      )}
      {told && !isWhole && told.goods > 0 && (
        <button
          type="button"
          className="btn edge"
          disabled={change.isBusy}
          onClick={() => void save(true)}
        >
          {t('console.products.save.rest')}
        </button>
      )}
      <button
        type="button"
        className="btn solid"
        disabled={change.isBusy || !isWhole}
        onClick={() => void save(false)}
      >
        {t('console.products.save.make', { count: count })}
      </button>
    </>
  )
}

const placeOf = ({ code, field }: { readonly code: string; readonly field: string }) =>
  `${code} ${field}`

/** Of what somebody else has changed, theirs stays: one's own is forgotten. */
function takeTheirs(edits: Edits, told: ShownEffect) {
  for (const { code, field } of told.conflicts) edits.drop(code, field)
  refreshPage()
}
