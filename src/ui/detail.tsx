import type { ReactNode } from 'react'
import css from './detail.module.css'
import { Picture, type PictureProps } from './picture.tsx'

export interface DetailLayoutProps {
  children: ReactNode
  /** Column at the end from 1024 px, in sight while scrolling unless `still`; below, between `children` and `rest`. */
  aside: ReactNode
  /** What follows the aside on a phone. */
  rest?: ReactNode
  /** First in the main column, above where the aside begins. */
  lead?: ReactNode
  still?: boolean | undefined
}

export function DetailLayout({ children, aside, rest, lead, still }: DetailLayoutProps) {
  return (
    <div className={css.lay}>
      {lead === undefined ? null : <div className={css.lead}>{lead}</div>}
      <div>{children}</div>
      <aside className={still ? `${css.aside} ${css.still}` : css.aside}>{aside}</aside>
      {rest === undefined ? null : <div>{rest}</div>}
    </div>
  )
}

export interface DetailHeaderProps {
  cover: PictureProps
  title: string
  /** Language of the title where it differs from the page's. */
  lang?: string | undefined
  /** Button after the name. */
  action?: ReactNode
  /** `DetailLine`s: rating, badges. */
  children?: ReactNode
}

/** Cover and name of the thing the page is about. */
export function DetailHeader({ cover, title, lang, action, children }: DetailHeaderProps) {
  return (
    <header className={css.head}>
      <Picture lazy={false} priority="high" {...cover} />
      <div>
        <div className={css.title}>
          <h1>
            <bdi lang={lang}>{title}</bdi>
          </h1>
          {action}
        </div>
        {children}
      </div>
    </header>
  )
}

/** Line of small facts under the name. */
export function DetailLine({ children }: { children: ReactNode }) {
  return <p className={css.line}>{children}</p>
}
