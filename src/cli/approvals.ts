import { findReceipt } from '#features/buying/bank-transfer/queries.ts'
import { getRefundId } from '#features/buying/refund/queries.ts'
import { confirmMatch, returnUnmatched } from '#features/buying/unmatched-payment/flows.ts'
import { approveAct, refuseAct } from '#features/office/approval/commands.ts'
import { askWhose } from '#features/office/payment-service/flows.ts'
import { listWaiting } from '#features/team/approval/queries.ts'
import { hasNoAmount, type Act, type ActKind } from '#features/team/approval/rules.ts'
import { settleAsDecided } from '#features/supply/purchase/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { refusal } from '#platform/refusal.ts'
import { openServices } from './payment-services.ts'
import { followReceipt, followReturn } from './bank.ts'
import type { OperatorRun } from './commands.ts'
import { amountText, minorUnitsOf } from './money.ts'
import { explained, moment, positionals, print, table } from './table.ts'

const LISTED = 200
const REASON_MAX = 500
const SAYINGS: Readonly<Record<ActKind, string>> = {
  refund: 'give units back',
  case: 'agree to a case',
  held_money: 'send back money that did not pay',
  unit_failure: 'give a unit back that cannot be delivered',
  store_credit: 'give store credit',
  bank_receipt: 'note money on the bank account',
  bank_return: 'note a refund as sent',
  stray_return: 'give an unmatched payment back',
  stray_close: 'close an unmatched payment',
  difference_book: 'book a difference',
  difference_close: 'close a difference',
  hold_release: 'let a held order go on',
  key_import: 'put imported keys into stock',
  staff_invite: 'invite somebody to the team',
  staff_role: 'give somebody another role',
  role_change: 'make or change a role',
  factor_reset: 'take lost factors away',
  key_export: 'let card keys out as a file',
  payment_service: 'change the settings of a payment service',
  payment_method: 'change a way to pay',
  price_change: 'change prices by more than one person may',
  supplier_service: 'change the settings of a supplier',
  shop_setting: 'change a protected setting of the shop',
  legal_text: 'change a text that buyers agree to',
  replacement: 'give another code for a faulty one',
  doubt_failure: 'note that a purchase in doubt was not delivered',
  hand_delivery: 'note a delivery by hand',
  late_accept: 'accept money that came late',
  short_accept: 'accept less than the price',
  stray_match: 'take an unmatched payment for an order',
}
const SENTENCES = {
  not_found: 'There is no such approval. npm run cli -- approvals list shows what waits.',
  order_closed:
    'That was decided, was not approved in time, or cannot be done any more. npm run cli -- approvals list shows what waits.',
  needs_another: 'Whoever asked for something cannot approve it: another person must.',
  out_of_stock: 'Goods of the order cannot be had any more: refuse it, and the money goes back.',
  conflict: 'That was noted otherwise meanwhile, or money in another currency came.',
  other_account:
    'Its keys answer for another account than the one that was to be approved: refuse it, and have it asked for anew.',
  payment_unreachable:
    'The payment service does not say whose the keys are, as it did when this was asked for: try again later.',
  changed_meanwhile:
    'What it is about has changed since it was asked for: refuse it, and have it asked for anew.',
}

export const listApprovalsCommand: OperatorRun = async (ctx, args) => {
  const waiting = await listWaiting(ctx.db, ctx.now(), LISTED)
  const digits = await minorUnitsOf(ctx)
  print(args, waiting, () =>
    waiting.length === 0
      ? 'Nothing waits for another person.\n'
      : table(
          ['APPROVAL', 'ASKED (UTC)', 'UNTIL (UTC)', 'BY', 'TO', 'ABOUT', 'ORDER', 'AMOUNT'],
          waiting.map((act) => [
            act.publicId,
            moment(act.askedAt),
            moment(act.endsAt),
            act.askedBy,
            SAYINGS[act.kind],
            act.subject,
            act.orderNumber ?? '',
            hasNoAmount(act.kind) ? '' : amountText(digits, act.money.minor, act.money.currency),
          ]),
        ),
  )
  return 0
}

export const approveActCommand: OperatorRun = async (ctx, args) => {
  const publicId = positionals(args)[0] ?? ''
  const act = await explained(SENTENCES, approve(ctx, publicId))
  await followUp(ctx, act)
  process.stdout.write(`Approved, for ${act.askedBy}: ${SAYINGS[act.kind]}.\n`)
  return 0
}

async function approve(ctx: OperatorCtx, publicId: string): Promise<Act> {
  const config = configFromEnvironment()
  const confirmed =
    (await askWhose(ctx, config.payment, publicId)) ??
    (await confirmMatch(ctx, () => openServices(config, ctx), publicId))
  return approveAct(ctx, publicId, confirmed)
}

export const refuseActCommand: OperatorRun = async (ctx, args) => {
  const [publicId = '', reason = ''] = positionals(args)
  if (reason.trim() === '' || reason.length > REASON_MAX)
    throw refusal(`The reason stands in the audit trail, in 1 to ${REASON_MAX} characters.`)
  await explained(SENTENCES, refuseAct(ctx, publicId, reason.trim()))
  process.stdout.write('Refused. Nothing is done.\n')
  return 0
}

/** What asks others once the approval is written; said again it is asked again. */
async function followUp(ctx: OperatorCtx, { kind, subject, details }: Act): Promise<void> {
  if (kind === 'bank_receipt') {
    const receipt = await findReceipt(ctx.db, subject)
    if (receipt) await followReceipt(ctx, receipt)
  }
  if (kind === 'bank_return') await followReturn(ctx, await getRefundId(ctx.db, subject))
  if (kind === 'doubt_failure')
    await settleAsDecided(ctx, subject, { outcome: 'failed', proof: String(details['proof']) })
  if (kind === 'stray_return') {
    const providers = await openServices(configFromEnvironment(), ctx)
    await explained(
      { order_closed: 'It was given back already.' },
      returnUnmatched(ctx, providers, subject),
    )
  }
}
