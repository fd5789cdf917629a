import { useId } from 'react'
import { Labelled } from './labelled.tsx'

/** One of several, by its word. */
export function Choice({
  label,
  hint,
  name,
  value,
  options,
  choose,
}: {
  readonly label: string
  /** Of a form that is an address. */
  readonly name?: string
  readonly hint?: string | undefined
  readonly value: string
  readonly options: readonly {
    readonly value: string
    readonly text: string
    readonly lang?: string
  }[]
  readonly choose: (value: string) => void
}) {
  const field = useId()
  return (
    <Labelled id={field} label={label} hint={hint}>
      <select
        className="input"
        id={field}
        name={name}
        value={value}
        onChange={(event) => choose(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} lang={option.lang}>
            {option.text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

interface WrittenProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly value: string
  readonly max: number
  readonly write: (value: string) => void
  readonly fault: string | undefined
  readonly required?: boolean
  readonly disabled?: boolean
}

/** A line of text, with what is wrong about it. */
export function LineField({
  isWide = false,
  ...props
}: WrittenProps & { readonly isWide?: boolean }) {
  const { label, hint, value, max, write, fault, ...allows } = props
  const field = useId()
  return (
    <Labelled id={field} label={label} hint={hint} fault={fault} isWide={isWide}>
      <input
        {...allows}
        className="input"
        id={field}
        autoComplete="off"
        maxLength={max}
        value={value}
        onChange={(event) => write(event.target.value)}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${field}-fault`}
      />
    </Labelled>
  )
}

/** A few lines of text, with what is wrong about them. */
export function TextField({
  rows = 2,
  lang,
  ...props
}: WrittenProps & { readonly rows?: number; readonly lang?: string | undefined }) {
  const { label, hint, value, max, write, fault, ...allows } = props
  const field = useId()
  return (
    <Labelled id={field} label={label} hint={hint} fault={fault}>
      <textarea
        {...allows}
        className="input"
        id={field}
        rows={rows}
        dir="auto"
        lang={lang}
        maxLength={max}
        value={value}
        onChange={(event) => write(event.target.value)}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${field}-fault`}
      />
    </Labelled>
  )
}
