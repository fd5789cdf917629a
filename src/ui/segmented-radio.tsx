import type { ComponentProps } from 'react'
import css from './segmented.module.css'

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
    <div className={css.seg} role="radiogroup" aria-label={props.label}>
      {props.options.map(({ text, ...input }) => (
        <label key={input.value} className={css.item}>
          <input type="radio" name={props.name} {...input} />
          {text}
        </label>
      ))}
    </div>
  )
}
