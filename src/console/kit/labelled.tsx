import type { ReactNode } from 'react'

/** A field with its name, what helps filling it in, and what is wrong with it. */
export function Labelled({
  id,
  label,
  hint,
  fault,
  isWide = false,
  children,
}: {
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  readonly fault?: string | undefined
  /** Takes the room that is left in its row. */
  readonly isWide?: boolean
  readonly children: ReactNode
}) {
  return (
    <div className={`field${isWide ? ' grow' : ''}${fault === undefined ? '' : ' err'}`}>
      <label htmlFor={id}>{label}</label>
      {children}
      {hint !== undefined && <p className="hint">{hint}</p>}
      {fault !== undefined && (
        <p className="msg" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
