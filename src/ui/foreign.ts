/**
 * Attributes of a text that may be in English on a page of another language. A text of the page's own language runs as the page does:
 * isolated by itself (`bdi`), it would run as its first word, which in Arabic is often a Latin name.
 */
export function foreign(lang: string | undefined): {
  readonly lang?: string
  readonly dir?: 'ltr'
} {
  return lang === undefined ? {} : { lang, dir: 'ltr' }
}
