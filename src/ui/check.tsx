import type { ComponentProps, ReactNode } from 'react'
import css from './check.module.css'

export interface CheckProps extends Omit<ComponentProps<'input'>, 'children'> {
  children: ReactNode
  /** Second line under the label. */
  note?: string | undefined
  /** Number at the end of the row, ready to show. */
  count?: string | undefined
}

/** Row with a checkbox: the whole row is the target. */
export function Check({ children, note, count, ...input }: CheckProps) {
  return (
    <label className={css.check}>
      <input type="checkbox" className={css.box} {...input} />
      <span>
        {children}
        {note === undefined ? null : <small>{note}</small>}
      </span>
      {count === undefined ? null : <small className="num">{count}</small>}
    </label>
  )
}

/** The same with a radio button. */
export function RadioRow(props: CheckProps) {
  return <Check {...props} type="radio" />
}

/** Bare checkbox or radio button of the house's look; label it yourself. */
export function Box(props: ComponentProps<'input'> & { type: 'checkbox' | 'radio' }) {
  return <input className={css.box} {...props} />
}
