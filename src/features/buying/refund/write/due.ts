import { sql } from 'kysely'
import type { Ctx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { nextRefundCheck } from '../rules.ts'

/** Longer than handing over takes: whoever has a refund for so long has died. */
const LEASE_MS = 60_000

/** As the index has it. */
const PAYEE = sql<string>`(case when destination = 'store_credit' then destination else provider end)`

/** Refunds that wait to be handed to a provider, for its answer, or to be looked at once more, longest due first; nobody else gets them meanwhile. */
export async function takeDueRefunds(ctx: Ctx, payee: string, limit: number): Promise<string[]> {
  const now = ctx.now()
  const { rows } = await sql<{ id: string }>`
    with due as materialized (select id from refund where ${PAYEE} = ${payee} and check_at <= ${now} order by check_at limit ${limit} for no key update skip locked)
    update refund set check_at = ${new Date(now.getTime() + LEASE_MS)} from due where refund.id = due.id returning refund.id`.execute(
    ctx.db,
  )
  return rows.map(({ id }) => id)
}

/** A refund that could not be handed over, for a reason of ours, moves behind the others, further each time. */
export async function putOffRefund(ctx: Ctx, id: string): Promise<void> {
  const row = await ctx.db
    .selectFrom('refund')
    .select('checks')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return
  await ctx.db
    .updateTable('refund')
    .set({
      checks: sql`least(checks + 1, 32000)`,
      check_at: nextRefundCheck(row.checks + 1, ctx.now()),
    })
    .where('id', '=', id)
    .where('check_at', 'is not', null)
    .execute()
}

/** Whom a refund waits for; null where there is none. */
export async function findPayee(db: Db, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('refund')
    .select(PAYEE.as('payee'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.payee ?? null
}

/** How many refunds are due now, whomever they wait for. */
export async function countDueRefunds(db: Db, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('refund')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('check_at', '<=', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}
