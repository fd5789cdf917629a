import { answerOnce } from '#features/base/idempotency/commands.ts'
import { lockSeen } from '#features/buying/order/commands.ts'
import type { LockedOrder } from '#features/buying/order/queries.ts'
import { inTurn, type Turn } from '#features/team/approval/commands.ts'
import { stillActing, type OperatorCtx } from '#features/team/operator/commands.ts'
import type { DeskAct } from '../rules.ts'

type Answer = Readonly<Record<string, string | number | boolean | null>>

export interface Desk {
  readonly tx: Turn
  /** With the role that counts now. */
  readonly ctx: OperatorCtx
  readonly order: LockedOrder
}

/**
 * Does one act on an order that is still what its caller has seen, once: in one transaction with its answer, in which nobody else changes the
 * order and the same operator does nothing else. Throws 'changed_meanwhile' where something has happened to the order since, 'not_found',
 * 'conflict' for a key of another act, 'unauthorised' for who was shut out meanwhile.
 */
export function actOnce<T extends Answer>(
  given: OperatorCtx,
  call: string,
  { key, ...act }: DeskAct & Readonly<Record<string, unknown>>,
  work: (desk: Desk) => Promise<T>,
): Promise<T> {
  return inTurn(given, async (tx) => {
    const ctx = await stillActing(tx, given)
    return answerOnce(tx, ctx, { key, call, input: act }, async () =>
      work({ tx, ctx, order: await lockSeen(tx, act.order, act.version) }),
    )
  })
}

/** The same of what is no order's alone to be refused: a claim is its own lock. */
export function doOnce<T extends Answer>(
  given: OperatorCtx,
  call: string,
  { key, ...input }: { readonly key: string } & Readonly<Record<string, unknown>>,
  work: (desk: Omit<Desk, 'order'>) => Promise<T>,
): Promise<T> {
  return inTurn(given, async (tx) => {
    const ctx = await stillActing(tx, given)
    return answerOnce(tx, ctx, { key, call, input }, () => work({ tx, ctx }))
  })
}
