import { AuthLayout, Or } from '#ui/auth-layout.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { EntryList, EntryRow } from '#ui/entry-row.tsx'
import { TextField } from '#ui/field.tsx'
import { Panel } from '#ui/panel.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { Agreement } from '../forms/agreement.tsx'
import { CallForm } from '../forms/call-form.tsx'
import {
  OtherAddress,
  Refusal,
  SendAgainForm,
  SentCode,
  useCodeSent,
  type CodeSent,
} from '../forms/code-sent.tsx'
import { UserName } from '../forms/user-name.tsx'
import { useHref, useT } from '../i18n.tsx'
import { SecondStep, ticketOf } from '../sign-in/second-step.tsx'
import { forms } from './forms.ts'
import type { BindData } from './load.ts'

type Identity = NonNullable<BindData['identity']>

/** Somebody known to another service, unknown here: connect an account they have, or make one. */
export function Page({ data }: { readonly data: BindData }) {
  const t = useT()
  const href = useHref()
  const { identity } = data
  if (identity === null) {
    return (
      <AuthLayout
        title={t('sign-in.bindNotBound')}
        text={t('sign-in.bindNone')}
        covers={data.covers}
      >
        <ButtonLink look="solid" size="large" block href={href('/login')}>
          {t('sign-in.toLogin')}
        </ButtonLink>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title={data.title}
      text={t('sign-in.bindText', { service: identity.service })}
      covers={data.covers}
    >
      <Panel>
        <EntryList>
          <EntryRow
            icon="link"
            name={identity.name || identity.service}
            badge={<Badge>{t('sign-in.bindNotBound')}</Badge>}
            notes={identity.name === '' ? [] : [identity.service]}
          />
        </EntryList>
      </Panel>
      <section className="stack">
        <h2>{t('sign-in.bindHave')}</h2>
        <SignIn identity={identity} store={data.store} />
      </section>
      <Or>{t('sign-in.orUse')}</Or>
      <section className="stack">
        <h2>{t('sign-in.bindNew')}</h2>
        {identity.isEmailVerified ? (
          <Register identity={identity} sent={null} />
        ) : (
          <RegisterByCode identity={identity} />
        )}
      </section>
    </AuthLayout>
  )
}

function Kept({ identity }: { readonly identity: Identity }) {
  return (
    <>
      <input type="hidden" name="ticket" value={identity.ticket} />
      <input type="hidden" name="redirect" value={identity.redirect} />
    </>
  )
}

function SignIn({ identity, store }: { readonly identity: Identity; readonly store: string }) {
  const t = useT()
  return (
    <CallForm name="signIn" form={forms.signIn} className="stack">
      {(view) => {
        const step = ticketOf(view.outcome)
        return (
          <>
            <Kept identity={identity} />
            {step === null ? (
              <>
                <Refusal view={view} />
                <TextField
                  id="account"
                  label={t('sign-in.account')}
                  autoComplete="username"
                  autoCapitalize="none"
                  spellCheck={false}
                  dir="ltr"
                  required
                  {...view.field('account')}
                />
                <PasswordField
                  id="password"
                  label={t('form.password')}
                  showLabel={t('form.showPassword')}
                  autoComplete="current-password"
                  required
                  {...view.field('password')}
                />
                <input type="hidden" name="stay" value="1" />
                <Button type="submit" look="solid" size="large" block busy={view.busy}>
                  {t('sign-in.bindSubmit')}
                </Button>
              </>
            ) : (
              <SecondStep view={view} ticket={step} store={store} />
            )}
          </>
        )
      }}
    </CallForm>
  )
}

function RegisterByCode({ identity }: { readonly identity: Identity }) {
  const t = useT()
  const sent = useCodeSent('sendCode', { form: 'register', field: 'email' })
  if (sent.to !== null) {
    return (
      <div>
        <Register identity={identity} sent={sent} />
        <SendAgainForm id="send-again" name="sendCode" form={forms.sendCode} sent={sent} />
      </div>
    )
  }
  return (
    <CallForm name="sendCode" form={forms.sendCode} className="stack" onDone={sent.onSent}>
      {(view) => (
        <>
          <Refusal view={view} />
          <TextField
            id="new-email"
            type="email"
            label={t('sign-in.email')}
            hint={t('sign-in.emailHint')}
            autoComplete="email"
            spellCheck={false}
            required
            {...view.field('account', identity.email)}
          />
          <Button type="submit" block busy={view.busy}>
            {t('form.sendCode')}
          </Button>
        </>
      )}
    </CallForm>
  )
}

function Register({
  identity,
  sent,
}: {
  readonly identity: Identity
  readonly sent: CodeSent | null
}) {
  const t = useT()
  return (
    <CallForm name="register" form={forms.register} className="stack">
      {(view) => (
        <>
          <Refusal view={view} />
          <Kept identity={identity} />
          {sent === null ? (
            <TextField
              id="new-email"
              type="email"
              label={t('sign-in.email')}
              readOnly
              value={identity.email}
            />
          ) : (
            <>
              <div className="stack-s">
                <TextField
                  id="new-email"
                  name="email"
                  type="email"
                  label={t('sign-in.email')}
                  readOnly
                  value={sent.to ?? ''}
                  message={
                    view.field('email').message ?? { tone: 'good', text: t('form.codeSent') }
                  }
                />
                <OtherAddress
                  sent={sent}
                  path={`/login/bind?ticket=${encodeURIComponent(identity.ticket)}`}
                  text={t('form.otherAddress')}
                />
              </div>
              <SentCode
                view={view}
                id="new-code"
                name="code"
                label={t('form.codeFromEmail')}
                sent={sent}
                again="send-again"
              />
            </>
          )}
          <UserName view={view} optional />
          <Agreement view={view} />
          <Button type="submit" block busy={view.busy}>
            {t('sign-in.bindRegister')}
          </Button>
        </>
      )}
    </CallForm>
  )
}
