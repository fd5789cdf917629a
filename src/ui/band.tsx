import type { ComponentProps, ReactNode } from 'react'
import css from './band.module.css'

export interface BandProps extends Omit<ComponentProps<'form'>, 'title'> {
  title: string
  text: string
  /** Two fields and a button. */
  children: ReactNode
}

/** Dark band holding a short form, the same in both themes. Takes what a `form` takes. */
export function Band({ title, text, children, ...form }: BandProps) {
  return (
    <div className={css.band}>
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      <form className={css.fields} {...form}>
        {children}
      </form>
    </div>
  )
}
