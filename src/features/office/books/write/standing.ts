import { sql } from 'kysely'
import type { Money } from '#kernel/money.ts'
import { idAt } from '#kernel/uuid.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** Ids are in the order of time but for the clocks of the machines that make them. */
const CLOCKS_MS = 3_600_000

/** Counts for each provider the payments that were begun within a day and a week, and those of them that were paid. */
export async function countStanding(ctx: Ctx): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const at = now.getTime()
    await sql`
      insert into provider_standing (provider, begun_day, paid_day, begun_week, paid_week, counted_at)
      select provider, count(*) filter (where created_at > ${new Date(at - DAY_MS)}), count(*) filter (where created_at > ${new Date(at - DAY_MS)} and status = 'captured'),
        count(*), count(*) filter (where status = 'captured'), ${now}
      from payment_attempt where id >= ${idAt(at - WEEK_MS - CLOCKS_MS)}::uuid and created_at > ${new Date(at - WEEK_MS)} and created_at <= ${now} group by provider
      on conflict (provider) do update set begun_day = excluded.begun_day, paid_day = excluded.paid_day, begun_week = excluded.begun_week,
        paid_week = excluded.paid_week, counted_at = excluded.counted_at`.execute(tx)
    // Of whom nothing was begun for a week, nothing is said.
    await tx.deleteFrom('provider_standing').where('counted_at', '<', now).execute()
  })
}

/** Writes what a provider says that lies with it, in place of what it said before. */
export async function recordBalance(
  ctx: Ctx,
  provider: string,
  balances: readonly Money[],
): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    await tx.deleteFrom('provider_balance').where('provider', '=', provider).execute()
    if (balances.length === 0) return
    await tx
      .insertInto('provider_balance')
      .values(
        balances.map(({ minor, currency }) => ({
          provider,
          currency,
          available_minor: minor,
          told_at: now,
        })),
      )
      .execute()
  })
}
