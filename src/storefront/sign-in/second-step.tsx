import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { TextField } from '#ui/field.tsx'
import type { FormView } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import type { Outcome } from '../forms/form.ts'
import { useHref, useT } from '../i18n.tsx'
import css from './sign-in.module.css'

/** Envelope codes: the second step is needed; its ticket is used up. */
const SECOND_FACTOR_NEEDED = 2405
const TICKET_EXPIRED = 2401

/** What the second step goes on with, after what came of the form; null while it is at its first. */
export function ticketOf(outcome: Outcome | null | undefined): string | null {
  if (!outcome || outcome.isDone || outcome.code === TICKET_EXPIRED) return null
  if (outcome.code === SECOND_FACTOR_NEEDED)
    return (outcome.data as { readonly ticket: string }).ticket
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
  const [dismissed, setDismissed] = useState<Outcome | null>(null)
  const field = view.field('code')
  const code = {
    ...field,
    message: dismissed === view.outcome ? undefined : field.message,
    required: true,
    autoFocus: true,
  }
  const change = (): void => {
    setRecovery(!recovery)
    // What was wrong with one kind of code says nothing of the other.
    setDismissed(view.outcome)
  }
  return (
    <>
      <div className="stack-s" role="status">
        <h2>{t('sign-in.stepTitle')}</h2>
        <p className="muted">
          {recovery ? t('sign-in.stepRecoveryText') : t('sign-in.stepText', { store })}
        </p>
      </div>
      {view.outcome?.code === SECOND_FACTOR_NEEDED ? null : <Refusal view={view} />}
      <input type="hidden" name="step" value={ticket} />
      {recovery ? (
        <TextField
          key="recovery"
          id="recovery"
          label={t('sign-in.stepRecoveryCode')}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...code}
        />
      ) : (
        <CodeField key="code" id="code" label={t('form.codeFromApp')} {...code} />
      )}
      {/* The field takes both kinds; without script no button changes what it asks for. */}
      <noscript>
        <p className="muted small">{t('sign-in.stepRecoveryText')}</p>
      </noscript>
      <Button type="submit" look="solid" size="large" block busy={view.busy}>
        {t('sign-in.stepSubmit')}
      </Button>
      <div className="row between">
        <Button look="ghost" className={css.other} onClick={change} data-replay="">
          {recovery ? t('sign-in.stepUseApp') : t('sign-in.stepUseRecovery')}
        </Button>
        <a className="link small" href={href('/login')}>
          {t('sign-in.startAgain')}
        </a>
      </div>
    </>
  )
}
