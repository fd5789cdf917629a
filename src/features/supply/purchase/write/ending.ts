import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import type { SealedKey } from '#features/buying/vault/commands.ts'
import type { LockedOrder } from '#features/buying/order/queries.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { SupplyDone } from '#providers/supply/provider.ts'
import type { Purchase, SuppliedUnit } from '../queries.ts'
import type { CaseKind, Failed } from '../rules.ts'

export const TOLD_MAX = 300
const ID_MAX = 200

/** An attempt that something was heard about, with all that is locked for it. */
export interface Held {
  readonly order: LockedOrder
  /** Of one line; one alone of what is credited. */
  readonly units: readonly SuppliedUnit[]
  readonly purchase: Purchase
  /** What shows the delivery, where a person has seen it. */
  readonly proof: string | null
  /** The cards that came, encrypted; null where none did. */
  readonly keys: readonly SealedKey[] | null
}

/** The supplier's name for it, where it gave one; what is known stays. */
export const theirs = (supplierId: string | null) =>
  supplierId === null || supplierId === '' ? {} : { supplier_id: supplierId.slice(0, ID_MAX) }

/** What shows a delivery. */
export const proofOf = ({ proof, purchase }: Held, { supplierId }: SupplyDone): string =>
  proof ?? (supplierId.slice(0, ID_MAX) || purchase.told.reference)

/** What it cost: as it was told, or as it was expected where that is not told in its currency. */
export function costOf({ currency, expectedMinor, maxMinor }: Purchase, { cost }: SupplyDone) {
  const isOdd = cost !== null && (cost.currency !== currency || cost.minor > maxMinor)
  const actualMinor = cost?.currency === currency ? cost.minor : expectedMinor
  return { actualMinor, isOdd }
}

interface Ending {
  readonly status: 'done' | 'failed' | 'late' | 'reversed'
  readonly actual_minor?: bigint
  readonly supplier_id?: string
  readonly failure_class?: Failed['class']
  readonly failure_code?: string
  readonly told?: string
}

export async function endPurchase(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  purchase: Purchase,
  ending: Ending,
): Promise<void> {
  const now = ctx.now()
  await tx
    .updateTable('purchase')
    .set({ ...ending, next_ask_at: null, ended_at: now, updated_at: now })
    .where('id', '=', purchase.id)
    .execute()
}

/** The attempt delivers none of its units any more, other than those it just has. */
export async function endUnits(tx: Tx, purchaseId: string, done: readonly string[]): Promise<void> {
  await sql`
    update purchase_unit set is_live = false, is_done = unit_id = any(${[...done]}::uuid[]) where purchase_id = ${purchaseId}`.execute(
    tx,
  )
}

export async function openCase(
  tx: Tx,
  ctx: Ctx,
  purchase: Purchase,
  kind: CaseKind,
): Promise<void> {
  const now = ctx.now()
  const opened = await tx
    .insertInto('supply_case')
    .values({ id: ctx.newId(), purchase_id: purchase.id, kind, opened_at: now })
    .onConflict((conflict) => conflict.columns(['purchase_id', 'kind']).doNothing())
    .executeTakeFirst()
  if (opened.numInsertedOrUpdatedRows === 0n) return
  await recordAudit(tx, ctx, now, [
    {
      action: 'supply_case_opened',
      subject: 'purchase',
      subjectCode: purchase.told.reference,
      before: { status: purchase.status },
      after: { case: kind },
    },
  ])
}
