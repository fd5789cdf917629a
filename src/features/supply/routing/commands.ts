import { sql } from 'kysely'
import type { Money } from '#kernel/money.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { REST_FOR_OURS_MS, restsUntil } from './rules.ts'

export { orderDemoKeys, sellCardsFrom } from './write/cards.ts'
export {
  doWaitingSupply,
  setItemRoute,
  setOffer,
  SUPPLY_PATH,
} from './write/by-operator.ts'
export { setCosts, setOffers, switchOffers, type NewOffer } from './write/offers.ts'

const MEASURED_MS = 86_400_000
const MEASURED_MOST = 500
const NOTICED_EVERY_MS = 60_000

/** Makes the suppliers known that this shop is configured with. */
export async function registerSuppliers(
  ctx: Pick<Ctx, 'now'> & { readonly db: Db | Tx },
  codes: readonly string[],
): Promise<void> {
  if (codes.length === 0) return
  await ctx.db
    .insertInto('supplier')
    .values(codes.map((code) => ({ code, created_at: ctx.now() })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Writes how long purchases take at each supplier, by the latest of a day. */
export async function measureSuppliers(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const since = new Date(ctx.now().getTime() - MEASURED_MS)
  await sql`
    update supplier s set p50_ms = measured.p50 from (
      select code, (select (percentile_cont(0.5) within group (order by took.ms))::integer from (
        select least(greatest(extract(epoch from p.ended_at - p.created_at) * 1000, 0), 100000000) as ms from purchase p
        where p.supplier = supplier.code and p.status = 'done' and p.ended_at > ${since} order by p.ended_at desc limit ${MEASURED_MOST}
      ) as took) as p50 from supplier
    ) as measured where measured.code = s.code and measured.p50 is distinct from s.p50_ms`.execute(
    ctx.db,
  )
}

/** What a supplier holds for the shop, as it has just told; of other currencies nothing is known then. */
export async function noteBalances(
  tx: Tx,
  supplier: string,
  balances: readonly Money[],
  now: Date,
): Promise<void> {
  await tx.deleteFrom('supplier_balance').where('supplier', '=', supplier).execute()
  if (balances.length === 0) return
  await tx
    .insertInto('supplier_balance')
    .values(
      balances.map(({ minor, currency }) => ({
        supplier,
        currency,
        available_minor: minor < 0n ? 0n : minor,
        asked_at: now,
      })),
    )
    .execute()
}

/** What an item costs at a supplier now, as it has just told; of one that is sold at any amount, what its face comes to by an amount's cost. */
export async function noteCost(
  ctx: Ctx,
  item: string,
  supplier: string,
  { cost, face }: { readonly cost: Money; readonly face: Money | null },
): Promise<void> {
  const minor = sql<string>`case when i.face_step_minor is null or ${face?.minor ?? null}::numeric is null then ${cost.minor}::numeric
    else ceil(${cost.minor}::numeric * i.face_minor / ${face?.minor ?? null}::numeric) end`
  await ctx.db
    .updateTable('supplier_offer as o')
    .from('item as i')
    .set({ cost_minor: minor, cost_currency: cost.currency, updated_at: ctx.now() })
    .whereRef('i.id', '=', 'o.item')
    .where('o.item', '=', item)
    .where('o.supplier', '=', supplier)
    // What has not changed is no further row of the history that prices are told from.
    .where(({ or, eb }) =>
      or([eb(minor, '<>', eb.ref('o.cost_minor')), eb('o.cost_currency', '<>', cost.currency)]),
    )
    .execute()
}

/** Counts how a supplier answers. One that fails again and again rests for a while, longer each time. @returns whether it rests from now on */
export async function noteHealth(ctx: Ctx, supplier: string, isHealthy: boolean): Promise<boolean> {
  if (isHealthy) {
    await ctx.db
      .updateTable('supplier')
      .set({ failures: 0, rests_until: null, rests_for: null, rests_code: null })
      .where('code', '=', supplier)
      .where((row) => row.or([row('failures', '>', 0), row('rests_until', 'is not', null)]))
      .execute()
    return false
  }
  const now = ctx.now()
  const { failures } = await ctx.db
    .updateTable('supplier')
    .set({ failures: sql<number>`least(failures + 1, 1000)` })
    .where('code', '=', supplier)
    .returning('failures')
    .executeTakeFirstOrThrow()
  const until = restsUntil(failures, now)
  if (until === null) return false
  await ctx.db
    .updateTable('supplier')
    .set({ rests_until: until, rests_for: 'trouble', rests_code: null })
    .where('code', '=', supplier)
    .where((row) => row.or([row('rests_until', 'is', null), row('rests_until', '<', until)]))
    .execute()
  return true
}

/** A supplier refuses us, not the purchase: it rests, and an operator is told. @returns until when */
export async function restForOurs(ctx: Ctx, supplier: string, code: string): Promise<Date> {
  const until = new Date(ctx.now().getTime() + REST_FOR_OURS_MS)
  await ctx.db
    .updateTable('supplier')
    .set({ rests_until: until, rests_for: 'ours', rests_code: code.slice(0, 100) || 'unsaid' })
    .where('code', '=', supplier)
    .execute()
  return until
}

/** A supplier that rests goes on, whatever its balance was when it was asked last. False where there is none of that name. */
export async function endRest(tx: Tx, supplier: string): Promise<boolean> {
  await tx.deleteFrom('supplier_balance').where('supplier', '=', supplier).execute()
  const resumed = await tx
    .updateTable('supplier')
    .set({ failures: 0, rests_until: null, rests_for: null, rests_code: null })
    .where('code', '=', supplier)
    .executeTakeFirst()
  return resumed.numUpdatedRows > 0n
}

/** Notes that a supplier has just sent a notice of its own; to the minute, as some send many. */
export async function noteNotice(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  supplier: string,
): Promise<void> {
  const at = now()
  await db
    .updateTable('supplier')
    .set({ noticed_at: at })
    .where('code', '=', supplier)
    .where((row) =>
      row.or([
        row('noticed_at', 'is', null),
        row('noticed_at', '<', new Date(at.getTime() - NOTICED_EVERY_MS)),
      ]),
    )
    .execute()
}

/** False where there is no supplier of that name. */
export async function setStatus(tx: Tx, supplier: string, status: 'on' | 'off'): Promise<boolean> {
  const changed = await tx
    .updateTable('supplier')
    .set({ status })
    .where('code', '=', supplier)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/**
 * Puts everything of a demo that is credited to an account at a sandboxed supplier, which knows it by our own codes and sells it a little
 * cheaper than the shop. What an owner has said of an item since stays.
 */
export async function offerDemoGoods(ctx: Ctx, supplier: string): Promise<void> {
  await registerSuppliers(ctx, [supplier])
  await sql`
    insert into supplier_offer (item, supplier, kind, product, cost_minor, cost_currency, fixed, updated_at)
    select i.id, ${supplier}, case when b.kind <> 'recharge' then 'topup' when i.kind = 'data' then 'data' else 'recharge' end, i.code,
      greatest(1, ceil(i.price_minor * 94 / (power(10::numeric, c.minor_units - 2) * rate.per_usd * 100))), 'USD',
      case when b.recharge is null then '{}' else jsonb_build_object('country', upper(b.recharge ->> 'country')) end, ${ctx.now()}
    from item i join product p on p.code = i.product join brand b on b.code = p.brand join currency c on c.code = i.price_currency
    cross join lateral (
      select case when c.code = 'USD' then 1 else (select r.per_usd from currency_rate r where r.currency = c.code order by r.observed_at desc limit 1) end as per_usd
    ) as rate
    where b.delivery = 'direct_charge' and rate.per_usd > 0
    on conflict (item, supplier) do nothing`.execute(ctx.db)
}
