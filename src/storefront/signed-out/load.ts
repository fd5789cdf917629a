import type { PageMeta, PersonalPageContext } from '../page.ts'
import { safePath } from '../server/safe-path.ts'

export interface MiddleData {
  readonly title: string
  readonly text: string
  /** Where to go on to, a page of this shop; without language prefix. */
  readonly next: string
  readonly isSignedIn: boolean
}

/** The page after signing out: `url` is where that was done. */
export function load({ query, t, publicUrl, person }: PersonalPageContext): MiddleData {
  return {
    title: t('sign-in.signedOutTitle'),
    text: t('sign-in.signedOutText'),
    next: safePath(query.get('url'), publicUrl),
    isSignedIn: person !== null,
  }
}

export function meta(data: MiddleData): PageMeta {
  return { title: data.title, description: data.text, noIndex: true }
}
