import { AuthLayout } from '#ui/auth-layout.tsx'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
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
import { usePasswordSet } from '../forms/password-set.tsx'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import type { ResetPasswordData } from './load.ts'

/** First the address, to which a code goes if it has an account; then the code with the new password. */
export function Page({ data }: { readonly data: ResetPasswordData }) {
  const t = useT()
  const href = useHref()
  const sent = useCodeSent('sendCode', { form: 'reset', field: 'account' })
  const password = usePasswordSet('reset')
  if (password.isSet) return password.page(data.covers)
  return (
    <AuthLayout
      title={data.title}
      text={sent.to === null ? t('sign-in.resetText') : undefined}
      covers={data.covers}
    >
      {sent.to === null ? (
        <AddressForm sent={sent} />
      ) : (
        <PasswordForm data={data} sent={sent} account={sent.to} onSet={password.onSet} />
      )}
      <p className="muted">
        <a className="link" href={href('/login')}>
          {t('sign-in.backToLogin')}
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
            label={t('sign-in.account')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
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

interface PasswordFormProps {
  readonly data: ResetPasswordData
  readonly sent: CodeSent
  readonly account: string
  readonly onSet: () => void
}

function PasswordForm({ data, sent, account, onSet }: PasswordFormProps) {
  const t = useT()
  return (
    <div>
      <CallForm name="reset" form={forms.reset} className="stack" onDone={onSet}>
        {(view) => (
          <>
            <Refusal view={view} />
            <div className="stack-s">
              <TextField
                id="account"
                name="account"
                label={t('sign-in.account')}
                autoComplete="username"
                dir="ltr"
                readOnly
                value={account}
                message={
                  view.field('account').message ?? {
                    tone: 'good',
                    text: t('sign-in.resetCodeSent'),
                  }
                }
              />
              <OtherAddress sent={sent} path="/reset-password" text={t('sign-in.resetOther')} />
            </div>
            <SentCode
              view={view}
              id="code"
              name="code"
              label={t('form.codeFromEmail')}
              sent={sent}
              again="send-again"
            />
            <NewPassword
              view={view}
              id="password"
              name="password"
              label={t('form.newPassword')}
              strict={data.strictPasswords}
            />
            <p className="muted small">{t('sign-in.resetSignsOut')}</p>
            <Button type="submit" look="solid" size="large" block busy={view.busy}>
              {t('sign-in.resetSubmit')}
            </Button>
          </>
        )}
      </CallForm>
      <SendAgainForm id="send-again" name="sendCode" form={forms.sendCode} sent={sent} />
    </div>
  )
}
