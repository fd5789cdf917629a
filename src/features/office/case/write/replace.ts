import { closeReplaced, lockOpen, type OpenedCase } from '#features/buying/after-sales/commands.ts'
import { replaceKeyInTurn } from '#features/buying/fulfilment/commands.ts'
import { inTurn, type Turn } from '#features/team/approval/commands.ts'
import { stillActing, type OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'

/** What came of it: how many keys were given, and the acts that wait for another person. */
export interface Replaced {
  readonly replaced: number
  readonly waits: readonly string[]
}

const REASON_MAX = 500

/**
 * Answers a report of faulty keys by other keys of the shop's own, and closes it. What is above the limits waits for another person, and the
 * case stays open; asked for again once that was approved, it closes, and nothing is given twice. Throws 'not_found', 'order_closed' for a
 * case that is decided or no report of keys, or as replacing a key does, 'out_of_stock'.
 */
export async function replaceInCase(
  given: OperatorCtx,
  publicId: string,
  note: string,
): Promise<Replaced> {
  return inTurn(given, async (tx) => {
    const ctx = await stillActing(tx, given)
    requirePermission(ctx, 'case.decide')
    const opened = await lockOpen(tx, publicId)
    if (opened.found.kind !== 'faulty_key') throw new AppError('order_closed')
    const waits: string[] = []
    let replaced = 0
    for (const unit of await listFaulty(tx, opened)) {
      const asks = await replaceKeyInTurn(tx, ctx, unit, note.slice(0, REASON_MAX))
      if (asks === null) replaced += 1
      else waits.push(asks)
    }
    if (waits.length === 0) await closeReplaced(tx, ctx, opened, note)
    return { replaced, waits }
  })
}

/** Units whose key was not replaced since it was reported. */
async function listFaulty(tx: Turn, { found }: OpenedCase): Promise<string[]> {
  const rows = await tx
    .selectFrom('service_case_unit as c')
    .innerJoin('order_unit as u', 'u.id', 'c.unit_id')
    .select('u.public_id')
    .where('c.case_id', '=', found.id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('key_replacement as r')
            .select('r.unit_id')
            .whereRef('r.unit_id', '=', 'u.id')
            .where('r.replaced_at', '>=', found.createdAt),
        ),
      ),
    )
    .orderBy('u.id')
    .execute()
  return rows.map((row) => row.public_id)
}
