import type { ComponentProps } from 'react'
import { joined } from './class-names.ts'
import { Field, type FieldProps } from './field.tsx'
import css from './field.module.css'

/** Field for a longer text; everything a `textarea` takes goes to it. */
export function TextArea({
  label,
  aside,
  hint,
  message,
  className,
  ...area
}: FieldProps & ComponentProps<'textarea'>) {
  const field = { id: area.id, label, aside, hint, message, required: area.required }
  return (
    <Field {...field}>
      {(wiring) => (
        <textarea
          dir="auto"
          {...area}
          {...wiring}
          className={joined(css.input, css.area, className)}
        />
      )}
    </Field>
  )
}
