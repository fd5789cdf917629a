import { wallCovers } from '../goods/wall.ts'
import type { PageMeta, PersonalPageContext } from '../page.ts'
import { safePath } from '../server/safe-path.ts'

export interface RegisterData {
  readonly title: string
  readonly covers: readonly string[]
  readonly strictPasswords: boolean
  /** The way to signing in, which leads back to the same place. */
  readonly loginPath: string
}

export function load(page: PersonalPageContext): RegisterData {
  const asked = page.query.get('redirect')
  const redirect = asked === null ? null : safePath(asked, page.publicUrl)
  return {
    title: page.t('sign-in.registerTitle'),
    covers: wallCovers(page),
    strictPasswords: page.offer.strictPasswords,
    loginPath: redirect === null ? '/login' : `/login?redirect=${encodeURIComponent(redirect)}`,
  }
}

export function meta(data: RegisterData, { t }: PersonalPageContext): PageMeta {
  return { title: data.title, description: t('sign-in.registerDescription'), noIndex: true }
}
