import type { ComponentProps, ReactNode } from 'react'
import css from './check.module.css'
import { Icon } from './icon.tsx'

export interface CheckProps extends Omit<ComponentProps<'input'>, 'children'> {
  children: ReactNode
  /** Second line under the label. */
  note?: string | undefined
  /** Number at the end of the row, ready to show. */
  count?: string | undefined
  /** What is wrong with leaving it as it is. */
  error?: string | undefined
}

/** Row with a checkbox: the whole row is the target. */
export function Check({ children, note, count, error, ...input }: CheckProps) {
  return (
    <label className={error === undefined ? css.check : `${css.check} ${css.wrong}`}>
      <input
        type="checkbox"
        className={css.box}
        aria-invalid={error === undefined ? undefined : true}
        {...input}
      />
      <span>
        {children}
        {note === undefined ? null : <small>{note}</small>}
        {error === undefined ? null : (
          <span className={css.error} role="alert">
            <Icon name="alert" />
            {error}
          </span>
        )}
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
