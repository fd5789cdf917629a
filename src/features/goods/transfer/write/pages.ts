import type { Tx } from '#platform/ctx.ts'

/** A page of the shop in the shop's first language, which is English as far as the catalogue knows. */
export interface PageWrite {
  readonly code: string
  readonly title: string
  readonly sections: readonly {
    readonly heading?: string
    readonly paragraphs: readonly string[]
  }[]
}

/** Whose pages are that operators write: an import leaves them alone until it names them. */
const SOURCE = 'catalogue:console'
const PAGE_SUBJECT = 'article'

/** Writes a page whole. What it was translated from is gone: so are its translations. */
export async function writePage(
  tx: Tx,
  now: Date,
  { code, title, sections }: PageWrite,
): Promise<void> {
  const content = { title, sections: JSON.stringify(sections), source: SOURCE, published_at: now }
  await tx
    .insertInto('article')
    .values({ kind: 'page', code, position: 0, ...content })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'code']).doUpdateSet({ ...content, status: 'active' }),
    )
    .execute()
  await tx
    .deleteFrom('translation')
    .where('subject', '=', PAGE_SUBJECT)
    .where('subject_code', '=', `page/${code}`)
    .execute()
}
