import { sql } from 'kysely'
import { brandNameIn, itemNameIn, regionNameIn } from '#features/goods/region/queries.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'

/** What goods and regions are called in a language, by `subject code`. */
export async function namesOfGoods(
  db: Db,
  named: readonly { readonly subject: string; readonly code: string }[],
  language: LanguageCode,
): Promise<ReadonlyMap<string, string>> {
  if (named.length === 0) return new Map()
  const codes = (subject: string) =>
    named.filter((one) => one.subject === subject).map(({ code }) => code)
  const { rows } = await sql<{ key: string; name: string }>`
    select 'brand ' || b.code as key, ${brandNameIn(language)} as name from brand b where b.code = any(${codes('brand')})
    union all select 'product ' || p.code, ${brandNameIn(language)} || ', ' || ${regionNameIn(language)}
      from product p join brand b on b.code = p.brand join region r on r.code = p.region where p.code = any(${codes('product')})
    union all select 'item ' || i.code, ${brandNameIn(language)} || ', ' || ${itemNameIn(language)}
      from item i join product p on p.code = i.product join brand b on b.code = p.brand where i.code = any(${codes('item')})
    union all select l.of || ' ' || l.code, coalesce(t.text, l.name) from (
      select 'category' as of, code, name from category where code = any(${codes('category')})
      union all select 'game', code, name from game where code = any(${codes('game')})
      union all select 'region', code, name from region where code = any(${codes('region')})
      union all select 'platform', code, name from platform where code = any(${codes('platform')})
    ) l left join translation t on t.subject = l.of and t.subject_code = l.code and t.field = 'name' and t.language = ${language}`.execute(
    db,
  )
  return new Map(rows.map(({ key, name }) => [key, name]))
}
