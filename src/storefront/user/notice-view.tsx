import { Button, ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { NoticeRow } from '#ui/notice-row.tsx'
import { Panel } from '#ui/panel.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import type { NoticeData, ShownNotice } from './notice.ts'
import { Paging } from './paging.tsx'
import css from './user.module.css'

export function NoticeRoom({ data }: { readonly data: NoticeData }) {
  const t = useT()
  const href = useHref()
  if (data.notices.length === 0) {
    return (
      <Panel>
        <Empty level={2} title={t('user.noticeNone')} text={t('user.noticeNoneText')}>
          <ButtonLink href={href('/top-up')}>{t('user.browseTopUps')}</ButtonLink>
        </Empty>
      </Panel>
    )
  }
  return (
    <>
      <div className={css.head}>
        <p className="muted" role="status">
          {data.state}
        </p>
        {data.hasUnread ? (
          <CallForm name="readAllNotices" form={forms.readAllNotices}>
            {(view) => (
              <Button type="submit" size="small" busy={view.busy}>
                {t('user.noticeReadAll')}
              </Button>
            )}
          </CallForm>
        ) : null}
      </div>
      <Panel padding="flush">
        {data.notices.map((notice) => (
          <NoticeRow
            key={notice.id}
            icon={notice.icon}
            title={notice.title}
            text={notice.text}
            time={notice.time}
            unread={notice.isRead ? undefined : t('user.noticeNew')}
            action={<Actions notice={notice} />}
          />
        ))}
      </Panel>
      <Paging data={data.paging} />
    </>
  )
}

function Actions({ notice }: { readonly notice: ShownNotice }) {
  const t = useT()
  const href = useHref()
  const named = <span className="sr">: {notice.title}</span>
  if (notice.isRead) {
    return (
      <ButtonLink look="ghost" size="small" href={href(notice.path)}>
        {t('user.noticeOpen')}
        {named}
      </ButtonLink>
    )
  }
  return (
    <>
      <CallForm name="openNotice" form={forms.openNotice}>
        {(view) => (
          <>
            <input type="hidden" name="id" value={notice.id} />
            <input type="hidden" name="path" value={notice.path} />
            <Button type="submit" size="small" busy={view.busy}>
              {t('user.noticeOpen')}
              {named}
            </Button>
          </>
        )}
      </CallForm>
      <CallForm name="readNotice" form={forms.readNotice}>
        {(view) => (
          <>
            <input type="hidden" name="id" value={notice.id} />
            <Button type="submit" look="ghost" size="small" busy={view.busy}>
              {t('user.noticeRead')}
              {named}
            </Button>
          </>
        )}
      </CallForm>
    </>
  )
}
