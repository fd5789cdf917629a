import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { trimDecimal } from './folder/amounts.ts'
import { readStoredCover } from '#features/goods/picture/cover/stored.ts'
import type { StoredCover, StoredCovers } from './folder/covers.ts'
import type { Known } from './folder/known.ts'
import type { AdditionTerms } from './engine/goods-add.ts'
import { readAdditionRows } from './read/addition.ts'
import type { Addition } from './rules.ts'
import { TABLES, type Row, type TableName } from './rows/tables.ts'

export { coverKindOf } from './folder/covers.ts'
export { englishHash } from './folder/english.ts'
export type { TranslationChange } from './rows/diff-translations.ts'
export {
  readGoodsRows,
  readKnownGoods,
  type GoodsRows,
  type KnownGoods,
} from './read/goods-rows.ts'

export type StoredRows = Readonly<Record<TableName, readonly Row[]>>

/** Every row an import compares with or an export writes. Level prices carry their item's code. */
export async function readStoredRows(tx: Tx): Promise<StoredRows> {
  const rows: Partial<Record<TableName, readonly Row[]>> = {}
  for (const { name } of TABLES) rows[name] = await readTable(tx, name)
  rows.currency_rate = (rows.currency_rate ?? []).map((row) => ({
    ...row,
    per_usd: trimDecimal(String(row['per_usd']), 'zeros'),
  }))
  rows.brand_category = await readTable(tx, 'brand_category')
  const levels = await sql<Row>`select i.code as item, l.level, l.price_minor, l.price_currency
    from item_level_price l join item i on i.id = l.item`.execute(tx)
  rows.item_level_price = levels.rows
  rows.translation = await readTable(tx, 'translation')
  return rows as StoredRows
}

async function readTable(tx: Tx, name: TableName): Promise<readonly Row[]> {
  // What was chosen from sources of exchange rates is no folder's.
  const which = name === 'currency_rate' ? sql`where published_at is null` : sql``
  const { rows } = await sql<Row>`select * from ${sql.table(name)} ${which}`.execute(tx)
  return rows
}

/** What a folder may refer to without saying it again. */
export function knownOf(rows: StoredRows): Known {
  const codes = (name: TableName) => new Set(rows[name].map((row) => String(row['code'])))
  return {
    currencies: new Map(
      rows.currency.map((row) => [String(row['code']), Number(row['minor_units'])]),
    ),
    countries: codes('country'),
    regions: codes('region'),
    platforms: codes('platform'),
    categories: codes('category'),
    units: new Map(rows.unit.map((row) => [String(row['key']), String(row['name'])])),
    games: codes('game'),
    brands: codes('brand'),
  }
}

/** The covers of the shop's brands and games. */
export function storedCovers(rows: StoredRows): StoredCovers {
  const pictures = new Map(
    rows.picture
      .filter((row) => row['kind'] === 'cover')
      .map((row) => [
        row['code'],
        readStoredCover({ recipe: row['recipe'], design: row['design'], short: row['short'] }),
      ]),
  )
  const coverOf = (row: Row): StoredCover => ({
    code: String(row['code']),
    kind: String(row['kind'] ?? ''),
    popularity: Number(row['popularity']),
    game: row['game'] === null || row['game'] === undefined ? null : String(row['game']),
    recipe: pictures.get(row['picture']) ?? null,
  })
  return { brands: rows.brand.map(coverOf), games: rows.game.map(coverOf) }
}

/** What new goods are worked out from. @param isToWrite the brands they come into stay as they are until the transaction ends */
export async function readAdditionTerms(
  db: Db | Tx,
  additions: readonly Addition[],
  isToWrite: boolean,
): Promise<AdditionTerms> {
  const { covers, ...terms } = await readAdditionRows(db, additions, isToWrite)
  const brands = covers.map((row): StoredCover => {
    const { recipe, design, short } = row
    return {
      code: String(row['code']),
      kind: String(row['kind']),
      popularity: Number(row['popularity']),
      game: typeof row['game'] === 'string' ? row['game'] : null,
      recipe: recipe === null ? null : readStoredCover({ recipe, design, short }),
    }
  })
  return { ...terms, covers: { brands, games: [] } }
}
