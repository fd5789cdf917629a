import { listTexts } from '#features/office/text/queries.ts'
import { areasOfTexts } from '#features/office/text/engine/texts.ts'
import { getLanguage, LANGUAGE_CODES, LANGUAGES, type LanguageCode } from '#kernel/language.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { actorName } from '../kit/actor-name.ts'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface TextData {
  readonly key: string
  readonly original: string
  readonly english: string
  readonly own: { readonly text: string; readonly by: string; readonly at: string } | null
  readonly isOriginalChanged: boolean
  readonly version: string
}

export interface TextsData {
  readonly language: LanguageCode
  /** As HTML names it, and which way it runs. */
  readonly tag: string
  readonly dir: 'ltr' | 'rtl'
  readonly languages: readonly { readonly code: LanguageCode; readonly name: string }[]
  readonly areas: readonly string[]
  readonly query: string
  readonly area: string
  readonly isOwnOnly: boolean
  readonly texts: readonly TextData[]
  /** Query of the next page; null at the end. */
  readonly next: string | null
}

const LISTED = 50

export async function load(context: ConsoleContext): Promise<Loaded<TextsData>> {
  const { ctx, t, query, timeZone } = context
  const asked = query.get('language') ?? context.language.code
  const code = LANGUAGE_CODES.find((known) => known === asked) ?? context.language.code
  const areas = areasOfTexts()
  const area = areas.find((known) => known === query.get('area')) ?? ''
  const words = query.get('q')?.trim().slice(0, 200) ?? ''
  const isOwnOnly = query.has('own')
  const filter = { language: code, query: words, area: area || null, isOwnOnly }
  const { texts, next } = await listTexts(ctx.db, filter, query.get('after'), LISTED)
  const { tag, dir } = getLanguage(code)
  const following = new URLSearchParams(query)
  if (next !== null) following.set('after', next)
  return {
    title: t('console.texts.nav'),
    data: {
      language: code,
      tag,
      dir,
      languages: LANGUAGES.map((each) => ({ code: each.code, name: each.nativeName })),
      areas,
      query: words,
      area,
      isOwnOnly,
      texts: texts.map(({ own, ...text }) => ({
        ...text,
        own: own && {
          text: own.text,
          by: actorName(own.madeBy),
          at: formatShortMoment(context.language.code, own.madeAt, timeZone),
        },
      })),
      next: next === null ? null : `?${following.toString()}`,
    },
  }
}
