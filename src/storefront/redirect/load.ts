import type { PageContext, PageMeta } from '../page.ts'

export interface PassageData {
  readonly title: string
  readonly text: string
  readonly link: { readonly text: string; readonly path: string }
}

/** `/redirect?url=` follows nothing: no link to another site is signed. */
export function load({ t }: PageContext): PassageData {
  return {
    title: t('later.redirect'),
    text: t('later.redirectText'),
    link: { text: t('shell.home'), path: '/' },
  }
}

export function meta(data: PassageData): PageMeta {
  return { title: data.title, description: data.text, noIndex: true }
}
