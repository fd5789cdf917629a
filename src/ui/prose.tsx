import type { ComponentProps } from 'react'
import css from './prose.module.css'

/** Running text of at most 42 rem a line; `small` for descriptions inside panels. */
export function Prose({ small, ...rest }: { small?: boolean | undefined } & ComponentProps<'div'>) {
  return <div className={small ? `${css.prose} ${css.small}` : css.prose} {...rest} />
}
