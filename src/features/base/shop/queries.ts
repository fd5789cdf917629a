import { sql } from 'kysely'
import { readSetting } from '#features/base/setting/queries.ts'
import { present } from '#kernel/assert.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { ShopSettings } from './rules.ts'
import { shopSetting } from './schema.ts'

export function readShopSettings(db: Db): Promise<ShopSettings> {
  return readSetting(db, shopSetting)
}

/** What limits are written in, and sums over several currencies are told in. */
export interface ShopCurrency {
  readonly code: string
  readonly places: number
  /** Minor units of it for one US dollar, by the rate of today: so many for so many dollars. */
  readonly perDollar: { readonly minor: bigint; readonly dollars: bigint }
}

const DOLLARS = 1_000_000_000_000n

export async function readShopCurrency(db: Db | Tx): Promise<ShopCurrency> {
  const { rows } = await sql<{ code: string; places: number; minor: string }>`
    select shop.code, coalesce((select minor_units from currency where currency.code = shop.code), 2) as places,
      round(minor_per_dollar(shop.code) * ${DOLLARS.toString()}::numeric)::text as minor
    from (select shop_currency() as code) shop`.execute(db)
  const { code, places, minor } = present(rows[0], "the shop's currency")
  return { code, places, perDollar: { minor: BigInt(minor), dollars: DOLLARS } }
}

/** Whether amounts of a currency can be told in another. */
export async function hasRate(db: Db | Tx, code: string): Promise<boolean> {
  const { rows } = await sql<{
    known: boolean
  }>`select minor_per_dollar(${code}) is not null as known`.execute(db)
  return rows[0]?.known === true
}
