import type { ComponentProps } from 'react'
import { joined } from './class-names.ts'
import css from './segmented.module.css'
import { WRAPPED_MAX } from './segmented.tsx'

export interface SegmentOption extends ComponentProps<'input'> {
  value: string
  text: string
}

/** A choice that looks as `Segmented`, of radio buttons of one `name`. */
export function SegmentedRadio(props: {
  label: string
  name: string
  options: readonly SegmentOption[]
}) {
  return (
    <div
      className={joined(css.seg, props.options.length <= WRAPPED_MAX && css.wrapped)}
      role="radiogroup"
      aria-label={props.label}
    >
      {props.options.map(({ text, ...input }) => (
        <label key={input.value} className={css.item}>
          <input type="radio" name={props.name} {...input} />
          {text}
        </label>
      ))}
    </div>
  )
}
