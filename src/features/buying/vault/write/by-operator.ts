import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { isUuid } from '#kernel/uuid.ts'
import { transaction } from '#platform/ctx.ts'

/** Puts keys of an item that were kept back on sale again, but those that left the shop in a file. Throws 'not_found'. @returns how many */
export async function releaseQuarantined(ctx: OperatorCtx, itemCode: string): Promise<number> {
  requirePermission(ctx, 'key.import')
  return transaction(ctx, async (tx, now) => {
    const item = await tx
      .selectFrom('item')
      .select('id')
      .where('code', '=', itemCode)
      .executeTakeFirst()
    if (!item) throw new AppError('not_found')
    const { numUpdatedRows } = await tx
      .updateTable('card_key')
      .set({ status: 'free' })
      .where('item', '=', item.id)
      .where('status', '=', 'quarantined')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('key_access')
              .select('id')
              .whereRef('key_access.key_id', '=', 'card_key.id')
              .where('purpose', '=', 'export'),
          ),
        ),
      )
      .executeTakeFirst()
    const count = Number(numUpdatedRows)
    if (count > 0)
      await recordAudit(tx, ctx, now, [
        {
          action: 'release',
          subject: 'item',
          subjectCode: itemCode,
          before: null,
          after: { keys: count },
        },
      ])
    return count
  })
}

export interface WithdrawnBatch {
  readonly itemCode: string
  /** Keys that left the shelf for good, and the orders they were reserved for. */
  readonly withdrawn: number
  /** Keys of it that somebody has: to be replaced or given back by a person. */
  readonly sold: readonly {
    readonly orderNumber: string
    readonly unit: string
    readonly lastCharacters: string
    readonly status: string
    readonly isRevealed: boolean
  }[]
}

/**
 * Takes what is left of a bad batch off the shelf for good, also what is reserved for orders that are being paid: they get another key
 * when their money comes, or wait for one as what is short does. The database lets none of the batch back. Throws 'not_found'.
 */
export async function withdrawBatch(ctx: OperatorCtx, batchId: string): Promise<WithdrawnBatch> {
  requirePermission(ctx, 'key.import')
  if (!isUuid(batchId)) throw new AppError('not_found')
  return transaction(ctx, async (tx, now) => {
    const batch = await tx
      .selectFrom('key_batch as b')
      .innerJoin('item as i', 'i.id', 'b.item')
      .select(['b.id', 'i.code'])
      .where('b.id', '=', batchId)
      // Whoever is still adding keys to it is waited for.
      .forUpdate('b')
      .executeTakeFirst()
    if (!batch) throw new AppError('not_found')
    await tx
      .updateTable('key_batch')
      .set({ withdrawn_at: now, withdrawn_by: ctx.actor })
      .where('id', '=', batch.id)
      .where('withdrawn_at', 'is', null)
      .execute()
    const { numUpdatedRows } = await tx
      .updateTable('card_key')
      .set({ status: 'void', unit_id: null, claimed_at: null })
      .where('batch_id', '=', batch.id)
      .where('status', 'in', ['free', 'quarantined', 'claimed'])
      .executeTakeFirst()
    const sold = await tx
      .selectFrom('card_key as k')
      .innerJoin('order_unit as u', 'u.id', 'k.unit_id')
      .innerJoin('shop_order as o', 'o.id', 'u.order_id')
      .select(['o.number', 'u.public_id', 'k.last_four', 'k.status', 'k.revealed_at'])
      .where('k.batch_id', '=', batch.id)
      .where('k.status', '=', 'delivered')
      .orderBy('o.number')
      .execute()
    const withdrawn = Number(numUpdatedRows)
    await recordAudit(tx, ctx, now, [
      {
        action: 'withdraw',
        subject: 'key_batch',
        subjectCode: batch.id,
        before: null,
        after: { item: batch.code, keys: withdrawn, sold: sold.length },
      },
    ])
    return {
      itemCode: batch.code,
      withdrawn,
      sold: sold.map((row) => ({
        orderNumber: row.number,
        unit: row.public_id,
        lastCharacters: row.last_four,
        status: row.status,
        isRevealed: row.revealed_at !== null,
      })),
    }
  })
}
