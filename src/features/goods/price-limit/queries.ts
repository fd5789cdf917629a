import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { COUNTED_DAYS, further, NO_REACH, reachOf, type ItemMoves, type Reach } from './rules.ts'

const DAY_MS = 86_400_000

/** What somebody's changes within the days that count have done to items, by item. */
async function readMoves(
  db: Db | Tx,
  actor: string,
  items: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, readonly ItemMoves[]>> {
  const since = new Date(now.getTime() - COUNTED_DAYS * DAY_MS)
  const { rows } = await sql<{ item: string; prices: readonly string[]; moves: readonly number[] }>`
    select i.item_id as item, e.prices, i.moves from price_effect e join price_effect_item i on i.effect_id = e.id
    where e.actor = ${actor} and e.happened_at > ${since} and i.item_id = any(${[...items]}::uuid[])`.execute(
    db,
  )
  const read = rows.map(({ item, prices, moves }) => ({
    item,
    moves: new Map(
      prices.flatMap((price, index) => {
        const moved = moves[index] ?? 0
        return moved === 0 ? [] : [[price, moved] as const]
      }),
    ),
  }))
  return new Map(
    [...Map.groupBy(read, ({ item }) => item)].map(([item, list]) => [
      item,
      list.map(({ moves }) => moves),
    ]),
  )
}

/** How far somebody would have moved prices by a change that moves items so, with what they did within the days that count. */
export async function readReach(
  db: Db | Tx,
  actor: string,
  moved: ReadonlyMap<string, ItemMoves>,
  now: Date,
): Promise<Reach> {
  if (moved.size === 0) return NO_REACH
  const earlier = await readMoves(db, actor, [...moved.keys()], now)
  let reach = NO_REACH
  for (const [item, moves] of moved) reach = further(reach, reachOf(earlier.get(item) ?? [], moves))
  return reach
}
