import { LANGUAGE_CODES, DEFAULT_LANGUAGE, type LanguageCode } from '#kernel/language.ts'
import type { FieldReason } from '#kernel/error.ts'
import type { CatalogueFolder } from './folder/catalogue.ts'
import { englishPhrases } from './folder/english.ts'
import type { Fault } from './folder/faults.ts'
import type { Row, TableName } from './rows/tables.ts'

export { formatFault } from './folder/faults.ts'

export interface TableCounts {
  readonly created: number
  readonly updated: number
  readonly suspended: number
  readonly resumed: number
}

export interface WordCounts {
  /** Phrases of the catalogue without a translation; they are shown in English. */
  readonly missingPhrases: number
  /** Texts made from an English that has changed since. */
  readonly stale: number
}

export interface ImportReport {
  /** Nothing was changed when there is one. */
  readonly faults: readonly Fault[]
  readonly source: string
  /** Tables in which something changed. */
  readonly changes: ReadonlyMap<TableName, TableCounts>
  readonly renamed: number
  readonly changeCount: number
  readonly words: ReadonlyMap<LanguageCode, WordCounts>
  /** A name for all that would be written, where somebody looks at it before. */
  readonly hash?: string
}

/** A catalogue as it goes out, file by file. */
export interface CatalogueFiles {
  readonly items: number
  readonly count: number
  readonly files: Iterable<{ readonly path: string; readonly text: string }>
}

export function refusedReport(faults: readonly Fault[], source: string): ImportReport {
  return { faults, source, changes: new Map(), renamed: 0, changeCount: 0, words: new Map() }
}

/** How complete each language is. @param translations the folder's rows, see `translationRows` */
export function countWords(
  folder: CatalogueFolder,
  translations: readonly Row[],
): ReadonlyMap<LanguageCode, WordCounts> {
  const phrases = [...englishPhrases(folder)]
  const stale = Map.groupBy(
    translations.filter(
      (row) => row['english_hash'] !== null && row['english_hash'] !== row['english_now'],
    ),
    (row) => row['language'],
  )
  const languages = LANGUAGE_CODES.filter((code) => code !== DEFAULT_LANGUAGE)
  return new Map(
    languages.map((language) => {
      const known = folder.phrases.get(language) ?? {}
      const missingPhrases = phrases.filter((phrase) => !Object.hasOwn(known, phrase)).length
      return [language, { missingPhrases, stale: stale.get(language)?.length ?? 0 }]
    }),
  )
}

/**
 * New goods as a folder says them: a brand with its products and their items. Of a brand that the shop has, its code and the products that are
 * new in it; of a product that the shop has, its code and the items that are new in it.
 */
export type Addition = Readonly<Record<string, unknown>>

/** What an import would refuse of it. */
export interface AdditionFault {
  /** Which of the additions. */
  readonly at: number
  /** Place in it as it was given: `products[0].items[2].price`. */
  readonly path: string
  readonly reason: FieldReason
  /** In plain English, as an import says it. */
  readonly why: string
}
