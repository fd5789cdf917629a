import { useEffect, useState, type FormEvent } from 'react'
import type { ProofKind } from '#features/team/operator/rules.ts'
import { callConsole, readConsole } from '../browser/call.ts'
import { canUsePasskeys, signWithPasskey } from '../browser/passkey.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import { Field } from '../sign-in/field.tsx'
import { useT } from '../words.tsx'

type Way = 'passkey' | 'code' | 'recovery'

/** That it is still the same person: by a passkey, a code of the app, or the password where there is no factor yet. */
export function Proof({
  kind,
  onEnd,
}: {
  readonly kind: ProofKind
  readonly onEnd: (isDone: boolean) => void
}) {
  const t = useT()
  const attempt = useAttempt()
  const ways = useWays()
  const prove = async (by: Readonly<Record<string, unknown>>) => {
    if (await attempt.run(() => callConsole('proof', { kind, ...by }))) onEnd(true)
  }

  async function sign() {
    const options = await attempt.run<unknown>(() => callConsole('proof_options'))
    const credential = options && (await signWithPasskey(options))
    if (credential) await prove({ credential })
  }

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    void prove(Object.fromEntries(new FormData(event.currentTarget)))
  }

  const hasPasskey = ways?.includes('passkey') === true && canUsePasskeys()
  const hasCode = ways?.includes('code') === true
  return (
    <div className="stack">
      <h2 id="over">{t('console.proof.title')}</h2>
      <p>{t(`console.proof.for.${kind}`)}</p>
      {hasPasskey && (
        <button
          type="button"
          className="btn solid lg block"
          disabled={attempt.isBusy}
          onClick={() => void sign()}
        >
          {t('console.signIn.usePasskey')}
        </button>
      )}
      {ways !== null && (hasCode || !hasPasskey) && (
        <TypedProof hasCode={hasCode} attempt={attempt} onSubmit={send} />
      )}
      <Fault text={attempt.fault} />
      <button type="button" className="btn ghost block" onClick={() => onEnd(false)}>
        {t('console.cancel')}
      </button>
    </div>
  )
}

/** A code of the app; the password where there is no factor. */
function TypedProof({
  hasCode,
  attempt,
  onSubmit,
}: {
  readonly hasCode: boolean
  readonly attempt: Attempt
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
}) {
  const t = useT()
  const name = hasCode ? 'code' : 'password'
  return (
    <form className="stack" onSubmit={onSubmit}>
      <Field
        name={name}
        type={hasCode ? 'text' : 'password'}
        label={t(hasCode ? 'console.signIn.appCode' : 'console.signIn.password')}
        autoComplete={hasCode ? 'one-time-code' : 'current-password'}
        fault={attempt.fields[name]}
        isFirst
      />
      <button type="submit" className="btn solid lg block" disabled={attempt.isBusy}>
        {t('console.proof.confirm')}
      </button>
    </form>
  )
}

/** How this operator can prove it; null until it is known. */
function useWays(): readonly Way[] | null {
  const [ways, setWays] = useState<readonly Way[] | null>(null)
  useEffect(() => {
    void readConsole<{ readonly ways: readonly Way[] }>('me').then(
      (answer) => setWays(answer.isDone ? answer.data.ways : []),
      () => setWays([]),
    )
  }, [])
  return ways
}
