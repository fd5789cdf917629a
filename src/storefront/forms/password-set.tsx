import { useState, type ReactNode } from 'react'
import { AuthLayout } from '#ui/auth-layout.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { useHref, useT } from '../i18n.tsx'
import { usePageState } from './page-state.tsx'

/** Whether the page's form has set a password, with or without script, and what the page says then. */
export function usePasswordSet(form: string): {
  readonly isSet: boolean
  readonly onSet: () => void
  readonly page: (covers: readonly string[]) => ReactNode
} {
  const { outcome } = usePageState()
  const [isSet, setIsSet] = useState(outcome?.form === form && outcome.isDone)
  return { isSet, onSet: () => setIsSet(true), page: (covers) => <PasswordSet covers={covers} /> }
}

function PasswordSet({ covers }: { readonly covers: readonly string[] }) {
  const t = useT()
  const href = useHref()
  return (
    <AuthLayout
      arrived
      title={t('sign-in.resetDone')}
      text={t('sign-in.resetDoneText')}
      covers={covers}
    >
      <ButtonLink look="solid" size="large" block href={href('/login')}>
        {t('sign-in.toLogin')}
      </ButtonLink>
    </AuthLayout>
  )
}
