import { textIn, type Texts } from '#features/goods/catalogue/rules.ts'
import type { Language } from '#kernel/language.ts'

/** A step of the way from the home page. */
export interface Crumb {
  readonly text: string
  /** Left out for the page itself. */
  readonly path?: string
  /** Language of the text where it is not the page's. */
  readonly lang?: string
}

/** A step whose name is in English where nobody has written it in the page's language. */
export function stepTo(name: Texts, { code }: Pick<Language, 'code'>): Crumb {
  return { text: textIn(name, code), ...(name[code] === undefined ? { lang: 'en' } : {}) }
}

export function categoryCrumb(
  { name, path }: { readonly name: Texts; readonly path: string },
  language: Pick<Language, 'code'>,
): Crumb {
  return { ...stepTo(name, language), path }
}
