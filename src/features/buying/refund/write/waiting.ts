import { changeUnits } from '#features/buying/order/commands.ts'
import { endActsAbout } from '#features/team/approval/commands.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { listRefundedUnits, listShares } from '../queries.ts'
import { TAKEN_BACK } from '../rules.ts'

/** Refunds of a payment that waited for its dispute to end are looked at with the next sweep. */
export async function wakeRefunds(tx: Tx, ctx: Pick<Ctx, 'now'>, attemptId: string): Promise<void> {
  await tx
    .updateTable('refund')
    .set({ check_at: ctx.now() })
    .where('attempt_id', '=', attemptId)
    .where('status', 'in', ['requested', 'approved'])
    .where('approved_by', 'is not', null)
    .execute()
}

/** What became of units whose refund has ended without giving anything back. */
export interface Unrefunded {
  readonly amountMinor: bigint
  /** Whether one of the units is owed again and has no key: it went on to somebody else. */
  readonly isShort: boolean
}

/**
 * Ends refunds that wait, the newest first, until what is left of a payment is as much as its bank has taken: what is gone is not given
 * back once more. Their units are what they were. Order and payment are locked.
 */
export async function endWaiting(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  { attemptId, missingMinor }: { readonly attemptId: string; readonly missingMinor: bigint },
): Promise<Unrefunded> {
  if (missingMinor <= 0n) return { amountMinor: 0n, isShort: false }
  const waiting = await tx
    .selectFrom('refund')
    .select(['id', 'amount_minor'])
    .where('attempt_id', '=', attemptId)
    .where('status', 'in', ['requested', 'approved'])
    .orderBy('id', 'desc')
    .forNoKeyUpdate()
    .execute()
  let amountMinor = 0n
  let isShort = false
  for (const refund of waiting) {
    if (amountMinor >= missingMinor) break
    isShort = (await endRefund(tx, ctx, refund.id)) || isShort
    amountMinor += BigInt(refund.amount_minor)
  }
  return { amountMinor, isShort }
}

/** What was to go back with it to other payments stays as well, where it is still here. */
async function endShares(tx: Tx, ctx: Pick<Ctx, 'now'>, id: string): Promise<void> {
  await tx
    .updateTable('refund')
    .set({ status: 'rejected', failure: TAKEN_BACK, check_at: null, updated_at: ctx.now() })
    .where('id', 'in', await listShares(tx, id))
    .where('status', 'in', ['requested', 'approved'])
    .execute()
}

/** A refund ends before it was sent out, and whoever was asked about it is asked no more. @returns whether a unit of it is owed again and has no key */
export async function endRefund(tx: Tx, ctx: Pick<Ctx, 'now'>, id: string): Promise<boolean> {
  const { public_id: publicId } = await tx
    .updateTable('refund')
    .set({
      status: 'rejected',
      failure: TAKEN_BACK,
      check_at: null,
      updated_at: ctx.now(),
    })
    .where('id', '=', id)
    .returning('public_id')
    .executeTakeFirstOrThrow()
  await endActsAbout(tx, ctx, 'refund', publicId)
  const units = await listRefundedUnits(tx, id)
  const idsOf = (wasDelivered: boolean) =>
    units.filter((unit) => unit.wasDelivered === wasDelivered).map((unit) => unit.id)
  await changeUnits(tx, idsOf(true), { status: 'delivered' }, 'refund_due')
  const owed = await changeUnits(tx, idsOf(false), { status: 'queued' }, 'refund_due')
  if (units.length > 0) await endShares(tx, ctx, id)
  return owed.some(({ delivery }) => delivery === 'card_key')
}
