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
/** Money that is noted counts against the limits of who notes it. */
const NOTED = { byToken, limitedBy: 'payment.note', secondPerson: 'above-limit' } as const

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
  'console/audit/list': read('staff.read', { byToken }),
  'console/money/providers': read('payment.read', { byToken }),
  'console/money/unmatched': read('payment.read', { byToken }),
  'console/money/unmatched/return': write('payment.note', NOTED),
  'console/money/unmatched/close': write('payment.note', NOTED),
  'console/money/differences': read('payment.read', { byToken }),
  'console/money/differences/book': write('payment.note', NOTED),
  'console/money/differences/close': write('payment.note', NOTED),
  'console/money/compare': write('payment.note', { byToken }),
  'console/money/bank/lines': read('payment.read', { byToken }),
  'console/money/bank/effect': read('payment.read', { byToken }),
  'console/money/bank/match': write('payment.note', NOTED),
  'console/money/bank/set_aside': write('payment.note', { byToken }),
  'console/money/bank/take_up': write('payment.note', { byToken }),
  'console/money/bank/import': write('payment.note', { byToken }),
  'console/money/bank/statements': read('payment.read', { byToken }),
  'console/money/bank/returns': read('payment.read', { byToken }),
  'console/money/bank/returned': write('payment.note', NOTED),
  'console/money/ledger': read('ledger.read', { byToken }),
  'console/money/days': read('ledger.read', { byToken }),
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
