import { sql } from 'kysely'
import type { Ctx } from '#platform/ctx.ts'
import type { Journal } from './journal.ts'

/**
 * Everything that is wrong: promises the database finds broken, and what the journal knows better. Empty when nothing is.
 */
export async function findFaults(ctx: Ctx, journal: Journal): Promise<string[]> {
  return [
    ...(await brokenPromises(ctx)),
    ...(await forgotten(ctx, journal)),
    ...shownTwice(journal),
    ...(await unbalanced(ctx)),
  ]
}

export async function brokenPromises(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.selectFrom('invariant_violation').selectAll().execute()
  return rows.map(({ invariant, subject }) => `${invariant}: ${subject}`)
}

async function forgotten(ctx: Ctx, journal: Journal): Promise<string[]> {
  const statuses = new Map(
    (await ctx.db.selectFrom('shop_order').select(['public_id', 'status']).execute()).map((row) => [
      row.public_id,
      row.status,
    ]),
  )
  const missing = journal
    .of('order')
    .filter(({ order }) => !statuses.has(order))
    .map(({ order }) => `an acknowledged order is gone: ${order}`)
  const unpaid = journal
    .of('paid')
    .filter(({ order }) => !['completed', 'refunded'].includes(statuses.get(order) ?? ''))
    .map(({ order }) => `a paid order is ${statuses.get(order)}: ${order}`)
  const isTakenBack = new Set(journal.of('taken_back').map(({ order }) => order))
  const taken = journal
    .of('completed')
    .filter(({ order }) => statuses.get(order) !== 'completed' && !isTakenBack.has(order))
    .map(({ order }) => `a completed order is ${statuses.get(order)}: ${order}`)
  const shown = new Set(
    (
      await ctx.db
        .selectFrom('order_unit as u')
        .innerJoin('card_key as k', 'k.unit_id', 'u.id')
        .select('u.public_id')
        .where('k.status', '=', 'delivered')
        .execute()
    ).map((row) => row.public_id),
  )
  const lost = journal
    .of('revealed')
    .filter(({ unit }) => !shown.has(unit))
    .map(({ unit }) => `a revealed key is no longer its unit's: ${unit}`)
  return [...missing, ...unpaid, ...taken, ...lost]
}

/** The same key before the eyes of two: the database may have forgotten that it was the first one's. */
function shownTwice(journal: Journal): string[] {
  const units = new Map<string, Set<string>>()
  for (const { hash, unit } of journal.of('revealed'))
    units.set(hash, (units.get(hash) ?? new Set()).add(unit))
  return [...units]
    .filter(([, of]) => of.size > 1)
    .map(([, of]) => `one key was shown for ${[...of].join(' and ')}`)
}

/** What the books say is owed for paid goods is what the orders still wait for, and nobody's money is held below nothing. */
export async function unbalanced(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ currency: string; booked: string; owed: string; held: string }>`
    with side as (
      select a.code, t.currency, t.amount_minor as amount from ledger_transfer t join ledger_account a on a.id = t.credit
      union all select a.code, t.currency, -t.amount_minor from ledger_transfer t join ledger_account a on a.id = t.debit
    ), balance as (
      select currency, coalesce(sum(amount) filter (where code = 'orders'), 0) as booked, coalesce(sum(amount) filter (where code = 'held'), 0) as held from side group by currency
    ), owing as (
      select o.currency, sum(u.price_minor) as owed from shop_order o join order_unit u on u.order_id = o.id
      where o.settled_at is not null and u.delivered_at is null and u.status <> 'refunded' group by o.currency
    )
    select currency, booked::text, coalesce(owed, 0)::text as owed, held::text from balance left join owing using (currency)
    where booked <> coalesce(owed, 0) or held < 0`.execute(ctx.db)
  return rows.map(
    ({ currency, booked, owed, held }) =>
      `the books owe ${booked} ${currency} for goods, the orders wait for ${owed}; ${held} is held`,
  )
}
