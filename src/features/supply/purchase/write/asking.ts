import { sql } from 'kysely'
import { transaction, type Ctx } from '#platform/ctx.ts'
import type {
  SupplyCapabilities,
  SupplyNotice,
  SupplyProvider,
} from '#providers/supply/provider.ts'
import { lockPurchase } from '../queries.ts'
import { ASK_AFTER_SECONDS, LEASE_SECONDS } from '../rules.ts'
import { openCase } from './ending.ts'

/** How long asking is put off that could buy for an order that is held. */
const HELD_MS = 10 * 60_000

/** Attempts of a supplier that are to be asked about, longest due first; nobody else gets them until it has had time to answer. What is asked before its turn, at a notice say, leaves the plan as it was. */
export async function takeDueAsks(
  ctx: Ctx,
  supplier: string,
  { answersWithinSeconds }: Pick<SupplyCapabilities, 'answersWithinSeconds'>,
  limit: number,
): Promise<string[]> {
  const now = ctx.now()
  const until = new Date(now.getTime() + (answersWithinSeconds + LEASE_SECONDS) * 1_000)
  const { rows } = await sql<{ id: string }>`
    with due as materialized (
      select id from purchase where supplier = ${supplier} and next_ask_at <= ${now} order by next_ask_at limit ${limit} for no key update skip locked
    )
    update purchase p set next_ask_at = ${until}, asked = p.asked + case when p.ended_at is null and p.created_at + (${[...ASK_AFTER_SECONDS]}::integer[])[p.asked + 1] * interval '1 second' <= ${now} then 1 else 0 end from due where p.id = due.id returning p.id`.execute(
    ctx.db,
  )
  return rows.map(({ id }) => id)
}

/** Asking was not possible now, and does not count. */
export async function putOffAsk(ctx: Ctx, id: string): Promise<void> {
  await ctx.db
    .updateTable('purchase')
    .set({
      asked: sql<number>`greatest(asked - 1, 0)`,
      next_ask_at: new Date(ctx.now().getTime() + HELD_MS),
    })
    .where('id', '=', id)
    .where('next_ask_at', 'is not', null)
    .execute()
}

/**
 * A supplier says that something has happened to a purchase: nothing of it is believed, it is asked soon. Where asking could buy, what is
 * over or a person's matter is left alone, but for a case where what was done is said to have failed; and while the call itself is out, its own answer is on its way.
 */
export async function followNotice(
  ctx: Ctx,
  { code, capabilities }: Pick<SupplyProvider, 'code' | 'capabilities'>,
  notice: Pick<SupplyNotice, 'reference' | 'supplierId' | 'says'>,
): Promise<void> {
  const mayBuy = capabilities.idempotency === 'same_reference_asks_again'
  if (mayBuy && notice.says === 'failed') await openSaid(ctx, code, notice.reference)
  await sql`
    update purchase set next_ask_at = ${ctx.now()}, asked = case when ended_at is null then asked else 0 end
    where supplier = ${code} and (reference = ${notice.reference} or (${notice.reference}::text is null and supplier_id = ${notice.supplierId}))
      and (next_ask_at is null or next_ask_at > ${ctx.now()}) and status not in ('prepared', 'late', 'reversed') and ((ended_at is null and status <> 'doubt') or not ${mayBuy})`.execute(
    ctx.db,
  )
}

/** What was done and is said to have failed is a person's: they look into the supplier's report. */
async function openSaid(ctx: Ctx, supplier: string, reference: string | null): Promise<void> {
  const done = await ctx.db
    .selectFrom('purchase')
    .select('id')
    .where('supplier', '=', supplier)
    .where('reference', '=', reference)
    .where('status', '=', 'done')
    .executeTakeFirst()
  if (!done) return
  await transaction(ctx, async (tx) =>
    openCase(tx, ctx, await lockPurchase(tx, done.id), 'reversed'),
  )
}

/** It is over, and what its supplier says of it could not be heard: it is asked again then. */
export async function askAgain(ctx: Ctx, id: string, at: Date): Promise<void> {
  await ctx.db
    .updateTable('purchase')
    .set({ next_ask_at: at, asked: sql<number>`asked + 1` })
    .where('id', '=', id)
    .where('ended_at', 'is not', null)
    .execute()
}

/** It is over, and nothing is to be asked of it. */
export async function askNoMore(ctx: Ctx, id: string): Promise<void> {
  await ctx.db
    .updateTable('purchase')
    .set({ next_ask_at: null })
    .where('id', '=', id)
    .where('ended_at', 'is not', null)
    .execute()
}
