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

/** Row with a checkbox: the whole row is the target. What is wrong stands below it and describes the box, but is no part of its name. */
export function Check({ children, note, count, error, ...input }: CheckProps) {
  const isWrong = error !== undefined
  const errorId = `${input.id ?? input.name}-error`
  return (
    <>
      <label className={isWrong ? `${css.check} ${css.wrong}` : css.check}>
        <input
          type="checkbox"
          className={css.box}
          aria-invalid={isWrong ? true : undefined}
          aria-describedby={isWrong ? errorId : undefined}
          {...input}
        />
        <span>
          {children}
          {note === undefined ? null : <small>{note}</small>}
        </span>
        {count === undefined ? null : <small className="num">{count}</small>}
      </label>
      {isWrong ? (
        <p className={css.error} id={errorId} role="alert">
          <Icon name="alert" />
          {error}
        </p>
      ) : null}
    </>
  )
}

/** The same with a radio button. */
export function RadioRow(props: CheckProps) {
  return <Check {...props} type="radio" />
}
