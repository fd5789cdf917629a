import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import css from './pagination.module.css'

export interface PageLink {
  /** The page's number, ready to show. */
  text: string
  href: string
  /** "Page 3". */
  label: string
  current?: boolean | undefined
}

export interface PaginationProps {
  label: string
  /** In order; `null` stands for pages left out. */
  pages: readonly (PageLink | null)[]
  /** Without an `href` the step is shown but leads nowhere. */
  previous: { text: string; href?: string | undefined }
  next: { text: string; href?: string | undefined }
}

/** Links to the pages of a list. On a phone only the first, the current and the last remain between the steps. */
export function Pagination({ label, pages, previous, next }: PaginationProps) {
  const last = pages.length - 1
  return (
    <nav aria-label={label}>
      <ul className={css.pages}>
        <li>{step(previous, 'prev', <Icon name="left" />)}</li>
        {pages.map((page, index) =>
          page === null ? (
            <li key={`gap-${index}`} aria-hidden="true">
              <span className={css.gap}>…</span>
            </li>
          ) : (
            <li
              key={page.href}
              className={index === 0 || index === last || page.current ? undefined : css.far}
            >
              <a
                href={page.href}
                aria-label={page.label}
                aria-current={page.current ? 'page' : undefined}
              >
                {page.text}
              </a>
            </li>
          ),
        )}
        <li>{step(next, 'next', <Icon name="right" />)}</li>
      </ul>
    </nav>
  )
}

function step(to: PaginationProps['next'], rel: 'prev' | 'next', icon: ReactNode): ReactNode {
  const text = <b>{to.text}</b>
  const inside = rel === 'prev' ? [icon, text] : [text, icon]
  const content = (
    <>
      {inside[0]}
      {inside[1]}
    </>
  )
  return to.href === undefined ? (
    <span className={`${css.step} ${css.none}`} aria-disabled="true">
      {content}
    </span>
  ) : (
    <a className={css.step} href={to.href} rel={rel}>
      {content}
    </a>
  )
}
