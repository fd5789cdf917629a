import { useId } from 'react'

/** One of several, by its word. */
export function Choice({
  label,
  value,
  options,
  choose,
}: {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly text: string }[]
  readonly choose: (value: string) => void
}) {
  const field = useId()
  return (
    <div className="field">
      <label htmlFor={field}>{label}</label>
      <select
        className="input"
        id={field}
        value={value}
        onChange={(event) => choose(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A few lines of text, with what is wrong about them. */
export function TextField({
  label,
  value,
  max,
  write,
  fault,
}: {
  readonly label: string
  readonly value: string
  readonly max: number
  readonly write: (value: string) => void
  readonly fault: string | undefined
}) {
  const field = useId()
  return (
    <div className={fault === undefined ? 'field' : 'field err'}>
      <label htmlFor={field}>{label}</label>
      <textarea
        className="input"
        id={field}
        rows={2}
        maxLength={max}
        value={value}
        onChange={(event) => write(event.target.value)}
        aria-invalid={fault !== undefined}
      />
      {fault !== undefined && (
        <p className="msg" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
