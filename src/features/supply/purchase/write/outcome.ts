import { post } from '#features/base/ledger/commands.ts'
import { changeOrder, changeUnits } from '#features/buying/order/commands.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import type { SealedKey } from '#features/buying/vault/commands.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { isUniqueViolation } from '#platform/db.ts'
import type { LookupOutcome } from '#providers/supply/provider.ts'
import { isAnothers, lockPurchase, lockUnitsOf, type Purchase } from '../queries.ts'
import { isCardKind, type Failed, type PurchaseStatus } from '../rules.ts'
import { decide, type Asking, type Decision } from './answer.ts'
import { givenBack } from './books.ts'
import { buyLate, deliver } from './delivery.ts'
import { endPurchase, openCase, theirs, TOLD_MAX, type Held } from './ending.ts'
import { fail } from './failure.ts'

/** What an answer has changed: the purchase as it is now, and what was decided. */
export interface Recorded {
  readonly decision: Decision['kind']
  readonly status: PurchaseStatus
}

/** Writes what a supplier has answered about an attempt, with all that follows from it, in one transaction. */
export async function recordOutcome(
  ctx: Ctx,
  { id: purchaseId, orderId }: Pick<Purchase, 'id' | 'orderId'>,
  answer: LookupOutcome,
  asking: Asking,
  proof: string | null = null,
  keys: readonly SealedKey[] | null = null,
): Promise<Recorded> {
  const record = (heard: LookupOutcome) =>
    transaction(ctx, async (tx, now): Promise<Recorded> => {
      const order = await lockOrderById(tx, orderId)
      const units = await lockUnitsOf(tx, purchaseId)
      const purchase = await lockPurchase(tx, purchaseId)
      // A person says how it was only of what nobody else could: what its supplier has told meanwhile stands.
      if (proof !== null && purchase.status !== 'doubt')
        return { decision: 'none', status: purchase.status }
      const isOdd = await isOfAnother(tx, purchase, heard)
      const told = isOdd ? ANSWER_OF_ANOTHER : withoutCards(purchase, heard, keys)
      const decision = decide(purchase, told, asking, now)
      return {
        decision: decision.kind,
        status: await apply(tx, ctx, { order, units, purchase, proof, keys }, decision),
      }
    })
  try {
    return await record(answer)
  } catch (error) {
    // The same name came for another purchase at the same moment.
    if (isUniqueViolation(error, 'purchase_theirs')) return record(ANSWER_OF_ANOTHER)
    throw error
  }
}

/** A card that is bought and has not come is on its way: its attempt stays open, and is asked about until it comes. */
const withoutCards = (
  { told }: Purchase,
  answer: LookupOutcome,
  keys: readonly SealedKey[] | null,
): LookupOutcome =>
  answer.kind === 'done' && isCardKind(told.kind) && keys === null
    ? { kind: 'accepted', supplierId: answer.supplierId }
    : answer

const ANSWER_OF_ANOTHER: LookupOutcome = {
  kind: 'unknown',
  why: 'the answer names another purchase of ours, or not the one it named before',
}

/** An answer that names what another purchase is, or was named differently before, tells nothing about this one. */
async function isOfAnother(tx: Tx, purchase: Purchase, answer: LookupOutcome): Promise<boolean> {
  if (!('supplierId' in answer) || !answer.supplierId) return false
  if (purchase.supplierId !== null && purchase.supplierId !== answer.supplierId) return true
  return isAnothers(tx, purchase, answer.supplierId)
}

async function apply(tx: Tx, ctx: Ctx, held: Held, decision: Decision): Promise<PurchaseStatus> {
  switch (decision.kind) {
    case 'deliver':
      return deliver(tx, ctx, held, decision.done)
    case 'open':
      return keepOpen(tx, ctx, held, decision)
    case 'fail':
      return fail(tx, ctx, held, decision.failed, decision.supplierId)
    case 'bought_late':
      return buyLate(tx, ctx, held, decision.done)
    case 'reverse':
      return reverse(tx, ctx, held, decision.failed)
    case 'none':
      return held.purchase.status
    default:
      return decision satisfies never
  }
}

async function keepOpen(
  tx: Tx,
  ctx: Ctx,
  { order, units, purchase }: Held,
  { status, nextAskAt, supplierId, told }: Extract<Decision, { kind: 'open' }>,
): Promise<PurchaseStatus> {
  const kept = purchase.status === 'doubt' ? 'doubt' : status
  await tx
    .updateTable('purchase')
    .set({
      status: kept,
      next_ask_at: nextAskAt,
      ...theirs(supplierId),
      told: told?.slice(0, TOLD_MAX) ?? null,
      updated_at: ctx.now(),
    })
    .where('id', '=', purchase.id)
    .execute()
  const sure = units.filter((unit) => unit.status !== 'in_doubt')
  const [unit] = sure
  if (kept === 'accepted' || !unit) return kept
  await changeUnits(
    tx,
    sure.map(({ id }) => id),
    { status: 'in_doubt' },
  )
  await changeOrder(
    tx,
    ctx,
    order,
    {},
    { reason: 'delivery_in_doubt', details: { line: unit.line, supplier: purchase.supplier } },
  )
  return kept
}

/** Taken back after it was delivered: never bought again silently, a person decides with the buyer. */
async function reverse(
  tx: Tx,
  ctx: Ctx,
  { purchase }: Held,
  failed: Failed,
): Promise<PurchaseStatus> {
  await endPurchase(tx, ctx, purchase, {
    status: 'reversed',
    failure_class: failed.class,
    failure_code: failed.code,
    told: failed.text.slice(0, TOLD_MAX),
  })
  await post(tx, ctx, givenBack(purchase, purchase.actualMinor ?? 0n))
  await openCase(tx, ctx, purchase, 'reversed')
  return 'reversed'
}
