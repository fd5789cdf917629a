import { sql, type RawBuilder } from 'kysely'

const WORDS_MAX = 8

/** The words of what is looked for; what stands between the parts of a code parts words as well. */
export function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX)
}

/**
 * Every word begins a word of the item's name or code, or all of them stand in the name of its brand. Both are found by an index: the item's words
 * by theirs, and of the few brands and their products by the item's product.
 */
export function matchesWords(text: string): RawBuilder<unknown> {
  const words = wordsOf(text)
  if (words.length === 0) return sql`false`
  const query = words.map((word) => `'${word}':*`).join(' & ')
  const names = words.map(
    (word) =>
      sql`(x.name || ' ' || y.code || ' ' || array_to_string(x.aliases, ' ')) ilike ${`%${word}%`}`,
  )
  return sql`(to_tsvector('simple', translate(i.code, ':_.-', '    ') || ' ' || i.name) @@ ${query}::tsquery
    or i.product = any(array(select y.code from brand x join product y on y.brand = x.code where ${sql.join(names, sql` and `)})))`
}
