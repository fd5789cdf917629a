import { useState } from 'react'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { EnrolStep } from './enrol-step.tsx'
import { FactorStep } from './factor-step.tsx'
import type { SignInData } from './load.ts'
import { PasswordStep } from './password-step.tsx'

export type SignInStep =
  | { readonly step: 'password' }
  | {
      readonly step: 'factor'
      readonly ticket: string
      readonly ways: readonly ('passkey' | 'code' | 'recovery')[]
    }
  | { readonly step: 'enrol'; readonly ticket: string }

/** Signing in: who one is, then a second factor, or making the first one. */
export function Page({ data: { to, isDemo, shopName } }: { readonly data: SignInData }) {
  const t = useT()
  const [now, goTo] = useState<SignInStep>({ step: 'password' })
  const enter = () => location.assign(CONSOLE_PATH + (to === '/' ? '' : to))
  const back = () => goTo({ step: 'password' })
  return (
    <div className="gate">
      <header className="gate-h">
        <b dir="auto">{shopName}</b>
        {isDemo && <span className="env">{t('console.demo')}</span>}
      </header>
      <div className="con gate-in">
        <main id="main" tabIndex={-1}>
          <section className="panel stack gate-box">
            {now.step === 'password' && (
              <PasswordStep isDemo={isDemo} onStep={goTo} onDone={enter} />
            )}
            {now.step === 'factor' && <FactorStep {...now} onBack={back} onDone={enter} />}
            {now.step === 'enrol' && <EnrolStep ticket={now.ticket} onBack={back} onDone={enter} />}
          </section>
        </main>
      </div>
    </div>
  )
}
