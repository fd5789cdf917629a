import { TextField } from '#ui/field.tsx'
import { useT } from '../i18n.tsx'
import type { FormView } from './call-form.tsx'

/** Field for the user name of a new account (specification §5). */
export function UserName({
  view,
  optional,
}: {
  readonly view: FormView
  readonly optional?: boolean
}) {
  const t = useT()
  return (
    <TextField
      id="username"
      label={t('sign-in.userName')}
      aside={optional ? t('form.optional') : undefined}
      hint={t('sign-in.userNameHint')}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      maxLength={32}
      required={!optional}
      {...view.field('username')}
    />
  )
}
