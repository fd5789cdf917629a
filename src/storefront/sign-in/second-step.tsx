import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { TextField } from '#ui/field.tsx'
import type { FormView } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { useHref, useT } from '../i18n.tsx'

/** Envelope codes: the second step is needed; its ticket is used up. */
const SECOND_FACTOR_NEEDED = 2405
const TICKET_EXPIRED = 2401

/** What the second step goes on with; null while the form is at its first. */
export function ticketOf({ outcome }: FormView): string | null {
  if (!outcome || outcome.isDone || outcome.code === TICKET_EXPIRED) return null
  if (outcome.code === SECOND_FACTOR_NEEDED) return (outcome.data as { readonly ticket: string }).ticket
  return outcome.values['step'] ?? null
}

interface SecondStepProps {
  readonly view: FormView
  readonly ticket: string
  readonly store: string
}

/** Code of the authenticator app, or one of the recovery codes. */
export function SecondStep({ view, ticket, store }: SecondStepProps) {
  const t = useT()
  const href = useHref()
  const [recovery, setRecovery] = useState(false)
  const code = { ...view.field('code'), required: true, autoFocus: true }
  return (
    <>
      <div className="stack-s" role="status">
        <h2>{t('sign-in.stepTitle')}</h2>
        <p className="muted">{recovery ? t('sign-in.stepRecoveryText') : t('sign-in.stepText', { store })}</p>
      </div>
      {view.outcome?.code === SECOND_FACTOR_NEEDED ? null : <Refusal view={view} />}
      <input type="hidden" name="step" value={ticket} />
      {recovery ? (
        <TextField key="recovery" id="recovery" label={t('sign-in.stepRecoveryCode')} dir="ltr" autoComplete="off" autoCapitalize="characters" spellCheck={false} {...code} />
      ) : (
        <CodeField key="code" id="code" label={t('form.codeFromApp')} {...code} />
      )}
      <Button type="submit" look="solid" size="large" block busy={view.busy}>
        {t('sign-in.stepSubmit')}
      </Button>
      <div className="row between">
        <Button look="ghost" onClick={() => setRecovery(!recovery)} data-replay="">
          {recovery ? t('sign-in.stepUseApp') : t('sign-in.stepUseRecovery')}
        </Button>
        <a className="link small" href={href('/login')}>
          {t('sign-in.startAgain')}
        </a>
      </div>
    </>
  )
}
