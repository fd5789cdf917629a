import { findAccountById } from '#features/people/account/queries.ts'
import { peekSecret } from '#features/people/verification/queries.ts'
import { formatDate } from '#platform/i18n/format.ts'
import { wallCovers } from '../goods/wall.ts'
import type { PageMeta, PersonalPageContext } from '../page.ts'

export interface RecoverAccountData {
  readonly title: string
  readonly text: string
  readonly covers: readonly string[]
  /** What the link does; null when it has expired. */
  readonly link: { readonly key: string; readonly kind: 'undo' | 'unfreeze' } | null
}

/** The link of two mails: to take back the cancellation of an account, or to lift the pause after too many wrong tries. */
export async function load(page: PersonalPageContext): Promise<RecoverAccountData> {
  const { ctx, t } = page
  const key = page.query.get('key') ?? ''
  const covers = wallCovers(page)
  const undo = await peekSecret(ctx.db, ctx, { purpose: 'undo_cancel', secret: key })
  if (undo) {
    const date = formatDate(page.language.code, undo.expiresAt, page.timeZone)
    return {
      title: t('sign-in.undoTitle'),
      text: t('sign-in.undoText', { date }),
      covers,
      link: { key, kind: 'undo' },
    }
  }
  const unfreeze = await peekSecret(ctx.db, ctx, { purpose: 'unfreeze', secret: key })
  const account = unfreeze?.accountId ? await findAccountById(ctx.db, unfreeze.accountId) : null
  if (account)
    return {
      title: t('sign-in.unfreezeTitle'),
      text: t('sign-in.unfreezeText', { email: account.email }),
      covers,
      link: { key, kind: 'unfreeze' },
    }
  return {
    title: t(page.outcome?.isDone ? 'sign-in.recoverTitle' : 'sign-in.expiredTitle'),
    text: '',
    covers,
    link: null,
  }
}

export function meta(data: RecoverAccountData, { t }: PersonalPageContext): PageMeta {
  return { title: data.title, description: t('sign-in.recoverTitle'), noIndex: true }
}
