import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { SyncPlan } from '../engine/plan.ts'

/** Writes who may buy what from now on: what pages, carts and the gate before delivery read. What an owner maintains stays so at the next import. */
export async function writeLimits(
  tx: Tx,
  now: Date,
  { limits, ages }: Pick<SyncPlan, 'limits' | 'ages'>,
): Promise<void> {
  if (limits.length > 0) {
    const rows = limits.map(({ item, buyerCountries, blockedCountries, isLocked }) => ({
      item,
      buyer: buyerCountries,
      blocked: blockedCountries,
      locked: isLocked ? ['buyer_countries', 'blocked_countries'] : [],
    }))
    await sql`
      update item set buyer_countries = r.buyer, blocked_countries = r.blocked, updated_at = ${now},
        locked_fields = array(select distinct unnest(locked_fields || r.locked))
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (item uuid, buyer text[], blocked text[], locked text[]) where item.id = r.item`.execute(
      tx,
    )
  }
  if (ages.size === 0) return
  const raised = [...ages].map(([product, age]) => ({ product, age }))
  await sql`
    update product set min_age = r.age,
      locked_fields = case when source like 'supplier:%' then locked_fields else array(select distinct unnest(locked_fields || array['min_age'])) end
    from jsonb_to_recordset(${JSON.stringify(raised)}::jsonb) as r (product text, age smallint)
    where product.code = r.product and (product.min_age is null or product.min_age < r.age)`.execute(
    tx,
  )
}
