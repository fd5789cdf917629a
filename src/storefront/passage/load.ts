import type { PageContext, PageMeta } from '../page.ts'
import { safePath } from '../server/safe-path.ts'

export interface PassageData {
  readonly title: string
  readonly text: string
  readonly link: { readonly text: string; readonly path: string }
}

/** `/middle?url=` goes on within the shop; `/redirect?url=` follows nothing, for no link to another site is signed. */
export function load({ path, query, t, publicUrl }: PageContext): PassageData {
  if (path === '/redirect') return { title: t('later.redirect'), text: t('later.redirectText'), link: { text: t('shell.home'), path: '/' } }
  const next = safePath(query.get('url'), publicUrl)
  return {
    title: t('later.middle'),
    text: t('later.middleText'),
    link: next === '/' ? { text: t('shell.home'), path: '/' } : { text: t('later.goOn'), path: next },
  }
}

export function meta(data: PassageData): PageMeta {
  return { title: data.title, description: data.text, noIndex: true }
}
