import type { ComponentProps } from 'react'
import css from './check.module.css'

/** Bare checkbox or radio button of the house's look; label it yourself. */
export function Box(props: ComponentProps<'input'> & { type: 'checkbox' | 'radio' }) {
  return <input className={css.box} {...props} />
}
