import type { AccountStatus } from '#features/people/account/rules.ts'
import type { MailKind } from '#features/people/mail/rules.ts'
import { proofOf } from '#features/people/mail/rules.ts'

export const SHOPPER_NOTE_MAX = 2_000
export const REASON_MAX = 500
/** What a text that is looked for has at least: one letter begins half of all addresses. */
export const FIND_MIN = 2
export const FOUND_MAX = 50
/** Of each kind that a shopper's page shows. */
export const SHOWN_MAX = 50
/** Orders are counted so far and no further. */
export const COUNTED_MAX = 1_000

/** The lists of shoppers that everybody has. */
export const SHOPPER_VIEWS = ['all', 'frozen', 'leaving'] as const
export type ShopperView = (typeof SHOPPER_VIEWS)[number]
export const STATUS_OF: Readonly<Record<ShopperView, AccountStatus | null>> = {
  all: null,
  frozen: 'frozen',
  leaving: 'cancelling',
}

const ABOUT_SIGN_IN: ReadonlySet<MailKind> = new Set([
  'register_known',
  'sign_in_while_cancelling',
  'account_cancelling',
  'account_erased',
  'new_device',
  'shop_alert',
])

/** Whether a mail may be sent once more: what tells of orders and decisions. Codes and links are asked for anew by their owner. */
export const maySendAgain = (kind: MailKind): boolean =>
  proofOf(kind) === null && !ABOUT_SIGN_IN.has(kind)

/** How a text is looked for: each kind by an index of its own. Numbers are those of phones and uids. */
export function soughtOf(typed: string): {
  readonly begins: string
  readonly digits: string | null
} {
  const begins = typed.normalize('NFC').trim().toLowerCase().slice(0, 254)
  const bare = begins.replaceAll(/[\s()./-]/g, '')
  return { begins, digits: /^\+?\d{4,15}$/.test(bare) ? bare : null }
}
