import { findAccountById } from '#features/people/account/queries.ts'
import { peekSecret } from '#features/people/verification/queries.ts'
import { wallCovers } from '../goods/wall.ts'
import type { PageMeta, PersonalPageContext } from '../page.ts'

export interface ResetLinkData {
  readonly title: string
  readonly covers: readonly string[]
  readonly strictPasswords: boolean
  /** What the link opens; null when it has expired. */
  readonly link: { readonly key: string; readonly email: string } | null
}

/** Opening a link changes nothing: mail programs open them too. Only the form uses it up. */
export async function load(page: PersonalPageContext): Promise<ResetLinkData> {
  const { ctx } = page
  const key = page.query.get('key') ?? ''
  const found = await peekSecret(ctx.db, ctx, { purpose: 'reset', secret: key })
  const account = found?.accountId ? await findAccountById(ctx.db, found.accountId) : null
  const isOpen = account?.status === 'active'
  return {
    title: page.t(isOpen || page.outcome?.isDone ? 'sign-in.resetTitle' : 'sign-in.expiredTitle'),
    covers: wallCovers(page),
    strictPasswords: page.offer.strictPasswords,
    link: isOpen ? { key, email: account.email } : null,
  }
}

export function meta(data: ResetLinkData, { t }: PersonalPageContext): PageMeta {
  return { title: data.title, description: t('sign-in.resetDescription'), noIndex: true }
}
