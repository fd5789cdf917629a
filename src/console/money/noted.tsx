import { useId, useState, type ReactNode } from 'react'
import { useT } from '../words.tsx'

/** What is left to say after an act: done, or that it waits for another person. */
export function Waits({ isWaiting }: { readonly isWaiting: boolean }) {
  const t = useT()
  return isWaiting ? (
    <p className="note warn" role="status">
      {t('console.money.waits')}
    </p>
  ) : null
}

export interface NoteField {
  readonly text: string
  readonly element: ReactNode
}

/** A note that the audit keeps, with what was wrong with it. */
export function useNote(fault: string | undefined): NoteField {
  const t = useT()
  const id = useId()
  const [text, setText] = useState('')
  const element = (
    <div className={fault === undefined ? 'field' : 'field err'}>
      <label htmlFor={id}>{t('console.money.note')}</label>
      <input
        className="input"
        id={id}
        value={text}
        maxLength={500}
        onChange={(event) => setText(event.target.value)}
        aria-invalid={fault !== undefined}
      />
      {fault !== undefined && (
        <p className="msg" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
  return { text, element }
}
