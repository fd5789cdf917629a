import type { ReactNode } from 'react'
import css from './accordion.module.css'
import { Icon } from './icon.tsx'

export interface AccordionProps {
  title: ReactNode
  children: ReactNode
  open?: boolean | undefined
  /** Of several with the same name only one is open. */
  name?: string | undefined
  id?: string | undefined
}

export function Accordion({ title, children, open, name, id }: AccordionProps) {
  return (
    <details className={css.acc} open={open} name={name} id={id}>
      <summary>
        {title}
        <Icon name="down" />
      </summary>
      <div>{children}</div>
    </details>
  )
}
