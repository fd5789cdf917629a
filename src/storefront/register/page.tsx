import { AuthLayout } from '#ui/auth-layout.tsx'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
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
import { NewPassword } from '../forms/new-password.tsx'
import { UserName } from '../forms/user-name.tsx'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import type { RegisterData } from './load.ts'

/** First the address, to which a code goes; then the code with name and password. */
export function Page({ data }: { readonly data: RegisterData }) {
  const t = useT()
  const href = useHref()
  const sent = useCodeSent('sendCode', { form: 'register', field: 'email' })
  return (
    <AuthLayout title={data.title} covers={data.covers}>
      {sent.to === null ? (
        <AddressForm sent={sent} />
      ) : (
        <AccountForm data={data} sent={sent} email={sent.to} />
      )}
      <p className="muted">
        {t('sign-in.haveAccount')}{' '}
        <a className="link" href={href(data.loginPath)}>
          {t('sign-in.toLogin')}
        </a>
      </p>
    </AuthLayout>
  )
}

function AddressForm({ sent }: { readonly sent: CodeSent }) {
  const t = useT()
  return (
    <CallForm name="sendCode" form={forms.sendCode} className="stack-l" onDone={sent.onSent}>
      {(view) => (
        <>
          <Refusal view={view} />
          <TextField
            id="account"
            type="email"
            label={t('sign-in.email')}
            hint={t('sign-in.emailHint')}
            autoComplete="email"
            spellCheck={false}
            required
            {...view.field('account')}
          />
          <Button type="submit" look="solid" size="large" block busy={view.busy}>
            {t('form.sendCode')}
          </Button>
        </>
      )}
    </CallForm>
  )
}

function AccountForm({
  data,
  sent,
  email,
}: {
  readonly data: RegisterData
  readonly sent: CodeSent
  readonly email: string
}) {
  const t = useT()
  return (
    <div>
      <CallForm name="register" form={forms.register} className="stack">
        {(view) => {
          const fault = view.field('email').message
          return (
            <>
              <Refusal view={view} />
              <div className="stack-s">
                <TextField
                  id="email"
                  name="email"
                  type="email"
                  label={t('sign-in.email')}
                  autoComplete="email"
                  readOnly
                  value={email}
                  message={fault ?? { tone: 'good', text: t('form.codeSent') }}
                />
                <OtherAddress sent={sent} path="/register" text={t('form.otherAddress')} />
              </div>
              <SentCode
                view={view}
                id="code"
                name="code"
                label={t('form.codeFromEmail')}
                sent={sent}
                again="send-again"
              />
              <UserName view={view} />
              <NewPassword
                view={view}
                id="password"
                name="password"
                label={t('form.password')}
                strict={data.strictPasswords}
              />
              <Agreement view={view} />
              <Button type="submit" look="solid" size="large" block busy={view.busy}>
                {t('sign-in.registerSubmit')}
              </Button>
            </>
          )
        }}
      </CallForm>
      <SendAgainForm id="send-again" name="sendCode" form={forms.sendCode} sent={sent} />
    </div>
  )
}
