import { useId } from 'react'
import { useT } from '../words.tsx'

/** The reason, without which an act on an account is not sent. */
export function ReasonField({
  reason,
  write,
  fault,
}: {
  readonly reason: string
  readonly write: (text: string) => void
  readonly fault: string | undefined
}) {
  const t = useT()
  const id = useId()
  return (
    <div className={fault === undefined ? 'field' : 'field err'}>
      <label htmlFor={id}>{t('console.customer.reason')}</label>
      <input
        className="input"
        id={id}
        required
        maxLength={500}
        autoComplete="off"
        value={reason}
        onChange={(event) => write(event.target.value)}
      />
      {fault !== undefined && (
        <p className="msg" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
