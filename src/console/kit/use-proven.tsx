import { useState, type FormEvent } from 'react'
import { callConsole, type CallOutcome } from '../browser/call.ts'
import { signWithPasskey } from '../browser/passkey.ts'
import { Field } from '../sign-in/field.tsx'
import { useT } from '../words.tsx'
import { Fault } from './fault.tsx'
import { useAttempt, type Attempt } from './use-attempt.ts'

/** How an operator proves that it is still them; none in a demo, where the password does it. */
export type ProofWay = 'passkey' | 'code' | 'recovery'

interface Asked {
  readonly kind: string
  readonly answer: (isProved: boolean) => void
}

export interface Proven extends Attempt {
  /** The question, while it is asked: it stands wherever the page puts it. */
  readonly question: React.ReactNode
}

/** Makes calls that may ask for a fresh proof: what was pressed goes on by itself once it is given. */
export function useProven(ways: readonly ProofWay[]): Proven {
  const attempt = useAttempt()
  const [asked, ask] = useState<Asked | null>(null)
  async function proved<Data>(call: () => Promise<CallOutcome<Data>>): Promise<CallOutcome<Data>> {
    const outcome = await call()
    if (outcome.isDone || outcome.proof === null) return outcome
    const { proof: kind } = outcome
    const isProved = await new Promise<boolean>((answer) => ask({ kind, answer }))
    ask(null)
    return isProved ? call() : outcome
  }
  return {
    ...attempt,
    run: (call) => attempt.run(() => proved(call)),
    question: asked && <Question key={asked.kind} asked={asked} ways={ways} />,
  }
}

function Question({ asked, ways }: { readonly asked: Asked; readonly ways: readonly ProofWay[] }) {
  const t = useT()
  const attempt = useAttempt()
  const { kind, answer } = asked
  const prove = async (body: Readonly<Record<string, unknown>>) => {
    if (await attempt.run(() => callConsole('proof', { kind, ...body }))) answer(true)
  }

  async function sign() {
    const options = await attempt.run<unknown>(() => callConsole('proof_options'))
    const credential = options && (await signWithPasskey(options))
    if (credential) await prove({ credential })
  }

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    void prove(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, unknown>)
  }

  const name = ways.length === 0 ? 'password' : 'code'
  return (
    <dialog
      className="dlg"
      aria-label={t('console.proof.title')}
      ref={(dialog) => {
        if (dialog && !dialog.open) dialog.showModal()
      }}
      onCancel={(event) => {
        event.preventDefault()
        answer(false)
      }}
    >
      <h2>{t('console.proof.title')}</h2>
      <p>{t('console.proof.text')}</p>
      {ways.includes('passkey') && (
        <button
          type="button"
          className="btn solid block"
          disabled={attempt.isBusy}
          onClick={() => void sign()}
        >
          {t('console.signIn.usePasskey')}
        </button>
      )}
      {(ways.length === 0 || ways.includes('code')) && (
        <form className="stack-2" onSubmit={send}>
          <Field
            name={name}
            type={name === 'password' ? 'password' : 'text'}
            label={t(name === 'password' ? 'console.signIn.password' : 'console.signIn.appCode')}
            autoComplete={name === 'password' ? 'current-password' : 'one-time-code'}
            fault={attempt.fields[name]}
            isFirst
          />
          <button type="submit" className="btn edge block" disabled={attempt.isBusy}>
            {t('console.proof.go')}
          </button>
        </form>
      )}
      <Fault text={attempt.fault} />
      <button type="button" className="btn ghost" onClick={() => answer(false)}>
        {t('console.back')}
      </button>
    </dialog>
  )
}
