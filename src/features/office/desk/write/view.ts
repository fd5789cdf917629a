import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { ORDERS, type OrderColumn } from '../rules.ts'

/** How many lists of orders one operator keeps. */
const VIEWS_MAX = 20

/**
 * Keeps a list of orders with its filters under a name of the operator's own; the same name is given other filters. Throws 'conflict'
 * beyond twenty. @returns its public id
 */
export async function saveView(
  ctx: OperatorCtx,
  { name, filters }: { readonly name: string; readonly filters: Readonly<Record<string, string>> },
): Promise<string> {
  requirePermission(ctx, 'order.read')
  return transaction(ctx, async (tx, now) => {
    const own = await tx
      .selectFrom('order_view')
      .select('name')
      .where('operator_id', '=', ctx.operator.id)
      .execute()
    if (own.length >= VIEWS_MAX && !own.some((view) => view.name === name))
      throw new AppError('conflict')
    const kept = await tx
      .insertInto('order_view')
      .values({
        id: ctx.newId(),
        public_id: newPublicId(ctx),
        operator_id: ctx.operator.id,
        name,
        filters: JSON.stringify(filters),
        created_at: now,
      })
      .onConflict((conflict) =>
        conflict.columns(['operator_id', 'name']).doUpdateSet({ filters: JSON.stringify(filters) }),
      )
      .returning('public_id')
      .executeTakeFirstOrThrow()
    return kept.public_id
  })
}

/** Forgets a list of one's own; of somebody else's nothing is said. */
export async function removeView(ctx: OperatorCtx, publicId: string): Promise<void> {
  requirePermission(ctx, 'order.read')
  await ctx.db
    .deleteFrom('order_view')
    .where('operator_id', '=', ctx.operator.id)
    .where('public_id', '=', publicId)
    .execute()
}

/** Keeps which columns of the list of orders an operator wants to see. */
export async function chooseColumns(
  ctx: OperatorCtx,
  columns: readonly OrderColumn[],
): Promise<void> {
  requirePermission(ctx, 'order.read')
  const chosen = [...columns]
  await ctx.db
    .insertInto('list_columns')
    .values({ operator_id: ctx.operator.id, list: ORDERS, columns: chosen })
    .onConflict((conflict) =>
      conflict.columns(['operator_id', 'list']).doUpdateSet({ columns: chosen }),
    )
    .execute()
}
