import type { FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { signWithPasskey } from '../browser/passkey.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import { Field } from './field.tsx'

/** The second factor: a code of the app, a recovery code, or a passkey. */
export function FactorStep({
  ticket,
  ways,
  onBack,
  onDone,
  onLost,
}: {
  readonly ticket: string
  readonly ways: readonly ('passkey' | 'code' | 'recovery')[]
  readonly onBack: () => void
  readonly onDone: () => void
  readonly onLost: () => void
}) {
  const t = useT()
  const attempt = useAttempt()

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code'))
    if (await attempt.run(() => callConsole('sign_in_factor', { ticket, code }))) onDone()
  }

  async function sign() {
    const options = await attempt.run<unknown>(() => callConsole('sign_in_options'))
    const credential = options && (await signWithPasskey(options))
    if (!credential) return
    if (await attempt.run(() => callConsole('sign_in_factor', { ticket, credential }))) onDone()
  }

  return (
    <>
      <h1>{t('console.signIn.second')}</h1>
      {ways.includes('passkey') && (
        <button
          type="button"
          className="btn solid lg block"
          disabled={attempt.isBusy}
          onClick={() => void sign()}
        >
          {t('console.signIn.usePasskey')}
        </button>
      )}
      {(ways.includes('code') || ways.includes('recovery')) && (
        <form className="stack" onSubmit={(event) => void send(event)}>
          <Field
            name="code"
            label={t('console.signIn.code')}
            autoComplete="one-time-code"
            fault={attempt.fields['code']}
            isFirst
          />
          <button type="submit" className="btn edge lg block" disabled={attempt.isBusy}>
            {t('console.signIn.submit')}
          </button>
        </form>
      )}
      <Fault text={attempt.fault} />
      <button type="button" className="btn ghost" onClick={onLost}>
        {t('console.lost.link')}
      </button>
      <button type="button" className="btn ghost" onClick={onBack}>
        {t('console.back')}
      </button>
    </>
  )
}
