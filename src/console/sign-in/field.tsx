import { useId } from 'react'
import { Labelled } from '../kit/labelled.tsx'

export interface FieldProps {
  readonly name: string
  readonly label: string
  readonly fault?: string | undefined
  readonly type?: 'text' | 'password'
  readonly autoComplete: string
  readonly isFirst?: boolean
}

/** A labelled field whose fault stands at it. */
export function Field({ name, label, fault, type = 'text', autoComplete, isFirst }: FieldProps) {
  const id = useId()
  return (
    <Labelled id={id} label={label} fault={fault}>
      <input
        className="input"
        id={id}
        name={name}
        type={type}
        autoComplete={autoComplete}
        autoFocus={isFirst}
        required
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
      />
    </Labelled>
  )
}
