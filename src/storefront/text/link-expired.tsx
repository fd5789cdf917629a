import { AuthLayout } from '#ui/auth-layout.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { useHref, useT } from '../i18n.tsx'

interface LinkExpiredProps {
  readonly covers: readonly string[]
  /** The way to a new link. */
  readonly again: { readonly path: string; readonly text: string }
}

/** What a link from a mail leads to once it is used or too old. */
export function LinkExpired({ covers, again }: LinkExpiredProps) {
  const t = useT()
  const href = useHref()
  return (
    <AuthLayout title={t('sign-in.expiredTitle')} text={t('sign-in.expiredText')} covers={covers}>
      <ButtonLink look="solid" size="large" block href={href(again.path)}>
        {again.text}
      </ButtonLink>
    </AuthLayout>
  )
}
