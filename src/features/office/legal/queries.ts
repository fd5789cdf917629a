import { createHash } from 'node:crypto'
import {
  readSampleArticles,
  readSampleTexts,
  sampleLanguages,
  type SampleTexts,
} from '#features/goods/content/engine/sample-texts.ts'
import { loadContents } from '#features/goods/content/queries.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { LEGAL_CODES, writtenText, type LegalCode, type LegalSection } from './rules.ts'

export interface LegalText {
  readonly code: LegalCode
  readonly title: string
  readonly text: string
  readonly version: string
  /** It is the sample that the program brings along, word for word. */
  readonly isSample: boolean
}

/** They come with the release: read once. */
let shipped: Promise<SampleTexts> | null = null
let samplePages: Promise<ReadonlyMap<string, SamplePage>> | null = null

export interface SamplePage {
  readonly title: string
  readonly text: string
}

/** The samples as they may be begun from, in English. */
export function readSamplePages(): Promise<ReadonlyMap<string, SamplePage>> {
  samplePages ??= readSampleArticles(LEGAL_CODES).then(
    (articles) =>
      new Map(
        articles.map(({ code, title, sections }) => [code, { title, text: writtenText(sections) }]),
      ),
  )
  return samplePages
}

/** The four texts as they stand; one that is not there is empty. */
export async function listLegalTexts(db: Db): Promise<readonly LegalText[]> {
  const [samples, rows, contents] = await Promise.all([
    (shipped ??= readSampleTexts(LEGAL_CODES)),
    db
      .selectFrom('article')
      .select(['code', 'title', 'sections'])
      .where('kind', '=', 'page')
      .where('status', '=', 'active')
      .where('code', 'in', LEGAL_CODES)
      .execute(),
    loadContents(db),
  ])
  return LEGAL_CODES.map((code) => {
    const row = rows.find((each) => each.code === code)
    return {
      code,
      title: row?.title ?? '',
      text: row ? writtenText(row.sections as LegalSection[]) : '',
      version: versionOf(row ?? null),
      isSample: sampleLanguages(contents, code, samples).length > 0,
    }
  })
}

export async function findLegalRow(
  tx: Tx,
  code: LegalCode,
): Promise<{ readonly title: string; readonly sections: unknown } | null> {
  const row = await tx
    .selectFrom('article')
    .select(['title', 'sections'])
    .where('kind', '=', 'page')
    .where('code', '=', code)
    .where('status', '=', 'active')
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** What a text is known by when somebody changes it: another one has another. Empty where there is none yet. */
export function versionOf(
  page: { readonly title: string; readonly sections: unknown } | null,
): string {
  if (!page) return ''
  return createHash('sha256')
    .update(JSON.stringify([page.title, page.sections]))
    .digest('base64url')
    .slice(0, 22)
}
