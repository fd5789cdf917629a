import { useEffect, useRef, useState } from 'react'
import { AuthLayout } from '#ui/auth-layout.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { CallForm } from '../forms/call-form.tsx'
import type { Outcome } from '../forms/form.ts'
import { usePageState } from '../forms/page-state.tsx'
import { useHref, useT } from '../i18n.tsx'
import { SecondStep } from '../sign-in/second-step.tsx'
import { forms } from './forms.ts'
import type { LoadingData } from './load.ts'
import css from './loading.module.css'

/** Envelope codes: the identity has no account here; the account asks for a second step. */
const NOT_BOUND = 2404
const SECOND_FACTOR_NEEDED = 2405

/** Where another service sends people back: finishes the sign-in by itself, without script by a press. */
export function Page({ data }: { readonly data: LoadingData }) {
  const posted = usePageState().outcome
  const [outcome, setOutcome] = useState<Outcome | null>(posted ?? null)
  if (data.answer === null) return <Failed data={data} message={null} />
  if (outcome === null) return <Finishing data={data} answer={data.answer} onRefused={setOutcome} />
  const step = stepOf(outcome)
  if (step !== null) return <Verify data={data} step={step} />
  if (outcome.code === NOT_BOUND)
    return <NotBound data={data} ticket={(outcome.data as { readonly ticket: string }).ticket} />
  return <Failed data={data} message={outcome.message} />
}

function stepOf(outcome: Outcome): string | null {
  if (outcome.form === 'verify') return outcome.values['step'] ?? null
  return outcome.code === SECOND_FACTOR_NEEDED
    ? (outcome.data as { readonly ticket: string }).ticket
    : null
}

interface FinishingProps {
  readonly data: LoadingData
  readonly answer: Readonly<Record<string, string>>
  readonly onRefused: (outcome: Outcome) => void
}

function Finishing({ data, answer, onRefused }: FinishingProps) {
  const t = useT()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // An answer is good for one use: a second run of this effect must not send it again.
    const form = button.current?.form
    if (!form || form.dataset['sent'] !== undefined) return
    form.dataset['sent'] = ''
    form.requestSubmit(button.current)
  }, [])
  return (
    <AuthLayout
      title={data.title}
      text={t('sign-in.loadingText', { service: data.service })}
      covers={data.covers}
    >
      <CallForm name="finish" form={forms.finish} onRefused={onRefused}>
        {() => (
          <>
            {Object.entries(answer).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <div className={css.running} role="status" aria-label={data.title} />
            <div className={css.press}>
              <Button ref={button} type="submit" look="solid" size="large" block>
                {t('sign-in.loadingContinue')}
              </Button>
            </div>
          </>
        )}
      </CallForm>
    </AuthLayout>
  )
}

function Verify({ data, step }: { readonly data: LoadingData; readonly step: string }) {
  return (
    <AuthLayout title={data.title} covers={data.covers}>
      <CallForm name="verify" form={forms.verify} className="stack-l">
        {(view) => <SecondStep view={view} ticket={step} store={data.store} />}
      </CallForm>
    </AuthLayout>
  )
}

/** An identity without an account here is connected on a page of its own. */
function NotBound({ data, ticket }: { readonly data: LoadingData; readonly ticket: string }) {
  const t = useT()
  const href = useHref()
  const next = href(`/login/bind?ticket=${encodeURIComponent(ticket)}`)
  useEffect(() => location.replace(next), [next])
  return (
    <AuthLayout
      title={t('sign-in.bindNotBound')}
      text={t('sign-in.bindText', { service: data.service })}
      covers={data.covers}
    >
      <ButtonLink look="solid" size="large" block href={next}>
        {t('sign-in.loadingContinue')}
      </ButtonLink>
    </AuthLayout>
  )
}

function Failed({
  data,
  message,
}: {
  readonly data: LoadingData
  readonly message: string | null
}) {
  const t = useT()
  const href = useHref()
  return (
    <AuthLayout arrived title={t('sign-in.loadingFailed')} covers={data.covers}>
      {message === null ? null : (
        <Note tone="bad" role="alert">
          {message}
        </Note>
      )}
      <p className="muted">
        {data.service === ''
          ? t('sign-in.bindNone')
          : t('sign-in.loadingFailedText', { service: data.service })}
      </p>
      <ButtonLink look="solid" size="large" block href={href('/login')}>
        {t('sign-in.tryAgain')}
      </ButtonLink>
    </AuthLayout>
  )
}
