import { useState } from 'react'
import { useT } from '../words.tsx'
import { Undo } from './changes.tsx'

export interface Saved {
  /** Null where it waits for somebody else. */
  readonly change: string | null
  readonly rows: number
}

/** What was saved a moment ago, and the way back. */
export function SavedNote({
  saved,
  forget,
}: {
  readonly saved: Saved
  readonly forget: () => void
}) {
  const t = useT()
  const [isUndoing, undo] = useState(false)
  const { change, rows } = saved
  return (
    <section className="note" role="status">
      <p>
        {change === null
          ? t('console.products.save.waits')
          : t('console.products.save.saved', { count: rows })}
      </p>
      {change !== null && !isUndoing && (
        <button type="button" className="btn edge sm" onClick={() => undo(true)}>
          {t('console.method.undo')}
        </button>
      )}
      {change !== null && isUndoing && <Undo change={change} close={forget} />}
    </section>
  )
}
