import { AuthLayout } from '#ui/auth-layout.tsx'
import { Button } from '#ui/button.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { NewPassword } from '../forms/new-password.tsx'
import { usePasswordSet } from '../forms/password-set.tsx'
import { useT } from '../i18n.tsx'
import { LinkExpired } from '../text/link-expired.tsx'
import { forms } from './forms.ts'
import type { ResetLinkData } from './load.ts'

/** Where the link of a forgotten password's mail leads. */
export function Page({ data }: { readonly data: ResetLinkData }) {
  const t = useT()
  const password = usePasswordSet('reset')
  const { link } = data
  if (password.isSet) return password.page(data.covers)
  if (link === null)
    return (
      <LinkExpired
        covers={data.covers}
        again={{ path: '/reset-password', text: t('sign-in.expiredReset') }}
      />
    )
  return (
    <AuthLayout
      title={data.title}
      text={t('sign-in.resetLinkText', { email: link.email })}
      covers={data.covers}
    >
      <CallForm name="reset" form={forms.reset} className="stack" onDone={password.onSet}>
        {(view) => (
          <>
            <Refusal view={view} />
            <input type="hidden" name="key" value={link.key} />
            {/* So that the browser keeps the new password for the right account. */}
            <input type="email" autoComplete="username" value={link.email} readOnly hidden />
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
    </AuthLayout>
  )
}
