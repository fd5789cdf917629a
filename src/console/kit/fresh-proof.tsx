import type { ProofKind } from '#features/team/operator/rules.ts'
import { useEffect, useId, useState, type FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { canUsePasskeys, signWithPasskey } from '../browser/passkey.ts'
import { useT } from '../words.tsx'
import { Fault } from './fault.tsx'
import { useAttempt } from './use-attempt.ts'

const APP_CODE = /^\d{6}$/

/** Asks who sits there to prove that it is still them, for one kind of thing; then what was refused is done. */
export function FreshProof({
  kind,
  onProved,
}: {
  readonly kind: ProofKind
  readonly onProved: () => void
}) {
  const t = useT()
  const field = useId()
  const attempt = useAttempt()
  const [hasPasskeys, setHasPasskeys] = useState(false)
  useEffect(() => setHasPasskeys(canUsePasskeys()), [])

  async function prove(shown: Readonly<Record<string, unknown>>) {
    if (await attempt.run(() => callConsole('proof', { kind, ...shown }))) onProved()
  }

  async function sign() {
    const options = await attempt.run<unknown>(() => callConsole('proof_options'))
    const credential = options && (await signWithPasskey(options))
    if (credential) await prove({ credential })
  }

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    event.stopPropagation()
    const typed = String(new FormData(event.currentTarget).get('proof')).trim()
    void prove(APP_CODE.test(typed) ? { code: typed } : { password: typed })
  }

  const fault = attempt.fields['code'] ?? attempt.fields['password']
  return (
    <form className="note warn stack-2" onSubmit={send}>
      <p>{t('console.proof.text')}</p>
      <div className={fault === undefined ? 'field' : 'field err'}>
        <label htmlFor={field}>{t('console.proof.code')}</label>
        <input
          className="input"
          id={field}
          name="proof"
          type="password"
          autoComplete="one-time-code"
          required
          aria-invalid={fault !== undefined}
        />
        {fault !== undefined && (
          <p className="msg" role="alert">
            {fault}
          </p>
        )}
      </div>
      <Fault text={attempt.fault} />
      <div className="row wrapx">
        <button type="submit" className="btn solid" disabled={attempt.isBusy}>
          {t('console.proof.go')}
        </button>
        {hasPasskeys && (
          <button
            type="button"
            className="btn edge"
            disabled={attempt.isBusy}
            onClick={() => void sign()}
          >
            {t('console.signIn.usePasskey')}
          </button>
        )}
      </div>
    </form>
  )
}
