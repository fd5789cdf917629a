import { AuthLayout } from '#ui/auth-layout.tsx'
import { Button } from '#ui/button.tsx'
import { Agreement } from '../forms/agreement.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { NewPassword } from '../forms/new-password.tsx'
import { UserName } from '../forms/user-name.tsx'
import { useT } from '../i18n.tsx'
import { LinkExpired } from '../text/link-expired.tsx'
import { forms } from './forms.ts'
import type { ConfirmRegistrationData } from './load.ts'

/** Where the link of a registration's mail leads: the address is proven, name and password are still to be chosen. */
export function Page({ data }: { readonly data: ConfirmRegistrationData }) {
  const t = useT()
  const { link } = data
  if (link === null)
    return (
      <LinkExpired
        covers={data.covers}
        again={{ path: '/register', text: t('sign-in.expiredRegister') }}
      />
    )
  return (
    <AuthLayout
      title={data.title}
      text={t('sign-in.confirmText', { email: link.email })}
      covers={data.covers}
    >
      <CallForm name="register" form={forms.register} className="stack">
        {(view) => (
          <>
            <Refusal view={view} />
            <input type="hidden" name="key" value={link.key} />
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
        )}
      </CallForm>
    </AuthLayout>
  )
}
