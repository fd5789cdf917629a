import { LineField } from '../kit/fields.tsx'
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
  return (
    <LineField
      label={t('console.customer.reason')}
      value={reason}
      max={500}
      write={write}
      fault={fault}
      required
    />
  )
}
