import { peekSecret } from '#features/people/verification/queries.ts'
import { wallCovers } from '../goods/wall.ts'
import type { PageMeta, PersonalPageContext } from '../page.ts'

export interface ConfirmRegistrationData {
  readonly title: string
  readonly covers: readonly string[]
  readonly strictPasswords: boolean
  /** What the link proves; null when it has expired. */
  readonly link: { readonly key: string; readonly email: string } | null
}

/** Opening a link changes nothing: mail programs open them too. Only the form uses it up. */
export async function load(page: PersonalPageContext): Promise<ConfirmRegistrationData> {
  const key = page.query.get('key') ?? ''
  const found = await peekSecret(page.ctx.db, page.ctx, { purpose: 'register', secret: key })
  return {
    title: page.t(found ? 'sign-in.confirmTitle' : 'sign-in.expiredTitle'),
    covers: wallCovers(page),
    strictPasswords: page.offer.strictPasswords,
    link: found && { key, email: found.target },
  }
}

export function meta(data: ConfirmRegistrationData, { t }: PersonalPageContext): PageMeta {
  return { title: data.title, description: t('sign-in.registerDescription'), noIndex: true }
}
