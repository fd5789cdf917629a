import type { ReactNode } from 'react'
import css from './empty.module.css'
import { EmptyRack } from './empty-rack.tsx'

export interface EmptyProps {
  title: string
  /** 1 where it is the whole page. */
  level?: 1 | 2 | 3 | undefined
  text?: ReactNode
  /** One action, two at most. */
  children?: ReactNode
}

/** Nothing to show: the empty rack, what that means, what to do. */
export function Empty({ title, level = 3, text, children }: EmptyProps) {
  const Heading = `h${level}` as const
  return (
    <div className={css.empty}>
      <EmptyRack />
      <Heading>{title}</Heading>
      {text === undefined ? null : <p className={level === 1 ? undefined : 'small'}>{text}</p>}
      {children === undefined ? null : <div className={css.actions}>{children}</div>}
    </div>
  )
}
