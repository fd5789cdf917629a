import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { readSetting } from '#features/base/setting/queries.ts'
import { refundUnits } from '#features/buying/fulfilment/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { sweep } from '#platform/sweep.ts'
import { takenBackSetting } from '../schema.ts'

const A_PAGE = 100
const BY_RULE = 'system'

interface TakenBack {
  readonly caseId: string
  readonly orderId: string
  /** Those whose money has not gone back yet. */
  readonly unitIds: readonly string[]
}

/**
 * Where the owner says so, the money for what a supplier has taken back of an account goes back to its buyer; its case is closed once
 * all of it has, as a refund that waits may still be refused. Only what the supplier was asked about and has confirmed; what is disputed or held stays a person's.
 */
export async function refundTakenBack(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  if (!(await readSetting(ctx.db, takenBackSetting)).refund) return
  await sweep<TakenBack>(ctx, {
    what: 'a delivery that its supplier has taken back',
    name: ({ caseId }) => caseId,
    signal,
    next: (last) => listTakenBack(ctx, last?.caseId ?? null),
    work: ({ caseId, orderId, unitIds }) =>
      unitIds.length > 0
        ? refundUnits(ctx, orderId, unitIds, 'not_delivered')
        : closeByRule(ctx, caseId),
  })
}

async function listTakenBack(ctx: Pick<Ctx, 'db'>, last: string | null): Promise<TakenBack[]> {
  const { rows } = await sql<TakenBack>`
    select c.id as "caseId", p.order_id as "orderId", coalesce(array_agg(u.id) filter (where u.status = 'delivered'), '{}') as "unitIds"
    from supply_case c join purchase p on p.id = c.purchase_id join purchase_unit n on n.purchase_id = p.id and n.is_done join order_unit u on u.id = n.unit_id
    where c.closed_at is null and c.kind = 'reversed' and p.status = 'reversed' and c.id > ${last ?? '00000000-0000-0000-0000-000000000000'}::uuid
    group by c.id, p.order_id having bool_and(u.delivery = 'direct_charge' and u.status in ('delivered', 'refunded')) order by c.id limit ${A_PAGE}`.execute(
    ctx.db,
  )
  return rows
}

async function closeByRule(ctx: Ctx, caseId: string): Promise<boolean> {
  return transaction(ctx, async (tx, now) => {
    const closed = await tx
      .updateTable('supply_case')
      .set({ closed_at: now, closed_by: BY_RULE, note: 'refunded by rule' })
      .where('id', '=', caseId)
      .where('closed_at', 'is', null)
      .executeTakeFirst()
    if (closed.numUpdatedRows === 0n) return false
    await recordAudit(tx, ctx, now, [
      {
        action: 'supply_case_closed',
        subject: 'supply_case',
        subjectCode: caseId,
        before: { closed: false },
        after: { closed: true, note: 'refunded by rule' },
      },
    ])
    return true
  })
}
