import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_LANGUAGE, LANGUAGE_CODES, type LanguageCode } from '#kernel/language.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import type { Article, Content } from '../rules.ts'

/** Paragraphs of the texts that the demo ships as samples, by code and language. */
export type SampleTexts = ReadonlyMap<string, ReadonlyMap<LanguageCode, ReadonlySet<string>>>

/** Of a shop whose texts are nobody's business but its own, as the demo's are. */
export const NO_SAMPLES: SampleTexts = new Map()

const PAGES = 'articles/pages.json'
const PARAGRAPH = /^sections\.\d+\.paragraphs\.\d+$/

/** The samples as they lie in the demo's catalogue, of these codes. */
export async function readSampleTexts(codes: readonly string[]): Promise<SampleTexts> {
  const articles = await readSampleArticles(codes)
  const samples = new Map(
    codes.map((code) => {
      const sections = articles.find((article) => article.code === code)?.sections ?? []
      const english = new Set(sections.flatMap(({ paragraphs }) => paragraphs.map(withoutAddress)))
      return [code, new Map<LanguageCode, ReadonlySet<string>>([[DEFAULT_LANGUAGE, english]])]
    }),
  )
  for (const language of LANGUAGE_CODES) {
    if (language === DEFAULT_LANGUAGE) continue
    const { article } = await readShipped<{
      article: Readonly<Record<string, Readonly<Record<string, string>>>>
    }>(`translations/${language}.json`)
    for (const [code, texts] of samples) {
      const fields = Object.entries(article[`page/${code}`] ?? {})
      texts.set(
        language,
        new Set(
          fields.filter(([field]) => PARAGRAPH.test(field)).map(([, text]) => withoutAddress(text)),
        ),
      )
    }
  }
  return samples
}

/** The samples themselves, in English. */
export async function readSampleArticles(
  codes: readonly string[],
): Promise<readonly Pick<Article, 'code' | 'title' | 'sections'>[]> {
  const { articles } = await readShipped<{
    articles: readonly Pick<Article, 'code' | 'title' | 'sections'>[]
  }>(PAGES)
  return articles.filter(({ code }) => codes.includes(code))
}

async function readShipped<Data>(path: string): Promise<Data> {
  return JSON.parse(await readFile(join(PROJECT_ROOT, 'catalogue', path), 'utf8')) as Data
}

/** The languages in which a page of the shop is word for word the sample. */
export function sampleLanguages(
  contents: ReadonlyMap<LanguageCode, Content>,
  code: string,
  samples: SampleTexts,
): readonly LanguageCode[] {
  const texts = samples.get(code)
  const pageIn = (language: LanguageCode) => contents.get(language)?.pageByCode.get(code)
  const english = pageIn(DEFAULT_LANGUAGE)
  if (!texts || !english) return []
  return LANGUAGE_CODES.filter((language) => {
    const page = pageIn(language)
    // One that is not translated is the English one.
    if (page?.language !== language) return false
    const own = language === DEFAULT_LANGUAGE ? new Set<string>() : new Set(paragraphsOf(english))
    const said = paragraphsOf(page).filter((paragraph) => !own.has(paragraph))
    return said.length > 0 && said.every((paragraph) => texts.get(language)?.has(paragraph))
  })
}

const paragraphsOf = ({ sections }: Article) =>
  sections.flatMap(({ paragraphs }) => paragraphs.map(withoutAddress))

const ADDRESS = /[\w.+-]+@\{store_domain\}|\{support_email\}/g

/** Samples of earlier releases write to an address at the shop's domain, and are samples all the same. */
function withoutAddress(paragraph: string): string {
  return paragraph.replaceAll(ADDRESS, '@')
}
