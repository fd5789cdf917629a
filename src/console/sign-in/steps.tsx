import { useState } from 'react'
import { EnrolStep } from './enrol-step.tsx'
import { FactorStep } from './factor-step.tsx'
import { LostStep } from './lost-step.tsx'
import { PasswordStep } from './password-step.tsx'

export type SignInStep =
  | { readonly step: 'password' }
  | {
      readonly step: 'factor'
      readonly ticket: string
      readonly ways: readonly ('passkey' | 'code' | 'recovery')[]
    }
  | { readonly step: 'enrol'; readonly ticket: string }
  | { readonly step: 'lost'; readonly ticket: string; readonly isSaid: boolean }

/** Who one is, then a second factor, or making the first one. */
export function SignInSteps({
  isDemo,
  heading,
  onDone,
}: {
  readonly isDemo: boolean
  /** Above the first step; null where something else says it. */
  readonly heading: string | null
  readonly onDone: () => void
}) {
  const [now, goTo] = useState<SignInStep>({ step: 'password' })
  const back = () => goTo({ step: 'password' })
  return (
    <>
      {now.step === 'password' && (
        <PasswordStep isDemo={isDemo} heading={heading} onStep={goTo} onDone={onDone} />
      )}
      {now.step === 'factor' && (
        <FactorStep
          {...now}
          onBack={back}
          onDone={onDone}
          onLost={() => goTo({ step: 'lost', ticket: now.ticket, isSaid: false })}
        />
      )}
      {now.step === 'lost' && (
        <LostStep {...now} onSaid={() => goTo({ ...now, isSaid: true })} onBack={back} />
      )}
      {now.step === 'enrol' && <EnrolStep ticket={now.ticket} onBack={back} onDone={onDone} />}
    </>
  )
}
