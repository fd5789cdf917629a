import type { FieldReason } from '#kernel/error.ts'
import { isCommonPassword } from './engine/common-passwords.ts'
import {
  fold,
  isPersonalPassword,
  isShopPassword,
  isSimplePassword,
  passwordRuleProblem,
} from './rules.ts'

export interface PasswordCircumstances {
  /** The setting STRICT_PASSWORDS. */
  readonly strict: boolean
  /** User name, nickname and e-mail address of who sets it; what is not known yet is left out. */
  readonly personal: readonly string[]
}

/** Why a password cannot be set; null when it can. The first call reads the list of common passwords (some 50 ms). */
export function passwordProblem(
  text: string,
  { strict, personal }: PasswordCircumstances,
): FieldReason | null {
  const broken = passwordRuleProblem(text, strict)
  if (broken) return broken
  if (isPersonalPassword(text, personal)) return 'password_personal'
  return isSimplePassword(text) || isShopPassword(text) || isCommonPassword(fold(text))
    ? 'password_common'
    : null
}
