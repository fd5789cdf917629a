import { listNotices } from '#features/people/notice/queries.ts'
import type { NoticeView } from '#features/people/notice/schema.ts'
import { noticeView } from '#features/people/notice/views.ts'
import type { IconName } from '#ui/icon-paths.ts'
import { viewOf } from '../goods/tile.ts'
import type { PersonalPageContext } from '../page.ts'
import { ownerOf } from './area.ts'
import { pageAsked, pagingData, type PagingData } from './paging.ts'

const ON_A_PAGE = 20

export interface ShownNotice extends Pick<NoticeView, 'id' | 'title' | 'text' | 'path'> {
  readonly icon: IconName
  readonly time: { readonly text: string; readonly iso: string }
  readonly isRead: boolean
}

export interface NoticeData {
  readonly notices: readonly ShownNotice[]
  readonly hasUnread: boolean
  /** How many are new. */
  readonly state: string
  readonly paging: PagingData
}

const ICONS: Readonly<Record<string, IconName>> = {
  welcome: 'user',
  password_changed: 'lock',
  email_changed: 'mail',
  new_device: 'laptop',
  identity_linked: 'link',
  identity_unlinked: 'link',
  factor_added: 'shield',
  factor_removed: 'shield',
  price_drop: 'heart',
}

export async function noticeData(page: PersonalPageContext): Promise<NoticeData> {
  const { ctx, t } = page
  const { accountId } = ownerOf(page)
  const asked = pageAsked(page)
  let found = await listNotices(ctx.db, accountId, asked, ON_A_PAGE)
  const last = Math.max(1, Math.ceil(found.total / ON_A_PAGE))
  if (asked > last) found = await listNotices(ctx.db, accountId, last, ON_A_PAGE)
  const view = viewOf(page)
  return {
    notices: found.notices.flatMap((notice) => {
      const shown = noticeView(view, notice, page.timeZone)
      if (!shown) return []
      const { id, title, text, path, kind } = shown
      return [
        {
          id,
          title,
          text,
          path,
          icon: ICONS[kind] ?? 'bell',
          time: { text: shown.time_text, iso: shown.created_at },
          isRead: shown.is_read,
        },
      ]
    }),
    hasUnread: found.unread > 0,
    state: t('user.noticeUnread', { count: found.unread }),
    paging: pagingData(page, '/user/notice', Math.min(asked, last), last),
  }
}
