import type { ReactNode } from 'react'
import { Badge } from './badge.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import css from './notice-row.module.css'

export interface NoticeRowProps {
  icon: IconName
  title: string
  text: string
  /** Ready to show, and as ISO 8601 for machines. */
  time: { text: string; iso: string }
  /** Word that marks it unread ("New"); none when it is read. */
  unread?: string | undefined
  /** Link or button: open, mark as read. */
  action?: ReactNode
}

/** Message kept for a person, in a list of a flush `Panel`. Unread is said by a word, weight and a bar, not colour alone. */
export function NoticeRow({ icon, title, text, time, unread, action }: NoticeRowProps) {
  return (
    <article className={unread === undefined ? css.row : `${css.row} ${css.unread}`}>
      <span className={css.mark}>
        <Icon name={icon} />
      </span>
      <div>
        <div className={css.head}>
          <h2>{title}</h2>
          {unread === undefined ? null : <Badge tone="info">{unread}</Badge>}
        </div>
        <p>{text}</p>
        <time dateTime={time.iso}>{time.text}</time>
      </div>
      {action === undefined ? null : <div className={css.action}>{action}</div>}
    </article>
  )
}
