import type { ComponentProps } from 'react'
import css from './table.module.css'

/** Table that scrolls sideways by itself; `label` names it. Cells of figures take the class `num`. */
export function Table({ label, ...rest }: { label: string } & ComponentProps<'table'>) {
  return (
    <div className={css.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={css.table} {...rest} />
    </div>
  )
}
