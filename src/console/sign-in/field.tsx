import { useId } from 'react'

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
    <div className={fault === undefined ? 'field' : 'field err'}>
      <label htmlFor={id}>{label}</label>
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
      {fault !== undefined && (
        <p className="msg" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
