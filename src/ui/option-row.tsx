import type { ComponentProps, ReactNode } from 'react'
import { Box } from './box.tsx'
import css from './option-row.module.css'

export interface OptionRowProps extends Omit<ComponentProps<'input'>, 'name' | 'type'> {
  /** Name of the group of radio buttons. */
  group: string
  name: ReactNode
  note?: string | undefined
  /** Plate or figure before the name; a string is shown large ("₹299"). */
  lead?: ReactNode
  /** At the end: the total, and under it a smaller line (its fee, say). */
  total?: string | undefined
  totalNote?: ReactNode
}

export function OptionRow({ group, name, note, lead, total, totalNote, ...input }: OptionRowProps) {
  return (
    <label className={lead === undefined ? `${css.row} ${css.bare}` : css.row}>
      <Box {...input} type="radio" name={group} />
      {typeof lead === 'string' ? <span className={`${css.lead} num`}>{lead}</span> : lead}
      <span>
        <b>{name}</b>
        {note === undefined ? null : <small>{note}</small>}
      </span>
      <span className={css.end}>
        {total === undefined ? null : (
          <b>
            <bdi className="num">{total}</bdi>
          </b>
        )}
        {totalNote === undefined ? null : <small>{totalNote}</small>}
      </span>
    </label>
  )
}

/** List of `OptionRow`s; `label` names the choice. */
export function OptionList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={css.list} role="radiogroup" aria-label={label}>
      {children}
    </div>
  )
}
