import { useId } from 'react'
import { Labelled } from '../kit/labelled.tsx'

/** A line that holds a number, a code or a moment, with what is wrong about it. */
export function TypedField({
  label,
  value,
  write,
  fault,
  hint,
  kind = 'number',
  known,
  placeholder,
  disabled = false,
}: {
  readonly label: string
  readonly value: string
  readonly write: (value: string) => void
  readonly fault?: string | undefined
  readonly hint?: string
  readonly kind?: 'number' | 'level' | 'code' | 'moment'
  /** Codes that may be chosen. */
  readonly known?: readonly string[]
  readonly placeholder?: string
  readonly disabled?: boolean
}) {
  const id = useId()
  const isCode = kind === 'code'
  return (
    <Labelled id={id} label={label} hint={hint} fault={fault} isWide={isCode && !known}>
      <input
        {...(kind === 'moment' ? { type: 'datetime-local' } : { dir: 'ltr' })}
        {...(kind === 'level' ? { type: 'number', min: 1, max: 999 } : {})}
        {...(kind === 'number' ? { inputMode: 'decimal' } : {})}
        className={isCode ? 'input mono' : 'input num'}
        id={id}
        list={known && `${id}-known`}
        maxLength={isCode ? 160 : 24}
        autoComplete="off"
        placeholder={placeholder}
        disabled={disabled}
        value={value}
        onChange={(event) => write(isCode ? event.target.value.trim() : event.target.value)}
        aria-invalid={fault !== undefined}
      />
      {known && (
        <datalist id={`${id}-known`}>
          {known.map((code) => (
            <option key={code} value={code} />
          ))}
        </datalist>
      )}
    </Labelled>
  )
}
