import type { ComponentProps, ReactNode } from 'react'
import { joined } from './class-names.ts'
import css from './panel.module.css'

export interface PanelProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode
  /** 18 px heading instead of 22. */
  minor?: boolean | undefined
  /** Beside the heading: a control, tabs. */
  aside?: ReactNode
  /** `flush`: no padding, corners clipped; `tight`: 8 px, for lists whose rows have padding of their own. */
  padding?: 'flush' | 'tight' | undefined
}

/** White sheet with a line around it. */
export function Panel({ title, minor, aside, padding, className, children, ...rest }: PanelProps) {
  return (
    <section className={joined(css.panel, padding && css[padding], className)} {...rest}>
      {title === undefined ? null : (
        <div className={minor ? `${css.head} ${css.close}` : css.head}>
          <h2 className={minor ? css.minor : css.title}>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}

/** Form whose `Step` panels count themselves. */
export function Steps({ className, ...rest }: ComponentProps<'form'>) {
  return <form className={joined(css.steps, className)} {...rest} />
}

/** One decision, numbered by its place in `Steps`. */
export function Step({
  title,
  note,
  children,
  ...rest
}: {
  title: string
  /** Small, after the heading. */
  note?: string | undefined
} & ComponentProps<'section'>) {
  return (
    <section className={`${css.panel} ${css.step}`} {...rest}>
      <h2>
        <span>{title}</span>
        {note === undefined ? null : <small>{note}</small>}
      </h2>
      {children}
    </section>
  )
}
