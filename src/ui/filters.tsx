import type { ComponentProps, ReactNode } from 'react'
import { Button, IconButton } from './button.tsx'
import chip from './chip.module.css'
import css from './filters.module.css'
import { Icon } from './icon.tsx'

export interface FiltersProps extends Omit<ComponentProps<'form'>, 'title'> {
  /** Unique in the page; the toolbar's button opens it by this name. The form itself is `{id}-form`. */
  id: string
  title: string
  closeLabel: string
  /** Text of the button that applies them: always on a phone, on a desktop only without script. */
  applyLabel: string
  /** `FilterGroup`s. */
  children: ReactNode
}

/** Form of filters, marked `data-filters`: aside of 240 px from 1024 px, a sheet from the lower edge below. Takes what a `form` takes. */
export function Filters({ id, title, closeLabel, applyLabel, children, ...form }: FiltersProps) {
  return (
    <aside className={css.filters} id={id} popover="auto" aria-label={title}>
      <h2 className={css.title}>
        {title}
        <IconButton icon="x" label={closeLabel} popoverTarget={id} popoverTargetAction="hide" />
      </h2>
      <form id={`${id}-form`} data-filters="" {...form}>
        {children}
        <div className={css.end}>
          <Button look="solid" type="submit" block>
            {applyLabel}
          </Button>
        </div>
      </form>
    </aside>
  )
}

export function FilterGroup({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}

export interface ListToolbarProps {
  /** Button that opens the filters below 1024 px; `count` says how many are set. */
  filters?: { target: string; label: string; count?: string | undefined } | undefined
  /** Removable `ChipLink`s of the filters set. */
  chips?: ReactNode
  /** "186 products". */
  total?: string | undefined
  /** Usually a labelled compact `Select`. */
  sort?: ReactNode
}

/** Line above a list: filters set, how many there are, the order. */
export function ListToolbar({ filters, chips, total, sort }: ListToolbarProps) {
  return (
    <div className={css.bar}>
      {filters === undefined ? null : (
        <button type="button" className={`${chip.chip} ${css.open}`} popoverTarget={filters.target}>
          <Icon name="filter" />
          {filters.label}
          {filters.count === undefined ? null : <b className="num">{filters.count}</b>}
        </button>
      )}
      <div className={css.chips}>{chips}</div>
      <span className={`small muted ${css.total}`}>{total}</span>
      {sort === undefined ? null : <div className={css.sort}>{sort}</div>}
    </div>
  )
}

/** Filters beside a list. */
export function FilterLayout({ filters, children }: { filters: ReactNode; children: ReactNode }) {
  return (
    <div className={css.lay}>
      {filters}
      <div>{children}</div>
    </div>
  )
}
