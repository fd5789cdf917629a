import { NewPasswordField, type PasswordRule } from '#ui/password-field.tsx'
import { useT } from '../i18n.tsx'
import type { FormView } from './call-form.tsx'

interface NewPasswordProps {
  readonly view: FormView
  readonly id: string
  /** As the call names it. */
  readonly name: string
  readonly label: string
  /** Whether the shop takes longer passwords with any characters. */
  readonly strict: boolean
  readonly optional?: boolean
}

/** Field for a password to be set, with the shop's rules (specification §5) ticked off while it is typed. */
export function NewPassword({ view, id, name, label, strict, optional }: NewPasswordProps) {
  const t = useT()
  return (
    <NewPasswordField
      id={id}
      label={label}
      aside={optional ? t('form.optional') : undefined}
      required={!optional}
      showLabel={t('form.showPassword')}
      metText={t('form.ruleMet')}
      rules={rulesOf(strict, t)}
      {...view.field(name)}
    />
  )
}

function rulesOf(strict: boolean, t: ReturnType<typeof useT>): readonly PasswordRule[] {
  const kinds = {
    text: t('form.ruleKinds'),
    isMet: (typed: string) => /[A-Z]/.test(typed) && /[a-z]/.test(typed) && /[0-9]/.test(typed),
  }
  if (strict)
    return [{ text: t('form.ruleLengthStrict'), isMet: (typed) => isLong(typed, 128) }, kinds]
  return [
    { text: t('form.ruleLength'), isMet: (typed) => isLong(typed, 20) },
    kinds,
    { text: t('form.ruleNoSymbols'), isMet: (typed) => /^[A-Za-z0-9]+$/.test(typed) },
  ]
}

/** Characters as people count them: an emoji is one. */
function isLong(typed: string, most: number): boolean {
  const length = [...typed].length
  return length >= 8 && length <= most
}
