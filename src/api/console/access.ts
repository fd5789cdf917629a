import type { LimitedPermission, Permission, ProofKind } from '#features/team/operator/rules.ts'

/** What a call of the console takes of who makes it. */
export interface CallAccess {
  readonly method: 'GET' | 'POST'
  /** 'anyone' is nobody yet; 'signed-in' needs no permission, as it is about oneself. */
  readonly needs: 'anyone' | 'signed-in' | Permission
  /** An operator's token may make it as well. Never what a fresh proof is asked for, and never an approval. */
  readonly byToken?: true
  /** A fresh proof of this kind, ten minutes old at most. */
  readonly proof?: ProofKind
  /** What it moves counts against the limits of this permission. */
  readonly limitedBy?: LimitedPermission | 'price.change'
  /** It waits for a second person: always, or above a limit. */
  readonly secondPerson?: 'always' | 'above-limit'
  /** It shows what is secret or personal: the runner writes down that it was looked at, and at which, by this field of the input. */
  readonly look?: { readonly subject: string; readonly by: string }
  /** It shows people, or what was done to them, a page at a time: how much was read is counted, and told in the trail by the hour. */
  readonly isCounted?: true
  /** A page makes it without anybody's press: it keeps no session alive. */
  readonly byItself?: true
  /** Why a write leaves no line in the audit trail. Every other one does: its command's own, or else the runner's. */
  readonly unaudited?: string
}

type Rest = Omit<CallAccess, 'method' | 'needs'>
const read = (needs: CallAccess['needs'], rest: Rest = {}): CallAccess => ({
  method: 'GET',
  needs,
  ...rest,
})
const write = (needs: CallAccess['needs'], rest: Rest = {}): CallAccess => ({
  method: 'POST',
  needs,
  ...rest,
})
const byToken = true
const isCounted = true
const OWN_LOOKS = 'what they see of their lists is their own'
const PRESENCE = 'who has a page open is known for seconds, and kept nowhere'
const LEADS = 'it only says where the file is; whoever takes it is written down'
const ASKS = 'it only begins: nothing is changed before it is confirmed'
const PREVIEWS = 'it only tells what would be'
/** What an operator gives by it is counted; above a limit it waits for a second person. */
const money = (limitedBy: LimitedPermission): Rest => ({
  byToken,
  limitedBy,
  secondPerson: 'above-limit',
})

/**
 * THE table of the console's calls and what each needs, one line a call: whatever answers them, the published contract and the test that
 * walks every call as every role read it.
 */
