import { useEffect, useState, type FormEvent } from 'react'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { canUsePasskeys, signWithPasskey } from '../browser/passkey.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import { Field } from './field.tsx'
import type { SignInStep } from './steps.tsx'

interface Answer {
  readonly step: 'signed_in' | 'factor' | 'enrol'
  readonly ticket: string
  readonly ways: readonly ('passkey' | 'code' | 'recovery')[]
}

/** Name and password; or a passkey, which is enough by itself. */
export function PasswordStep({
  isDemo,
  heading,
  onStep,
  onDone,
}: {
  readonly isDemo: boolean
  readonly heading: string | null
  readonly onStep: (step: SignInStep) => void
  readonly onDone: () => void
}) {
  const t = useT()
  const attempt = useAttempt()
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.currentTarget))
    const answer = await attempt.run<Answer>(() => callConsole('sign_in', fields))
    if (answer?.step === 'signed_in') onDone()
    else if (answer) onStep({ ...answer, step: answer.step } as SignInStep)
  }

  return (
    <>
      {heading !== null && <h1>{heading}</h1>}
      <form className="stack" onSubmit={(event) => void send(event)}>
        <Field
          name="account"
          label={t('console.signIn.account')}
          autoComplete="username webauthn"
          fault={attempt.fields['account']}
          isFirst
        />
        <Field
          name="password"
          type="password"
          label={t('console.signIn.password')}
          autoComplete="current-password"
          fault={attempt.fields['password']}
        />
        <Fault text={attempt.fault} />
        <button type="submit" className="btn solid lg block" disabled={attempt.isBusy}>
          {t('console.signIn.submit')}
        </button>
      </form>
      <PasskeyButton attempt={attempt} onDone={onDone} />
      <p className="hint">{t('console.signIn.first')}</p>
      {isDemo && (
        <p className="note">
          <Icon name="info" />
          {t('console.signIn.demoText')}
        </p>
      )}
    </>
  )
}

/** Only where the browser has passkeys: it is known once the page is alive. */
function PasskeyButton({
  attempt,
  onDone,
}: {
  readonly attempt: Attempt
  readonly onDone: () => void
}) {
  const t = useT()
  const [hasPasskeys, setHasPasskeys] = useState(false)
  useEffect(() => setHasPasskeys(canUsePasskeys()), [])

  async function sign() {
    const options = await attempt.run<unknown>(() => callConsole('sign_in_options'))
    const credential = options && (await signWithPasskey(options))
    if (credential && (await attempt.run(() => callConsole('sign_in_passkey', { credential }))))
      onDone()
  }

  return (
    hasPasskeys && (
      <button
        type="button"
        className="btn edge lg block"
        disabled={attempt.isBusy}
        onClick={() => void sign()}
      >
        {t('console.signIn.passkey')}
      </button>
    )
  )
}
