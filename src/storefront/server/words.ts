import type { LanguageCode } from '#kernel/language.ts'
import type { MessageArea } from '#platform/i18n/keys.ts'
import { compiledMessages, textsRevision } from '#platform/i18n/messages.ts'
import type { Liveliness } from '../islands.ts'
import { jsonForHtml } from '#platform/http/json-for-html.ts'

/** The frame's own islands: search, the account's menu, messages. */
const FRAME: readonly MessageArea[] = ['shell']
/** What any component may use, in a page that comes alive whole. */
const SHARED: readonly MessageArea[] = ['shell', 'goods', 'title']
/** The islands of a page's own; the first area is theirs. */
const ISLANDS: readonly MessageArea[] = ['shell', 'goods']

const kept = new Map<string, string>()
/** Of the texts that those were made of. */
let keptOf = textsRevision()

/** The texts that a page's living parts use, compiled, as JSON for its HTML. Made once for each kind of page and language, until texts are others. */
export function wordsJson(
  language: LanguageCode,
  page: string,
  liveliness: Liveliness,
  areas: readonly string[],
): string {
  const wanted =
    liveliness === 'still'
      ? FRAME
      : liveliness === 'islands'
        ? [...ISLANDS, page]
        : [...SHARED, ...areas]
  if (keptOf !== textsRevision()) {
    kept.clear()
    keptOf = textsRevision()
  }
  const key = `${language} ${wanted.join(' ')}`
  let json = kept.get(key)
  if (json === undefined) {
    json = jsonForHtml(wordsOf(language, new Set(wanted)))
    kept.set(key, json)
  }
  return json
}

/** English stands in for a text that a language lacks, as on the server. */
function wordsOf(language: LanguageCode, areas: ReadonlySet<string>): Record<string, unknown> {
  const all = { ...compiledMessages('en'), ...compiledMessages(language) }
  return Object.fromEntries(
    Object.entries(all).filter(([key]) => areas.has(key.slice(0, key.indexOf('.')))),
  )
}
