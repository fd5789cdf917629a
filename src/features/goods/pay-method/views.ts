import type { MessageKey } from '#platform/i18n/keys.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import type { MethodText, PayMethod } from './rules.ts'

export function methodText(text: MethodText, t: Translate): string {
  return 'message' in text ? t(text.message as MessageKey) : text.text
}

/** What people call a way to pay; one that the shop knows no more keeps its code. */
export function methodName(methods: readonly PayMethod[], code: string, t: Translate): string {
  const method = methods.find((known) => known.code === code)
  return method ? methodText(method.name, t) : code
}
