import type { ReactNode } from 'react'
import { Discount } from './badge.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import css from './side-nav.module.css'

export interface SideLink {
  icon: IconName
  text: string
  href: string
  current?: boolean | undefined
  /** Number at the end, ready to show, with what it counts for screen readers ("2 new"). */
  count?: { text: string; label: string } | undefined
  /** Ready to show: "−12%". */
  discount?: string | undefined
}

export interface SideNavProps {
  label: string
  links: readonly SideLink[]
}

/** List of the rooms of an area: down the side from 1024 px, a strip that scrolls below. */
export function SideNav({ label, links }: SideNavProps) {
  return (
    <nav data-show-current="" className={css.side} aria-label={label}>
      {links.map((link) => (
        <a key={link.href} href={link.href} aria-current={link.current ? 'page' : undefined}>
          <Icon name={link.icon} />
          {link.text}
          {link.count === undefined ? null : (
            <span className={`${css.count} num`}>
              <span aria-hidden="true">{link.count.text}</span>
              <span className="sr">{link.count.label}</span>
            </span>
          )}
          {link.discount === undefined ? null : <Discount>{link.discount}</Discount>}
        </a>
      ))}
    </nav>
  )
}

/** Page of an area: who it belongs to and its rooms beside what is shown. */
export function AreaLayout({
  who,
  nav,
  children,
}: {
  who?: ReactNode
  nav: ReactNode
  children: ReactNode
}) {
  return (
    <div className={`wrap ${css.lay}`}>
      <div className={css.aside}>
        {who}
        {nav}
      </div>
      <div className={css.main}>{children}</div>
    </div>
  )
}
