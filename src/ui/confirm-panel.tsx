import type { ReactNode } from 'react'
import css from './confirm-panel.module.css'
import { Icon } from './icon.tsx'

export interface ConfirmPanelProps {
  title: string
  /** What the action means, one fact a line. */
  notes: readonly string[]
  /** The form: a tick, a proof, the red button and the way back. */
  children: ReactNode
}

/** A step that loses something: what it means stands before the button. */
export function ConfirmPanel({ title, notes, children }: ConfirmPanelProps) {
  return (
    <section className={css.panel}>
      <h2>
        <Icon name="alert" />
        {title}
      </h2>
      <ul className={css.notes}>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      {children}
    </section>
  )
}
