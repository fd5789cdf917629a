import type { MessageKey } from '#platform/i18n/keys.ts'
import type { Translate } from '#platform/i18n/messages.ts'

/** What payment services call themselves, in every language. */
const NAMES: Readonly<Record<string, string>> = { stripe: 'Stripe', paypal: 'PayPal' }

/** What the program calls those that have no name of their own. */
const WORDS: Readonly<Record<string, MessageKey>> = {
  'payment-hook': 'cashier.method.payment-hook.name',
  sandbox: 'console.demo',
  transfer: 'cashier.method.transfer.name',
  credit: 'cashier.method.credit.name',
}

/** A payment service as people know it; one of another release by its code. */
export function providerName(t: Translate, code: string): string {
  const word = WORDS[code]
  return word ? t(word) : (NAMES[code] ?? code)
}
