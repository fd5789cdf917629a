import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { setCardSource } from '#features/goods/stock/commands.ts'
import type { CardSource } from '#features/goods/stock/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { fieldError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'

/**
 * Says where an item's cards come from: the shop's own keys, a supplier once they are paid, or a supplier once the own ones are gone. What
 * is being paid already stays as it was chosen. Throws 'check_fields' for an item that is no card.
 */
export async function sellCardsFrom(
  ctx: OperatorCtx,
  itemCode: string,
  source: CardSource,
): Promise<void> {
  requirePermission(ctx, 'price.change')
  const item = await ctx.db
    .selectFrom('item as i')
    .innerJoin('product as p', 'p.code', 'i.product')
    .innerJoin('brand as b', 'b.code', 'p.brand')
    .leftJoin('card_source as c', 'c.item', 'i.id')
    .select(['i.id', 'c.source'])
    .where('i.code', '=', itemCode)
    .where('b.delivery', '=', 'card_key')
    .executeTakeFirst()
  if (!item) throw fieldError('item', 'not_sold')
  await transaction(ctx, async (tx, now) => {
    await setCardSource({ ...ctx, db: tx }, [item.id], source)
    await recordAudit(tx, ctx, now, [
      {
        action: 'card_source_set',
        subject: 'item',
        subjectCode: itemCode,
        before: { source: item.source ?? 'both' },
        after: { source },
      },
    ])
  })
}

/** The demo's brand whose keys are bought at the sandbox when somebody has paid for them; all others are the shop's own. */
const DEMO_BRAND_TO_ORDER = 'key-black-myth-wukong'

/**
 * Sells the game keys of one brand of a demo to order, at a sandboxed supplier that knows them by our own codes, so that a visitor sees such a sale.
 * What an owner has said of an item since stays.
 */
export async function orderDemoKeys(ctx: Ctx, supplier: string): Promise<void> {
  const { rows } = await sql<{ item: string }>`
    insert into supplier_offer (item, supplier, kind, product, cost_minor, cost_currency, updated_at)
    select i.id, ${supplier}, 'key', i.code, greatest(1, ceil(i.price_minor * 94 / (power(10::numeric, c.minor_units - 2) * rate.per_usd * 100))), 'USD', ${ctx.now()}
    from item i join product p on p.code = i.product join currency c on c.code = i.price_currency
    cross join lateral (
      select case when c.code = 'USD' then 1 else (select r.per_usd from currency_rate r where r.currency = c.code order by r.observed_at desc limit 1) end as per_usd
    ) as rate
    where p.brand = ${DEMO_BRAND_TO_ORDER} and i.stock is distinct from 0 and rate.per_usd > 0 on conflict (item, supplier) do nothing returning item`.execute(
    ctx.db,
  )
  await setCardSource(
    ctx,
    rows.map(({ item }) => item),
    'order',
  )
}
