import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { EffectBox } from '../products/effect-box.tsx'
import { fieldText } from '../products/field-text.ts'
import { SaveButtons } from '../products/save-bar.tsx'
import { useT } from '../words.tsx'
import { useShared } from './editor.tsx'
import type { Place } from './use-saving.ts'

const NAMED = 4

/** What is not saved yet, what it would do, and the press that saves it. What is at fault stands at its field as well. */
export function Save({ done }: { readonly done: (change: string | null, rows: number) => void }) {
  const t = useT()
  const { edits, saving } = useShared()
  const { change, told, right } = saving
  const unread = edits.all.length - right.length
  if (edits.all.length === 0) return null
  const left = told ? told.faults.length + told.conflicts.length : 0
  const isWhole = told !== null && left === 0 && unread === 0
  async function save(isPartial: boolean) {
    const made = await change.make({ kind: 'editor', partial: isPartial })
    if (!made) return
    const kept = new Set([...(told?.faults ?? []), ...(told?.conflicts ?? [])].map(placeOf))
    for (const { subject = 'item', code, field } of right)
      if (!kept.has(placeOf({ subject, code, field }))) edits.drop(code, field, subject)
    done(made.change, made.rows)
    refreshPage()
  }
  const names = [...new Set(edits.all.map(({ field }) => fieldText(t, field)))]
  const count = t('console.products.save.count', { count: edits.all.length })
  return (
    <>
      <h2 className="sr">{count}</h2>
      {right.length > 0 && <EffectBox told={change.told} />}
      <Fault text={change.fault} />
      <div className="save" role="region" aria-label={count}>
        <p>
          <b>{count}</b>{' '}
          <span className="muted">
            {names.slice(0, NAMED).join(', ')}
            {names.length > NAMED && ` +${names.length - NAMED}`}
          </span>{' '}
          {left + unread > 0 && (
            <span className="down">{t('console.product.toFix', { count: left + unread })}</span>
          )}
        </p>
        <SaveButtons
          {...{ change, told, isWhole, save }}
          clear={edits.clear}
          count={right.length}
        />
      </div>
    </>
  )
}

const placeOf = ({ subject, code, field }: Place) => `${subject} ${code} ${field}`
