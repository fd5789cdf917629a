import type { FormEvent } from 'react'
import type { Attempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import { Field } from './field.tsx'

/** How an authenticator app is told its seed. */
export interface AppInvitation {
  readonly seed: string
  /** SVG, drawn by the server. */
  readonly qr: string
}

/** The seed, to scan or to type, and the first code that turns the app on. */
export function AppForm({
  invitation,
  attempt,
  onSubmit,
}: {
  readonly invitation: AppInvitation
  readonly attempt: Attempt
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
}) {
  const t = useT()
  return (
    <form className="stack" onSubmit={onSubmit}>
      <img
        className="qr"
        src={`data:image/svg+xml,${encodeURIComponent(invitation.qr)}`}
        alt={t('console.signIn.qr')}
      />
      <p className="mono">{invitation.seed}</p>
      <Field
        name="code"
        label={t('console.signIn.appCode')}
        autoComplete="one-time-code"
        fault={attempt.fields['code']}
        isFirst
      />
      <button type="submit" className="btn solid lg block" disabled={attempt.isBusy}>
        {t('console.signIn.turnOn')}
      </button>
    </form>
  )
}
