import { useState, type FormEvent } from 'react'
import { Logo } from '#ui/logo.tsx'
import { callConsole } from '../browser/call.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { EnrolStep } from '../sign-in/enrol-step.tsx'
import { Field } from '../sign-in/field.tsx'
import { useT } from '../words.tsx'
import type { InvitationData } from './load.ts'

/** Where the link of an invitation leads: a password that nobody else knows, then the first factor. */
export function Page({ data: { invited, shopName } }: { readonly data: InvitationData }) {
  const t = useT()
  const [ticket, setTicket] = useState<string | null>(null)
  const enter = () => location.assign(CONSOLE_PATH)
  return (
    <div className="gate">
      <header className="gate-h">
        <Logo href={CONSOLE_PATH} label={shopName} name={shopName} />
      </header>
      <div className="con gate-in">
        <main id="main" tabIndex={-1}>
          <section className="panel stack gate-box">
            {ticket !== null ? (
              // The account is there: going back leads to its sign-in.
              <EnrolStep ticket={ticket} onBack={enter} onDone={enter} />
            ) : invited ? (
              <Accept invited={invited} onTicket={setTicket} onDone={enter} />
            ) : (
              <>
                <h1>{t('console.invitation.over')}</h1>
                <p>{t('console.invitation.overText')}</p>
                <a className="btn edge lg block" href={`${CONSOLE_PATH}/sign-in`}>
                  {t('console.signIn.title')}
                </a>
              </>
            )}
          </section>
        </main>
      </div>
    </div>
  )
}

function Accept({
  invited,
  onTicket,
  onDone,
}: {
  readonly invited: NonNullable<InvitationData['invited']>
  readonly onTicket: (ticket: string) => void
  readonly onDone: () => void
}) {
  const t = useT()
  const attempt = useAttempt()
  const { name, email, role, invitedBy, ends } = invited

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = Object.fromEntries(
      [...new FormData(event.currentTarget)].filter(([, value]) => value !== ''),
    )
    const answer = await attempt.run<{ readonly step: string; readonly ticket: string | null }>(
      () => callConsole('invitation/accept', { key: invited.key, ...fields }),
    )
    if (answer?.ticket) onTicket(answer.ticket)
    else if (answer) onDone()
  }

  return (
    <>
      <h1>{t('console.invitation.title')}</h1>
      <p>
        {invitedBy === null
          ? t('console.invitation.first')
          : t('console.invitation.text', { name: invitedBy, role })}
      </p>
      {name !== null && (
        <p>
          {t('console.invitation.account')} <b dir="auto">{name}</b>
          {email !== null && (
            <>
              , <bdi>{email}</bdi>
            </>
          )}
        </p>
      )}
      <form className="stack" onSubmit={(event) => void send(event)}>
        {name === null && <FirstOwner fields={attempt.fields} />}
        {name !== null && <input type="hidden" autoComplete="username" value={name} readOnly />}
        <Field
          name="password"
          type="password"
          label={t('console.invitation.password')}
          autoComplete="new-password"
          fault={attempt.fields['password']}
          isFirst={name !== null}
        />
        <Fault text={attempt.fault} />
        <button type="submit" className="btn solid lg block" disabled={attempt.isBusy}>
          {t('console.invitation.accept')}
        </button>
      </form>
      <p className="hint">{t('console.invitation.ends', { at: ends })}</p>
    </>
  )
}

/** The first owner says who they are; whoever is invited has been told. */
function FirstOwner({ fields }: { readonly fields: Readonly<Record<string, string>> }) {
  const t = useT()
  return (
    <>
      <Field
        name="name"
        label={t('console.people.signInName')}
        autoComplete="username"
        fault={fields['name']}
        isFirst
      />
      <Field
        name="email"
        label={t('console.people.email')}
        autoComplete="email"
        fault={fields['email']}
      />
    </>
  )
}
