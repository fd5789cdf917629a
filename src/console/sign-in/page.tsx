import { Logo } from '#ui/logo.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { SignInData } from './load.ts'
import { SignInSteps } from './steps.tsx'

/** Signing in, with nothing around it. */
export function Page({ data: { to, isDemo, shopName } }: { readonly data: SignInData }) {
  const t = useT()
  return (
    <div className="gate">
      <header className="gate-h">
        <Logo href={CONSOLE_PATH} label={shopName} name={shopName} />
        {isDemo && <span className="env">{t('console.demo')}</span>}
      </header>
      <div className="con gate-in">
        <main id="main" tabIndex={-1}>
          <section className="panel stack gate-box">
            <SignInSteps
              isDemo={isDemo}
              heading={t('console.signIn.heading')}
              onDone={() => location.assign(CONSOLE_PATH + (to === '/' ? '' : to))}
            />
          </section>
        </main>
      </div>
    </div>
  )
}
