/** The 21 languages of the shop (specification §1). English is the default and has no path prefix. */
export interface Language {
  /** Code in addresses, cookies and the wire contract. */
  readonly code: LanguageCode
  /** Path prefix: '' for English, otherwise '/de'. */
  readonly prefix: string
  readonly dir: 'ltr' | 'rtl'
  readonly nativeName: string
  /** Value of the `lang` attribute. */
  readonly tag: string
  /** Locale for `Intl`: Latin digits everywhere, so that codes, prices and phone numbers read alike. */
  readonly intl: string
}

export const LANGUAGE_CODES = [
  'ar',
  'de',
  'en',
  'es',
  'fr',
  'hi',
  'id',
  'it',
  'ja',
  'ko',
  'ms',
  'my',
  'nl',
  'pt',
  'ro',
  'ru',
  'th',
  'tl',
  'vi',
  'zh',
  'zh-tw',
] as const
export type LanguageCode = (typeof LANGUAGE_CODES)[number]
export const DEFAULT_LANGUAGE: LanguageCode = 'en'

const NATIVE_NAMES: Record<LanguageCode, string> = {
  ar: 'العربية',
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  hi: 'हिन्दी',
  id: 'Bahasa Indonesia',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  ms: 'Bahasa Melayu',
  my: 'မြန်မာ',
  nl: 'Nederlands',
  pt: 'Português',
  ro: 'Română',
  ru: 'Русский',
  th: 'ไทย',
  tl: 'Filipino',
  vi: 'Tiếng Việt',
  zh: '简体中文',
  'zh-tw': '繁體中文',
}
/** Where the code in addresses is not the BCP 47 tag to announce. */
const TAGS: Partial<Record<LanguageCode, string>> = { zh: 'zh-CN', 'zh-tw': 'zh-TW', tl: 'fil' }

export const LANGUAGES: readonly Language[] = LANGUAGE_CODES.map((code) => {
  const tag = TAGS[code] ?? code
  return {
    code,
    prefix: code === DEFAULT_LANGUAGE ? '' : `/${code}`,
    dir: code === 'ar' ? 'rtl' : 'ltr',
    nativeName: NATIVE_NAMES[code],
    tag,
    intl: `${tag}-u-nu-latn`,
  }
})

const BY_CODE = new Map<string, Language>(LANGUAGES.map((language) => [language.code, language]))

export function findLanguage(code: string): Language | null {
  return BY_CODE.get(code) ?? null
}

export function getLanguage(code: LanguageCode): Language {
  return BY_CODE.get(code) as Language
}

/** The best of our languages for an `Accept-Language` header (RFC 9110 §12.5.4); null when none fits. */
export function negotiateLanguage(header: string): Language | null {
  const wanted = header
    .slice(0, 500)
    .split(',')
    .map((part, index) => {
      const [tag = '', ...params] = part.trim().toLowerCase().split(';')
      const q = Number(
        params
          .find((param) => param.trim().startsWith('q='))
          ?.trim()
          .slice(2) ?? '1',
      )
      return { tag: tag.trim(), q: Number.isFinite(q) ? q : 0, index }
    })
    .filter((entry) => entry.tag !== '' && entry.q > 0)
    .sort((a, b) => b.q - a.q || a.index - b.index)
  for (const { tag } of wanted) {
    const found = languageOfTag(tag)
    if (found) return found
  }
  return null
}

function languageOfTag(tag: string): Language | null {
  const [base = ''] = tag.split('-')
  if (base === 'zh') return getLanguage(/hant|-tw|-hk|-mo/.test(tag) ? 'zh-tw' : 'zh')
  if (base === 'fil') return getLanguage('tl')
  return findLanguage(base)
}