export const ACCESS = {
  'console/sign_in': write('anyone'),
  'console/sign_in_factor': write('anyone'),
  'console/sign_in_passkey': write('anyone'),
  'console/sign_in_options': write('anyone'),
  'console/enrol_app': write('anyone'),
  'console/enrol_app_confirm': write('anyone'),
  'console/enrol_passkey_options': write('anyone'),
  'console/enrol_passkey': write('anyone'),
  'console/sign_in_lost': write('anyone'),
  'console/invitation': write('anyone'),
  'console/invitation/accept': write('anyone'),
  'console/me': read('signed-in', { byToken }),
  'console/limits': read('signed-in', { byToken }),
  'console/sign_out': write('signed-in'),
  'console/preferences': write('signed-in', { unaudited: 'language and theme are their own' }),
  'console/proof': write('signed-in'),
  'console/proof_options': write('signed-in', { unaudited: ASKS }),
  'console/sessions': read('signed-in'),
  'console/sessions/end': write('signed-in'),
  'console/sessions/end_others': write('signed-in'),
  'console/factors': read('signed-in'),
  'console/factors/app': write('signed-in', { proof: 'staff', unaudited: ASKS }),
  'console/factors/app_confirm': write('signed-in', { proof: 'staff' }),
  'console/factors/passkey_options': write('signed-in', { proof: 'staff', unaudited: ASKS }),
  'console/factors/passkey': write('signed-in', { proof: 'staff' }),
  'console/factors/remove': write('signed-in', { proof: 'staff' }),
  'console/factors/recovery_codes': write('signed-in', { proof: 'staff' }),
  'console/email': write('signed-in', { proof: 'staff' }),
  'console/password': write('signed-in', { proof: 'staff' }),
  'console/team/list': read('staff.read', { byToken }),
  'console/team/roles': read('staff.read', { byToken }),
  'console/team/sessions': read('staff.read', { byToken }),
  'console/team/role': write('staff.manage', { proof: 'staff', secondPerson: 'always' }),
  'console/team/suspend': write('staff.manage', { proof: 'staff' }),
  'console/team/resume': write('staff.manage', { proof: 'staff' }),
  'console/team/invitations': read('staff.read', { byToken }),
  'console/team/roles/save': write('staff.manage', { proof: 'staff', secondPerson: 'always' }),
  'console/team/roles/delete': write('staff.manage', { proof: 'staff' }),
  'console/team/resets': read('staff.read', { byToken }),
  'console/team/resets/ask': write('staff.manage', { proof: 'staff', secondPerson: 'always' }),
  'console/team/resets/stop': write('signed-in'),
  'console/team/invite': write('staff.manage', { proof: 'staff', secondPerson: 'always' }),
  'console/team/invitations/again': write('staff.manage', { proof: 'staff' }),
  'console/team/invitations/withdraw': write('staff.manage'),
  'console/approvals/list': read('approval.decide', { byToken }),
  'console/approvals/approve': write('approval.decide'),
  'console/approvals/refuse': write('approval.decide'),
  'console/keys/totals': read('key.read', { byToken }),
  'console/keys/shelves': read('key.read', { byToken }),
  'console/keys/shelf': read('key.read', { byToken }),
  'console/keys/low_days': write('key.import', { byToken }),
  'console/keys/batches': read('key.read', { byToken }),
  'console/keys/reported': read('key.read', { byToken }),
  'console/keys/batch_terms': write('key.import', { byToken }),
  'console/keys/list': read('key.read', { byToken }),
  'console/keys/quarantine': write('key.import', { byToken }),
  'console/keys/release': write('key.import', { byToken }),
  'console/keys/void': write('key.import'),
  'console/keys/imports': read('key.read', { byToken }),
  'console/keys/import': read('key.read', { byToken }),
  'console/keys/import/faults': read('key.read', { byToken }),
  'console/keys/import/upload': write('key.import', { byToken }),
  'console/keys/import/take': write('key.import', { byToken, secondPerson: 'above-limit' }),
  'console/keys/import/cancel': write('key.import', { byToken }),
  'console/keys/find': write('key.read'),
  'console/keys/exports': read('key.read', { byToken }),
  'console/keys/export/ask': write('key.export', { proof: 'key', secondPerson: 'always' }),
  'console/keys/export/take': write('key.export', { proof: 'key' }),
  'console/keys/see': write('key.see', { proof: 'key' }),
  'console/orders/find': write('order.read', { byToken }),
  'console/orders/preview': read('order.read', { byToken }),
  'console/orders/refund': write('order.refund', money('order.refund')),
  'console/orders/repeat_refund': write('order.refund', { byToken }),
  'console/orders/return_money': write('order.decide', money('order.refund')),
  'console/orders/accept_money': write('order.decide', money('order.refund')),
  'console/orders/cancel': write('order.decide', money('order.refund')),
  'console/orders/release': write('order.decide', money('order.decide')),
  'console/orders/refuse': write('order.decide', money('order.refund')),
  'console/orders/replace_key': write('order.refund', money('order.refund')),
  'console/orders/requeue': write('order.deliver', { byToken }),
  'console/orders/lead_unit': write('order.deliver', { byToken }),
  'console/orders/decide_doubt': write('order.deliver', money('order.refund')),
  'console/orders/send_mail': write('order.refund', { byToken }),
  'console/orders/note': write('order.refund', { byToken }),
  'console/orders/save_view': write('order.read'),
  'console/orders/remove_view': write('order.read'),
  'console/by_hand/list': read('order.deliver', { byToken, isCounted }),
  'console/orders/columns': write('order.read', { unaudited: OWN_LOOKS }),
  // What the act itself needs is looked at when it is asked for, and again for each order.
  'console/orders/several': write('order.read', {
    limitedBy: 'order.refund',
    secondPerson: 'above-limit',
  }),
  'console/orders/several/list': read('order.read', { byItself: true }),
  'console/orders/several/cancel': write('order.read'),
  'console/orders/several/dismiss': write('order.read', { unaudited: OWN_LOOKS }),
  'console/orders/look': write('order.read', { byItself: true, unaudited: PRESENCE }),
  'console/orders/leave': write('order.read', { byItself: true, unaudited: PRESENCE }),
  'console/by_hand/claim': write('order.deliver', { byToken }),
  'console/by_hand/release': write('order.deliver', { byToken }),
  'console/by_hand/hand_over': write('order.deliver', { byToken }),
  'console/by_hand/done': write('order.deliver', money('order.deliver')),
  'console/by_hand/fail': write('order.deliver', money('order.refund')),
  'console/shoppers/list': read('shopper.read', { byToken, isCounted }),
  'console/shoppers/find': write('shopper.read', { byToken }),
  'console/shoppers/one': read('shopper.read', { byToken }),
  'console/shoppers/note': write('shopper.change', { byToken }),
  'console/shoppers/remove_note': write('shopper.change', { byToken }),
  'console/shoppers/level': write('price.change', { byToken }),
  'console/shoppers/credit_preview': write('shopper.credit', { byToken, unaudited: PREVIEWS }),
  'console/shoppers/credit': write('shopper.credit', money('shopper.credit')),
  'console/shoppers/end_sessions': write('shopper.change', { byToken }),
  'console/shoppers/freeze': write('shopper.change', { byToken }),
  'console/shoppers/release': write('shopper.change', { byToken }),
  'console/shoppers/send_mail': write('shopper.change', { byToken }),
  'console/shoppers/erase': write('shopper.change', { proof: 'personal' }),
  'console/shoppers/export': write('export.personal', { proof: 'personal' }),
  'console/cases/list': read('case.read', { byToken, isCounted }),
  'console/cases/one': read('case.read', { byToken }),
  'console/cases/picture': read('case.read', {
    byToken,
    look: { subject: 'service_case', by: 'id' },
  }),
  'console/cases/assign': write('case.decide', { byToken }),
  'console/cases/due': write('case.decide', { byToken }),
  'console/cases/preview': read('case.decide', { byToken }),
  'console/cases/accept': write('case.decide', money('order.refund')),
  'console/cases/replace': write('case.decide', money('order.refund')),
  'console/cases/decline': write('case.decide', { byToken }),
  'console/cases/evidence': write('case.decide', { proof: 'personal' }),
  'console/cases/evidence_preview': write('case.decide', { proof: 'personal' }),
  'console/cases/evidence_send': write('case.decide', { proof: 'personal' }),
  'console/templates/list': read('case.read', { byToken }),
  'console/templates/save': write('case.decide', { byToken }),
  'console/templates/remove': write('case.decide', { byToken }),
  'console/reviews/list': read('case.read', { byToken, isCounted }),
  'console/reviews/judge': write('case.decide', { byToken }),
  'console/audit/list': read('staff.read', { byToken, isCounted }),
  'console/audit/export': write('staff.read', { proof: 'personal', unaudited: LEADS }),
  'console/audit/file': read('staff.read', { proof: 'personal' }),
  'console/audit/seals': read('staff.read', { byToken }),
  'console/tokens/list': read('signed-in'),
  'console/tokens/create': write('signed-in', { proof: 'access' }),
  'console/tokens/revoke': write('signed-in'),
  'console/webhooks/list': read('reseller.read', { byToken }),
  'console/webhooks/deliveries': read('reseller.read', { byToken }),
  'console/webhooks/replay': write('reseller.manage', { byToken }),
  'console/webhooks/disable': write('reseller.manage', { byToken }),
  'console/goods/items': read('product.read', { byToken }),
  'console/goods/fields': read('product.read', { byToken }),
  'console/goods/changes': read('product.read', { byToken }),
  'console/goods/changed': read('product.read', { byToken }),
  'console/goods/history': read('product.read', { byToken }),
  // What each field needs is looked at as well: prices take `price.change`.
  'console/goods/try': write('product.change', { byToken, unaudited: PREVIEWS }),
  'console/goods/change': write('product.change', { byToken }),
  'console/goods/try_undo': write('product.change', { byToken, unaudited: PREVIEWS }),
  'console/goods/undo': write('product.change', { byToken }),
  'console/goods/paste': write('product.change', { byToken, unaudited: PREVIEWS }),
  'console/goods/lock': write('product.change', { byToken }),
  'console/selling/list': read('product.read', { byToken }),
  'console/selling/stop_shop': write('shop.manage', { byToken }),
  'console/selling/start_shop': write('shop.manage', { byToken }),
  'console/selling/stop_product': write('product.change', { byToken }),
  'console/selling/start_product': write('product.change', { byToken }),
  'console/selling/stop_shelf': write('product.change', { byToken }),
  'console/selling/start_shelf': write('product.change', { byToken }),
  'console/selling/stop_supplier': write('system.manage', { byToken }),
  'console/selling/start_supplier': write('system.manage', { byToken }),
  'console/selling/stop_method': write('payment.settings', { byToken }),
  'console/selling/start_method': write('payment.settings', { byToken }),
  'console/money/providers': read('payment.read', { byToken }),
  'console/money/services': read('payment.read', { byToken }),
  'console/money/services/try': write('payment.settings', {
    proof: 'payment',
    unaudited: PREVIEWS,
  }),
  'console/money/services/save': write('payment.settings', {
    proof: 'payment',
    secondPerson: 'always',
  }),
  'console/money/services/remove': write('payment.settings', {
    proof: 'payment',
    secondPerson: 'always',
  }),
  'console/money/methods': read('payment.read', { byToken }),
  'console/money/methods/preview': write('payment.settings', { byToken, unaudited: PREVIEWS }),
  'console/money/methods/change': write('payment.settings', {
    proof: 'payment',
    secondPerson: 'always',
  }),
  'console/money/methods/order': write('payment.settings', {
    proof: 'payment',
    secondPerson: 'always',
  }),
  'console/money/unmatched': read('payment.read', { byToken }),
  'console/money/unmatched/return': write('payment.note', money('payment.note')),
  'console/money/unmatched/effect': read('payment.read', { byToken }),
  'console/money/unmatched/match': write('payment.note', money('payment.note')),
  'console/money/unmatched/close': write('payment.note', money('payment.note')),
  'console/money/differences': read('payment.read', { byToken }),
  'console/money/differences/book': write('payment.note', money('payment.note')),
  'console/money/differences/close': write('payment.note', money('payment.note')),
  'console/money/compare': write('payment.note', { byToken }),
  'console/money/bank/lines': read('payment.read', { byToken, isCounted }),
  'console/money/bank/effect': read('payment.read', { byToken }),
  'console/money/bank/match': write('payment.note', money('payment.note')),
  'console/money/bank/set_aside': write('payment.note', { byToken }),
  'console/money/bank/take_up': write('payment.note', { byToken }),
  'console/money/bank/import': write('payment.note', { byToken }),
  'console/money/bank/statements': read('payment.read', { byToken }),
  'console/money/bank/returns': read('payment.read', { byToken }),
  'console/money/bank/returned': write('payment.note', money('payment.note')),
  'console/money/ledger': read('ledger.read', { byToken }),
  'console/money/days': read('ledger.read', { byToken }),
  'console/home/figures': read('ledger.read', { byToken }),
  'console/home/breakdown': read('ledger.read', { byToken }),
  'console/money/tax': read('ledger.read', { byToken }),
  'console/money/tax/effect': read('ledger.read', { byToken }),
  'console/money/tax/class': write('payment.settings', { byToken }),
  'console/money/tax/rate': write('payment.settings', { byToken }),
  // It names the buyer.
  'console/money/invoice': read('shopper.read', {
    byToken,
    look: { subject: 'sales_invoice', by: 'id' },
  }),
  'console/exports/list': read('export.make', { byToken }),
  'console/exports/make': write('export.make', { byToken }),
  'console/exports/cancel': write('export.make', { byToken }),
  'console/exports/file': read('export.make', { byToken }),
  'console/prices/rules': read('price.read', { byToken }),
  'console/prices/rates': read('price.read', { byToken }),
  'console/prices/rates/history': read('price.read', { byToken }),
  'console/prices/rates/refuse': write('price.change', { byToken }),
  'console/prices/terms': read('price.read', { byToken }),
  'console/prices/own': read('price.read', { byToken }),
  'console/prices/level_prices': read('price.read', { byToken }),
  'console/prices/why': read('price.read', { byToken }),
  'console/prices/waiting': read('price.change', { byToken }),
  'console/prices/try': write('price.change', { byToken, unaudited: PREVIEWS }),
  'console/prices/change': write('price.change', {
    byToken,
    limitedBy: 'price.change',
    secondPerson: 'above-limit',
  }),
  'console/system/health': read('system.read', { byToken }),
  'console/system/checks': read('system.read', { byToken }),
  'console/system/checks/run': write('system.read', { byToken }),
  'console/system/jobs': read('system.read', { byToken }),
  'console/system/jobs/retry': write('system.manage', { byToken }),
  'console/system/mails': read('system.read', { byToken }),
  'console/system/mails/retry': write('system.manage', { byToken }),
  'console/system/notices_in': read('system.read', { byToken }),
  'console/system/notices_out': read('system.read', { byToken }),
  'console/system/notices_out/replay': write('reseller.manage', { byToken }),
} as const satisfies Readonly<Record<string, CallAccess>>

export type ConsolePath = keyof typeof ACCESS

export function accessOf(path: string): CallAccess | null {
  return Object.hasOwn(ACCESS, path) ? ACCESS[path as ConsolePath] : null
}
