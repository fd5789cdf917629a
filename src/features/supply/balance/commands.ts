import { sql } from 'kysely'
import { noteBalances } from '#features/supply/routing/commands.ts'
import type { Money } from '#kernel/money.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { READINGS_KEPT_DAYS } from './rules.ts'

const DAY_MS = 86_400_000

/** Writes what a supplier says that it holds for the shop, with what the books say of it at that moment. */
export async function recordBalances(
  ctx: Ctx,
  supplier: string,
  balances: readonly Money[],
): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    await noteBalances(tx, supplier, balances, now)
    await sql`
      insert into supplier_balance_reading (supplier, currency, at, available_minor, booked_minor)
      select b.supplier, b.currency, b.asked_at, b.available_minor,
        coalesce((select sum(-moved_in_all(a.id)) from ledger_account a where a.code in ('supplier:' || b.supplier, 'supplier_reserved:' || b.supplier) and a.currency = b.currency), 0)
      from supplier_balance b where b.supplier = ${supplier} on conflict do nothing`.execute(tx)
  })
}

export async function forgetReadings(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const before = new Date(ctx.now().getTime() - READINGS_KEPT_DAYS * DAY_MS)
  await ctx.db.deleteFrom('supplier_balance_reading').where('at', '<', before).execute()
}
