import { useState, type ReactNode } from 'react'
import { LineField } from '../kit/fields.tsx'
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
  const [text, setText] = useState('')
  const element = (
    <LineField
      label={t('console.money.note')}
      value={text}
      max={500}
      write={setText}
      fault={fault}
    />
  )
  return { text, element }
}
