import { sql } from 'kysely'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx } from '#platform/ctx.ts'
import { listLookers } from './queries.ts'
import { LOOKS_KEPT_MS, type Looker } from './rules.ts'

/** Says that an operator has an order before them. Throws 'not_found'. @returns who else has */
export async function lookAtOrder(ctx: OperatorCtx, number: string): Promise<readonly Looker[]> {
  requirePermission(ctx, 'order.read')
  const { id } = ctx.operator
  const noted = await sql`
    insert into order_looker (order_id, operator_id, seen_at) select id, ${id}, ${ctx.now()} from shop_order where number = ${number}
    on conflict (order_id, operator_id) do update set seen_at = excluded.seen_at`.execute(ctx.db)
  if (noted.numAffectedRows !== 1n) throw new AppError('not_found')
  const all = await listLookers(ctx.db, ctx.now())
  return all.filter((one) => one.order === number && one.operator !== ctx.operator.name)
}

/** Says that they have it no more. */
export async function leaveOrder(ctx: OperatorCtx, number: string): Promise<void> {
  await sql`
    delete from order_looker where operator_id = ${ctx.operator.id} and order_id = (select id from shop_order where number = ${number})`.execute(
    ctx.db,
  )
}

/** Takes away what those left who closed their page without a word. */
export async function forgetLookers({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('order_looker')
    .where('seen_at', '<', new Date(now().getTime() - LOOKS_KEPT_MS))
    .execute()
}
