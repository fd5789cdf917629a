import { sql, type RawBuilder } from 'kysely'
import { LANGUAGE_CODES, type LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'
import { SUBJECT_OF, type EntryList } from '../rules.ts'

export interface Entry {
  readonly code: string
  /** In the reader's language, or in English. */
  readonly name: string
  /** What it stands under, by name: another category, a game's category, a brand's game, an operator's country. */
  readonly above: string | null
  /** How deep below others it stands. */
  readonly depth: number
  /** Its place, or how much it is asked for. */
  readonly order: number
  /** Null where the catalogue has no such thing. */
  readonly status: 'active' | 'suspended' | null
  readonly products: number
  /** Languages beside English that have its name, made of the English that is. */
  readonly texts: number
}

/** Languages that a name may be translated to. */
export const TEXTS_MOST = LANGUAGE_CODES.length - 1

export interface EntriesAsked {
  readonly list: EntryList
  readonly find: string | null
  readonly status: 'active' | 'suspended' | null
  /** Begins behind an entry, or ends before it. */
  readonly from: { readonly key: string; readonly direction: 'newer' | 'older' } | null
  readonly limit: number
  readonly language: LanguageCode
}

interface Source {
  /** Rows of the list: code, name, above, depth, ord, status, rank. */
  readonly rows: RawBuilder<unknown>
  /** How many products stand under the entry of the row `l`. */
  readonly products: RawBuilder<unknown>
}

const placed = (table: 'region' | 'platform'): RawBuilder<unknown> => sql`
  select code::text, name, null::text as above, 0 as depth, position as ord, null::text as status, lpad(position::text, 10, '0') || code as rank
  from ${sql.table(table)}`

const brandRows = (isOperator: boolean, language: LanguageCode): RawBuilder<unknown> => sql`
  select b.code::text, b.name, ${
    isOperator
      ? sql`coalesce((select text from translation where subject = 'country' and subject_code = b.recharge->>'country' and field = 'name' and language = ${language}),
          (select name from country where code = b.recharge->>'country'))`
      : sql`(select name from game where code = b.game)`
  } as above, 0 as depth, b.popularity as ord, b.status::text, lpad((2147483647 - b.popularity)::text, 10, '0') || b.code as rank
  from brand b where (b.kind = 'recharge') = ${isOperator}`

const SOURCES: Readonly<Record<EntryList, (language: LanguageCode) => Source>> = {
  categories: (language) => ({
    rows: sql`
      select t.code::text, t.name, coalesce(x.text, p.name) as above, t.depth, t.position as ord, t.status::text, t.rank from (
        with recursive tree as (
          select c.*, 0 as depth, lpad(c.position::text, 8, '0') || c.code as rank from category c where parent_id is null
          union all select c.*, tree.depth + 1, tree.rank || '/' || lpad(c.position::text, 8, '0') || c.code from category c join tree on tree.id = c.parent_id)
        select * from tree) t
        left join category p on p.id = t.parent_id
        left join translation x on x.subject = 'category' and x.subject_code = p.code and x.field = 'name' and x.language = ${language}`,
    products: sql`(select count(*) from product p where p.brand in (
      select bc.brand from brand_category bc join category c on c.id = bc.category_id where c.code = l.code
      union select b.code from brand b join game g on g.code = b.game join category c on c.id = g.category_id where c.code = l.code))`,
  }),
  games: (language) => ({
    rows: sql`
      select g.code::text, g.name, coalesce(x.text, c.name) as above, 0 as depth, g.popularity as ord, g.status::text,
        lpad((2147483647 - g.popularity)::text, 10, '0') || g.code as rank
      from game g left join category c on c.id = g.category_id
        left join translation x on x.subject = 'category' and x.subject_code = c.code and x.field = 'name' and x.language = ${language}`,
    products: sql`(select count(*) from product p join brand b on b.code = p.brand where b.game = l.code)`,
  }),
  brands: (language) => ({
    rows: brandRows(false, language),
    products: sql`(select count(*) from product p where p.brand = l.code)`,
  }),
  operators: (language) => ({
    rows: brandRows(true, language),
    products: sql`(select count(*) from product p where p.brand = l.code)`,
  }),
  regions: () => ({
    rows: placed('region'),
    products: sql`(select count(*) from product p where p.region = l.code)`,
  }),
  platforms: () => ({
    rows: placed('platform'),
    products: sql`(select count(*) from product p join brand b on b.code = p.brand left join game g on g.code = b.game
      where l.code = any(b.platforms) or l.code = any(g.platforms))`,
  }),
}

/** A page of a list, in the shop's order: by place, or the most asked for first. */
export async function listEntries(db: Db, asked: EntriesAsked): Promise<readonly Entry[]> {
  const { list, find, status, from, limit, language } = asked
  const source = SOURCES[list](language)
  const subject = SUBJECT_OF[list]
  const like = `%${(find ?? '').replace(/[\\%_]/g, '\\$&')}%`
  const isBack = from?.direction === 'newer'
  const beyond = isBack ? sql`<` : sql`>`
  const { rows } = await sql<Entry>`
    with listed as materialized (${source.rows}), shown as (
      select l.*, coalesce(t.text, l.name) as shown from listed l
        left join translation t on t.subject = ${subject} and t.subject_code = l.code and t.field = 'name' and t.language = ${language}
      where (${find}::text is null or l.code ilike ${like} or l.name ilike ${like} or t.text ilike ${like})
        and (${status}::text is null or l.status = ${status})
        and (${from?.key ?? null}::text is null or l.rank ${beyond} (select rank from listed where code = ${from?.key ?? null}))
      order by l.rank ${isBack ? sql`desc` : sql``} limit ${limit})
    select l.code, l.shown as name, l.above, l.depth, l.ord as order, l.status, ${source.products}::integer as products,
      (select count(*) from translation t where t.subject = ${subject} and t.subject_code = l.code and t.field = 'name' and t.language <> 'en'
        and t.english_hash = left(encode(sha256(convert_to(l.name, 'UTF8')), 'hex'), 16))::integer as texts
    from shown l order by l.rank`.execute(db)
  return rows
}
