import type { ReactNode } from 'react'
import css from './footer.module.css'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import { Logo, type LogoProps } from './logo.tsx'

export interface FooterGroup {
  title: string
  links: readonly { text: string; href: string; target?: '_blank' | undefined }[]
}

export interface FooterLinks {
  label: string
  links: readonly { href: string; label: string; icon: IconName }[]
}

export interface FooterProps {
  logo: LogoProps
  /** Ways to pay, each with its mark. */
  pays?: { label: string; list: readonly { name: string; icon: string }[] } | undefined
  groups: readonly FooterGroup[]
  /** Address, copyright. */
  lines: readonly string[]
  /** The shop elsewhere, and where a page of it can be shared; a row without links is not shown. */
  social: readonly FooterLinks[]
  /** At the end of the first line, before the ways to pay. */
  children?: ReactNode
}

/** Foot of the page: groups of links lie open from 768 px, below it one opens at a time. */
export function Footer({ logo, pays, groups, lines, social, children }: FooterProps) {
  return (
    <footer className={`${css.ft} below`}>
      <div className="wrap">
        <div className={css.top}>
          <Logo {...logo} />
          {children}
          {pays === undefined ? null : (
            <ul className={css.pays} aria-label={pays.label}>
              {pays.list.map(({ name, icon }) => (
                <li key={name}>
                  <img src={icon} alt="" width="48" height="32" loading="lazy" />
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
          <div>{social.map(socialRow)}</div>
        </div>
      </div>
    </footer>
  )
}

function socialRow({ label, links }: FooterLinks): ReactNode {
  if (links.length === 0) return null
  return (
    <div key={label} className={css.social}>
      <span>{label}</span>
      {links.map((link) => (
        <a key={link.label} href={link.href} rel="noopener">
          <Icon name={link.icon} />
          {link.label}
        </a>
      ))}
    </div>
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
