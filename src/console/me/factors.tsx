import { useEffect, useId, useState, type FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { canUsePasskeys, makePasskey } from '../browser/passkey.ts'
import { Fault } from '../kit/fault.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import { AppForm, type AppInvitation } from '../sign-in/app-form.tsx'
import { useT } from '../words.tsx'
import type { MeData } from './load.ts'

interface Made {
  readonly recovery_codes: readonly string[]
}

/** What is shown beside the password: passkeys, the app, recovery codes. Whatever changes them asks for a fresh proof. */
export function Factors({ data }: { readonly data: MeData }) {
  const t = useT()
  const attempt = useAttempt()
  const [codes, setCodes] = useState<readonly string[]>([])
  const { passkeys, hasApp, mayRemoveFactor } = data
  const isNone = passkeys.length === 0 && !hasApp
  function made({ recovery_codes: fresh }: Made) {
    if (fresh.length > 0) setCodes(fresh)
    refreshPage()
  }
  async function remove(passkey?: string) {
    const which = passkey === undefined ? {} : { passkey }
    if (await attempt.run(() => callConsole('factors/remove', which))) refreshPage()
  }
  return (
    <section className="panel stack" aria-labelledby="my-factors">
      <h2 id="my-factors">{t('console.me.factors')}</h2>
      <p className="hint">{t(isNone ? 'console.me.noFactors' : 'console.me.factorsText')}</p>
      {!isNone && (
        <ul className="units">
          {passkeys.map(({ id, name, added, used }) => (
            <li key={id}>
              <span>
                <b>
                  <bdi>{name}</bdi>
                </b>
                <small>
                  {used === null
                    ? t('console.me.unused', { added })
                    : t('console.me.used', { added, used })}
                </small>
              </span>
              <span className="s">{t('console.people.passkey')}</span>
              <span className="p">
                {mayRemoveFactor && (
                  <Remove name={name} isBusy={attempt.isBusy} press={() => remove(id)} />
                )}
              </span>
            </li>
          ))}
          {hasApp && (
            <li>
              <b>{t('console.me.app')}</b>
              <span className="s">{t('console.people.app')}</span>
              <span className="p">
                {mayRemoveFactor && (
                  <Remove
                    name={t('console.me.app')}
                    isBusy={attempt.isBusy}
                    press={() => remove()}
                  />
                )}
              </span>
            </li>
          )}
        </ul>
      )}
      {!isNone && !mayRemoveFactor && <p className="hint">{t('console.me.lastFactor')}</p>}
      <Fault text={attempt.fault} />
      <Add hasApp={hasApp} onMade={made} />
      {codes.length > 0 && <Codes codes={codes} keep={() => setCodes([])} />}
      {!isNone && <Renew left={data.codesLeft} attempt={attempt} onMade={made} />}
    </section>
  )
}

function Remove({
  name,
  isBusy,
  press,
}: {
  readonly name: string
  readonly isBusy: boolean
  readonly press: () => Promise<void>
}) {
  const t = useT()
  return (
    <button type="button" className="btn edge sm" disabled={isBusy} onClick={() => void press()}>
      {t('console.me.remove')} <span className="sr">{name}</span>
    </button>
  )
}

interface AddProps {
  readonly onMade: (made: Made) => void
}

/** Another passkey under a name of one's own, or the app where there is none yet. */
function Add({ hasApp, onMade }: AddProps & Pick<MeData, 'hasApp'>) {
  const t = useT()
  const attempt = useAttempt()
  const [invitation, setInvitation] = useState<AppInvitation | null>(null)
  // Most browsers have them: those that have not take the form away.
  const [hasPasskeys, setHasPasskeys] = useState(true)
  // Only the browser knows.
  useEffect(() => setHasPasskeys(canUsePasskeys()), [])
  async function begin() {
    setInvitation(await attempt.run<AppInvitation>(() => callConsole('factors/app')))
  }
  async function confirm(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code'))
    const made = await attempt.run<Made>(() => callConsole('factors/app_confirm', { code }))
    if (!made) return
    setInvitation(null)
    onMade(made)
  }
  return (
    <>
      {hasPasskeys && <AddPasskey onMade={onMade} />}
      {invitation ? (
        <AppForm
          invitation={invitation}
          attempt={attempt}
          onSubmit={(event) => void confirm(event)}
        />
      ) : (
        !hasApp && (
          <div className="row wrapx">
            <button
              type="button"
              className="btn edge"
              disabled={attempt.isBusy}
              onClick={() => void begin()}
            >
              {t('console.signIn.addApp')}
            </button>
          </div>
        )
      )}
      <Fault text={attempt.fault} />
    </>
  )
}

function AddPasskey({ onMade }: AddProps) {
  const t = useT()
  const attempt = useAttempt()
  const field = useId()
  async function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const name = new FormData(form).get('name')
    const options = await attempt.run<unknown>(() => callConsole('factors/passkey_options'))
    const credential = options && (await makePasskey(options))
    if (!credential) return
    const made = await attempt.run<Made>(() => callConsole('factors/passkey', { name, credential }))
    if (!made) return
    form.reset()
    onMade(made)
  }
  return (
    <form className="stack-2" onSubmit={(event) => void add(event)}>
      <Labelled id={field} label={t('console.me.passkeyName')} fault={attempt.fields['name']}>
        <input
          className="input"
          id={field}
          name="name"
          dir="auto"
          autoComplete="off"
          maxLength={60}
          required
        />
      </Labelled>
      <div className="row wrapx">
        <button type="submit" className="btn edge" disabled={attempt.isBusy}>
          {t('console.signIn.addPasskey')}
        </button>
      </div>
      <Fault text={attempt.fault} />
    </form>
  )
}

/** Shown this once. */
function Codes({ codes, keep }: { readonly codes: readonly string[]; readonly keep: () => void }) {
  const t = useT()
  return (
    <div className="note stack-2" role="status">
      <h3>{t('console.signIn.recovery')}</h3>
      <p>{t('console.signIn.recoveryText')}</p>
      <ul className="stack-2" dir="ltr">
        {codes.map((code) => (
          <li key={code} className="mono">
            {code}
          </li>
        ))}
      </ul>
      <button type="button" className="btn solid" onClick={keep}>
        {t('console.signIn.kept')}
      </button>
    </div>
  )
}

function Renew({
  left,
  attempt,
  onMade,
}: AddProps & { readonly left: number; readonly attempt: Attempt }) {
  const t = useT()
  async function renew() {
    const made = await attempt.run<Made>(() => callConsole('factors/recovery_codes'))
    if (made) onMade(made)
  }
  return (
    <div className="stack-2">
      <h3>{t('console.me.recovery')}</h3>
      <p>{t('console.me.codesLeft', { count: left })}</p>
      <div className="row wrapx">
        <button
          type="button"
          className="btn edge"
          disabled={attempt.isBusy}
          onClick={() => void renew()}
        >
          {t('console.me.newCodes')}
        </button>
      </div>
      <p className="hint">{t('console.me.newCodesText')}</p>
    </div>
  )
}
