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
  readonly limitedBy?: LimitedPermission
  /** It waits for a second person: always, or above a limit. */
  readonly secondPerson?: 'always' | 'above-limit'
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
  'console/me': read('signed-in', { byToken }),
  'console/sign_out': write('signed-in'),
  'console/preferences': write('signed-in'),
  'console/proof': write('signed-in'),
  'console/proof_options': write('signed-in'),
  'console/sessions': read('signed-in'),
  'console/sessions/end': write('signed-in'),
  'console/factors': read('signed-in'),
  'console/factors/app': write('signed-in', { proof: 'staff' }),
  'console/factors/app_confirm': write('signed-in', { proof: 'staff' }),
  'console/factors/passkey_options': write('signed-in', { proof: 'staff' }),
  'console/factors/passkey': write('signed-in', { proof: 'staff' }),
  'console/factors/remove': write('signed-in', { proof: 'staff' }),
  'console/factors/recovery_codes': write('signed-in', { proof: 'staff' }),
  'console/email': write('signed-in', { proof: 'staff' }),
  'console/password': write('signed-in', { proof: 'staff' }),
  'console/team/list': read('staff.read', { byToken }),
  'console/team/roles': read('staff.read', { byToken }),
  'console/team/sessions': read('staff.read', { byToken }),
  'console/team/role': write('staff.manage', { proof: 'staff' }),
  'console/team/suspend': write('staff.manage', { proof: 'staff' }),
  'console/team/resume': write('staff.manage', { proof: 'staff' }),
  'console/approvals/list': read('approval.decide', { byToken }),
  'console/approvals/approve': write('approval.decide'),
  'console/approvals/refuse': write('approval.decide'),
  'console/orders/preview': read('order.read', { byToken }),
  'console/orders/refund': write('order.refund', money('order.refund')),
  'console/orders/repeat_refund': write('order.refund', { byToken }),
  'console/orders/return_money': write('order.decide', money('order.refund')),
  'console/orders/cancel': write('order.decide', { byToken }),
  'console/orders/release': write('order.decide', money('order.decide')),
  'console/orders/refuse': write('order.decide', money('order.refund')),
  'console/orders/replace_key': write('order.refund', money('order.refund')),
  'console/orders/requeue': write('order.deliver', { byToken }),
  'console/orders/lead_unit': write('order.deliver', { byToken }),
  'console/orders/decide_doubt': write('order.deliver', money('order.refund')),
  'console/orders/send_mail': write('order.refund', { byToken }),
  'console/orders/note': write('order.refund', { byToken }),
  'console/by_hand/list': read('order.deliver', { byToken }),
  'console/by_hand/claim': write('order.deliver', { byToken }),
  'console/by_hand/release': write('order.deliver', { byToken }),
  'console/by_hand/hand_over': write('order.deliver', { byToken }),
  'console/by_hand/done': write('order.deliver', money('order.deliver')),
  'console/by_hand/fail': write('order.deliver', money('order.refund')),
  'console/shoppers/list': read('shopper.read', { byToken }),
  'console/shoppers/find': write('shopper.read', { byToken }),
  'console/shoppers/one': read('shopper.read', { byToken }),
  'console/shoppers/note': write('shopper.change', { byToken }),
  'console/shoppers/remove_note': write('shopper.change', { byToken }),
  'console/shoppers/level': write('price.change', { byToken }),
  'console/shoppers/credit_preview': write('shopper.credit', { byToken }),
  'console/shoppers/credit': write('shopper.credit', money('shopper.credit')),
  'console/shoppers/end_sessions': write('shopper.change', { byToken }),
  'console/shoppers/freeze': write('shopper.change', { byToken }),
  'console/shoppers/release': write('shopper.change', { byToken }),
  'console/shoppers/send_mail': write('shopper.change', { byToken }),
  'console/shoppers/erase': write('shopper.change', { proof: 'personal' }),
  'console/shoppers/export': write('export.personal', { proof: 'personal' }),
  'console/cases/list': read('case.read', { byToken }),
  'console/cases/one': read('case.read', { byToken }),
  'console/cases/picture': read('case.read', { byToken }),
  'console/cases/assign': write('case.decide', { byToken }),
  'console/cases/due': write('case.decide', { byToken }),
  'console/cases/preview': read('case.decide', { byToken }),
  'console/cases/accept': write('case.decide', money('order.refund')),
  'console/cases/replace': write('case.decide', money('order.refund')),
  'console/cases/decline': write('case.decide', { byToken }),
  'console/cases/evidence': write('case.decide', { proof: 'personal' }),
  'console/templates/list': read('case.read', { byToken }),
  'console/templates/save': write('case.decide', { byToken }),
  'console/templates/remove': write('case.decide', { byToken }),
  'console/reviews/list': read('case.read', { byToken }),
  'console/reviews/judge': write('case.decide', { byToken }),
  'console/audit/list': read('staff.read', { byToken }),
} as const satisfies Readonly<Record<string, CallAccess>>

export type ConsolePath = keyof typeof ACCESS

export function accessOf(path: string): CallAccess | null {
  return Object.hasOwn(ACCESS, path) ? ACCESS[path as ConsolePath] : null
}
