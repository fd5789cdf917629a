import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'

export interface ItemPrice {
  readonly minor: bigint
  readonly currency: string
  /** Where it stands: what margin rules go by. */
  readonly brand: string
  readonly region: string
}

/** The price of each item as it is set, by code. */
export async function readPrices(
  db: Db | Tx,
  codes: readonly string[],
): Promise<ReadonlyMap<string, ItemPrice>> {
  const { rows } = await sql<{
    code: string
    minor: string
    currency: string
    brand: string
    region: string
  }>`
    select i.code, i.price_minor::text as minor, i.price_currency as currency, p.brand, p.region from item i join product p on p.code = i.product
    where i.code = any(${[...codes]})`.execute(db)
  return new Map(rows.map(({ code, minor, ...row }) => [code, { ...row, minor: BigInt(minor) }]))
}
