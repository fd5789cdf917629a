import { sql } from 'kysely'
import type { Ctx } from '#platform/ctx.ts'

/** Keeps what suppliers call the accounts of an order's lines; what is kept of a line stays until its account is another. */
export async function keepPlayers(
  ctx: Pick<Ctx, 'db'>,
  order: string,
  names: ReadonlyMap<number, string>,
): Promise<void> {
  if (names.size === 0) return
  await sql`
    insert into line_player (line_id, name) select l.id, known.name
    from shop_order o join order_line l on l.order_id = o.id join unnest(${[...names.keys()]}::smallint[], ${[...names.values()]}::text[]) as known (position, name) on known.position = l.position
    where o.public_id = ${order} and l.account_fields <> '{}' on conflict do nothing`.execute(
    ctx.db,
  )
}
