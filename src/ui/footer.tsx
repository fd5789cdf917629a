import type { ReactNode } from 'react'
import badge from './badge.module.css'
import css from './footer.module.css'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import { Logo, type LogoProps } from './logo.tsx'

export interface FooterGroup {
  title: string
  links: readonly { text: string; href: string; target?: '_blank' | undefined }[]
}

export interface FooterProps {
  logo: LogoProps
  /** Names of ways to pay. */
  pays?: { label: string; names: readonly string[] } | undefined
  groups: readonly FooterGroup[]
  /** Address, copyright. */
  lines: readonly string[]
  social?:
    | { label: string; links: readonly { href: string; label: string; icon: IconName }[] }
    | undefined
  /** At the end of the first line, before the ways to pay. */
  children?: ReactNode
}

/** Foot of the page: groups of links lie open from 768 px, below it one opens at a time. */
export function Footer({ logo, pays, groups, lines, social, children }: FooterProps) {
  return (
    <footer className={css.ft}>
      <div className="wrap">
        <div className={css.top}>
          <Logo {...logo} />
          {children}
          {pays === undefined ? null : (
            <ul className={css.pays} aria-label={pays.label}>
              {pays.names.map((name) => (
                <li key={name} className={badge.mark}>
                  {name}
                </li>
              ))}
            </ul>
          )}
        </div>
        <div className={css.groups}>{groups.map(group)}</div>
        <div className={css.bottom}>
          <div>
            {lines.map((line) => (
              <p key={line}>
                <bdi>{line}</bdi>
              </p>
            ))}
          </div>
          {social === undefined || social.links.length === 0 ? null : (
            <div className={css.social}>
              <span>{social.label}</span>
              {social.links.map((link) => (
                <a key={link.label} href={link.href} rel="noopener">
                  <Icon name={link.icon} />
                  {link.label}
                </a>
              ))}
            </div>
          )}
        </div>
      </div>
    </footer>
  )
}

function group({ title, links }: FooterGroup): ReactNode {
  return (
    <details key={title} className={css.group} name="footer">
      <summary>
        {title}
        <Icon name="down" />
      </summary>
      <ul>
        {links.map((link) => (
          <li key={link.href}>
            <a href={link.href} target={link.target}>
              {link.text}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
