import { recordAudit } from '#features/base/audit/commands.ts'
import { acceptWaitingCase } from '#features/buying/after-sales/commands.ts'
import { changeWaitingMethod } from '#features/office/payment-method/commands.ts'
import {
  changeWaitingService,
  dropWaitingService,
} from '#features/office/payment-service/commands.ts'
import {
  changeWaitingSupplier,
  dropWaitingSupplier,
} from '#features/office/supplier-service/commands.ts'
import {
  recordWaitingReceipt,
  recordWaitingReturn,
} from '#features/buying/bank-transfer/commands.ts'
import {
  completeWaitingUnit,
  failWaitingUnit,
  releaseWaitingHold,
  replaceWaitingKey,
} from '#features/buying/fulfilment/commands.ts'
import { keepWaitingImport, takeWaitingImport } from '#features/buying/key-import/commands.ts'
import {
  bookWaitingDifference,
  closeWaitingDifference,
} from '#features/buying/reconciliation/commands.ts'
import { acceptWaitingMoney, leaveWaitingMoney } from '#features/buying/payment/commands.ts'
import {
  approveWaitingRefund,
  rejectWaitingRefund,
  returnWaitingMoney,
} from '#features/buying/refund/commands.ts'
import { grantWaitingCredit } from '#features/buying/store-credit/commands.ts'
import {
  closeWaitingUnmatched,
  matchWaitingUnmatched,
} from '#features/buying/unmatched-payment/commands.ts'
import {
  makeWaitingKeyExport,
  refuseWaitingKeyExport,
} from '#features/office/key-export/commands.ts'
import { changeWaitingPrices } from '#features/office/pricing/commands.ts'
import {
  sendWaitingInvitation,
  withdrawWaitingInvitation,
} from '#features/office/invitation/commands.ts'
import { writeWaitingText } from '#features/office/legal/commands.ts'
import { changeWaitingParts } from '#features/office/setting/commands.ts'
import {
  grantWaitingRole,
  resetWaitingFactor,
  stopWaitingReset,
  writeWaitingRole,
} from '#features/office/staff/commands.ts'
import { decideAct, inTurn, type Turn } from '#features/team/approval/commands.ts'
import type { Act, ActKind } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { isAppError } from '#kernel/error.ts'

type Deed = (tx: Turn, ctx: OperatorCtx, act: Act, confirmed: string | null) => Promise<unknown>

/** What approving an act of a kind does, with the approval. */
const DEEDS: Readonly<Record<ActKind, Deed>> = {
  refund: approveWaitingRefund,
  case: acceptWaitingCase,
  held_money: returnWaitingMoney,
  unit_failure: failWaitingUnit,
  store_credit: grantWaitingCredit,
  bank_receipt: recordWaitingReceipt,
  bank_return: recordWaitingReturn,
  // Its provider is asked once the approval is written: by `payments return`, as often as it takes.
  stray_return: async () => {},
  stray_close: closeWaitingUnmatched,
  difference_book: bookWaitingDifference,
  difference_close: closeWaitingDifference,
  hold_release: releaseWaitingHold,
  key_import: takeWaitingImport,
  staff_invite: sendWaitingInvitation,
  staff_role: grantWaitingRole,
  role_change: writeWaitingRole,
  factor_reset: resetWaitingFactor,
  key_export: makeWaitingKeyExport,
  replacement: replaceWaitingKey,
  // What became of it is written once the approval is: by `followApproval`, as often as it takes.
  doubt_failure: async () => {},
  hand_delivery: completeWaitingUnit,
  late_accept: acceptWaitingMoney,
  short_accept: acceptWaitingMoney,
  stray_match: matchWaitingUnmatched,
  payment_service: changeWaitingService,
  payment_method: changeWaitingMethod,
  price_change: changeWaitingPrices,
  supplier_service: changeWaitingSupplier,
  shop_setting: changeWaitingParts,
  legal_text: writeWaitingText,
}

/** What refusing it does, where something is kept back meanwhile. */
const UNDOINGS: Readonly<Partial<Record<ActKind, Deed>>> = {
  refund: rejectWaitingRefund,
  late_accept: leaveWaitingMoney,
  short_accept: leaveWaitingMoney,
  key_import: keepWaitingImport,
  staff_invite: withdrawWaitingInvitation,
  factor_reset: stopWaitingReset,
  key_export: refuseWaitingKeyExport,
  payment_service: dropWaitingService,
  supplier_service: dropWaitingSupplier,
}

/** Undoes what is kept back for an act that comes to nothing. */
export async function undoAct(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  try {
    await UNDOINGS[act.kind]?.(tx, ctx, act, null)
  } catch (error) {
    // It has come to nothing already, by a bank that took the money back, say: there is nothing left to undo.
    if (!isAppError(error) || error.code !== 'order_closed') throw error
  }
}

/**
 * Another person than the one who asked approves an act, which is done with it; said again it changes nothing. Throws as `decideAct`
 * does, and as the act itself where it cannot be done any more.
 */
export async function approveAct(
  ctx: OperatorCtx,
  publicId: string,
  /** What was asked outside just before, where an act needs that (`askWhose`). */
  confirmed: string | null = null,
): Promise<Act> {
  requirePermission(ctx, 'approval.decide')
  return inTurn(ctx, async (tx) => {
    const { act, isNew } = await decideAct(tx, ctx, publicId, 'approved')
    if (!isNew) return act
    await DEEDS[act.kind](tx, ctx, act, confirmed)
    await noteDecision(tx, ctx, act, '')
    return act
  })
}

/** Says no to an act, or takes one's own back. Throws as `decideAct` does. */
export async function refuseAct(ctx: OperatorCtx, publicId: string, reason: string): Promise<Act> {
  requirePermission(ctx, 'approval.decide')
  return inTurn(ctx, async (tx) => {
    const { act, isNew } = await decideAct(tx, ctx, publicId, 'refused', reason)
    if (!isNew) return act
    await undoAct(tx, ctx, act)
    await noteDecision(tx, ctx, act, reason)
    return act
  })
}

async function noteDecision(tx: Turn, ctx: OperatorCtx, act: Act, reason: string): Promise<void> {
  await recordAudit(tx, ctx, ctx.now(), [
    {
      action: act.status === 'approved' ? 'act_approved' : 'act_refused',
      subject: 'operator_act',
      subjectCode: act.publicId,
      before: { asked_by: act.askedBy },
      after: {
        kind: act.kind,
        amount_minor: act.money.minor.toString(),
        currency: act.money.currency,
        reason,
      },
    },
  ])
}
