import { useEffect, useRef, useState } from 'react'
import type { ProofKind } from '#features/team/operator/rules.ts'
import { handleInterruptions } from '../browser/interruptions.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { SignInSteps } from '../sign-in/steps.tsx'
import { useT } from '../words.tsx'
import { Proof } from './proof.tsx'

type Asked = { readonly resolve: (isDone: boolean) => void } & (
  | { readonly what: 'proof'; readonly kind: ProofKind }
  | { readonly what: 'sign-in' }
)

/** Over any page: a fresh proof that a call asks for, and signing in again where the session has ended. The page behind stays as it is. */
export function Interruption({ isDemo }: { readonly isDemo: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [asked, ask] = useState<Asked | null>(null)
  useEffect(
    () =>
      handleInterruptions({
        prove: (kind) => new Promise((resolve) => ask({ what: 'proof', kind, resolve })),
        signInAgain: () => new Promise((resolve) => ask({ what: 'sign-in', resolve })),
      }),
    [],
  )
  useEffect(() => {
    if (asked) dialog.current?.showModal()
  }, [asked])
  if (!asked) return null

  function end(isDone: boolean) {
    dialog.current?.close()
    ask(null)
    asked?.resolve(isDone)
  }

  return (
    <dialog
      ref={dialog}
      className="panel over"
      aria-labelledby="over"
      onCancel={(event) => {
        event.preventDefault()
        end(false)
      }}
    >
      {asked.what === 'proof' ? (
        <Proof kind={asked.kind} onEnd={end} />
      ) : (
        <SignInAgain isDemo={isDemo} onEnd={end} />
      )}
    </dialog>
  )
}

function SignInAgain({
  isDemo,
  onEnd,
}: {
  readonly isDemo: boolean
  readonly onEnd: (isDone: boolean) => void
}) {
  const t = useT()
  return (
    <div className="stack">
      <h2 id="over">{t('console.ended.title')}</h2>
      <p>{t('console.ended.text')}</p>
      <SignInSteps isDemo={isDemo} heading={null} onDone={() => onEnd(true)} />
      <button
        type="button"
        className="btn ghost block"
        onClick={() => location.assign(`${CONSOLE_PATH}/sign-in`)}
      >
        {t('console.ended.else')}
      </button>
    </div>
  )
}
