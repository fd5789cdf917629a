import type { ReactNode } from 'react'

/** A field with its name, and what is wrong with it. */
export function Labelled({
  id,
  label,
  fault,
  children,
}: {
  readonly id: string
  readonly label: string
  readonly fault: string | undefined
  readonly children: ReactNode
}) {
  return (
    <div className={fault === undefined ? 'field' : 'field err'}>
      <label htmlFor={id}>{label}</label>
      {children}
      {fault !== undefined && (
        <p className="msg" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
