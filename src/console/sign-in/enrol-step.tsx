import { useState, type FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { canUsePasskeys, makePasskey } from '../browser/passkey.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import { AppForm, type AppInvitation } from './app-form.tsx'

interface Enrolled {
  readonly recovery_codes: readonly string[]
}

/** The first factor, without which nobody works here: a passkey, or an authenticator app. Recovery codes are shown once. */
export function EnrolStep({
  ticket,
  onBack,
  onDone,
}: {
  readonly ticket: string
  readonly onBack: () => void
  readonly onDone: () => void
}) {
  const t = useT()
  const attempt = useAttempt()
  const [invitation, setInvitation] = useState<AppInvitation | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />

  async function choosePasskey() {
    const options = await attempt.run<unknown>(() =>
      callConsole('enrol_passkey_options', { ticket }),
    )
    const credential = options && (await makePasskey(options))
    if (!credential) return
    const name = t('console.signIn.passkeyName')
    const made = await attempt.run<Enrolled>(() =>
      callConsole('enrol_passkey', { ticket, name, credential }),
    )
    if (made) setCodes(made.recovery_codes)
  }

  async function chooseApp() {
    setInvitation(await attempt.run<AppInvitation>(() => callConsole('enrol_app', { ticket })))
  }

  async function confirm(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code'))
    const made = await attempt.run<Enrolled>(() =>
      callConsole('enrol_app_confirm', { ticket, code }),
    )
    if (made) setCodes(made.recovery_codes)
  }

  return (
    <>
      <h1>{t('console.signIn.enrol')}</h1>
      <p>{t('console.signIn.enrolText')}</p>
      {invitation ? (
        <AppForm
          invitation={invitation}
          attempt={attempt}
          onSubmit={(event) => void confirm(event)}
        />
      ) : (
        <Ways
          isBusy={attempt.isBusy}
          onPasskey={() => void choosePasskey()}
          onApp={() => void chooseApp()}
        />
      )}
      <Fault text={attempt.fault} />
      <button type="button" className="btn ghost" onClick={onBack}>
        {t('console.back')}
      </button>
    </>
  )
}

function Ways({
  isBusy,
  onPasskey,
  onApp,
}: {
  readonly isBusy: boolean
  readonly onPasskey: () => void
  readonly onApp: () => void
}) {
  const t = useT()
  return (
    <>
      {canUsePasskeys() && (
        <button type="button" className="btn solid lg block" disabled={isBusy} onClick={onPasskey}>
          {t('console.signIn.addPasskey')}
        </button>
      )}
      <button type="button" className="btn edge lg block" disabled={isBusy} onClick={onApp}>
        {t('console.signIn.addApp')}
      </button>
    </>
  )
}

function RecoveryCodes({
  codes,
  onDone,
}: {
  readonly codes: readonly string[]
  readonly onDone: () => void
}) {
  const t = useT()
  return (
    <>
      <h1>{t('console.signIn.recovery')}</h1>
      <p>{t('console.signIn.recoveryText')}</p>
      <ul className="stack-2">
        {codes.map((code) => (
          <li key={code} className="mono">
            {code}
          </li>
        ))}
      </ul>
      <button type="button" className="btn solid lg block" onClick={onDone}>
        {t('console.signIn.kept')}
      </button>
    </>
  )
}
