import type { ReactNode } from 'react'
import { Avatar, type AvatarProps } from './avatar.tsx'
import { IconButton, IconLink } from './button.tsx'
import css from './header.module.css'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import { Logo, type LogoProps } from './logo.tsx'
import { Menu, MenuLink } from './menu.tsx'
import { Picture } from './picture.tsx'

export interface NavLink {
  text: string
  href: string
  current?: boolean | undefined
  target?: '_blank' | undefined
}

/** Entry of the main menu: a link, or a drop-down of links. */
export type NavEntry =
  | NavLink
  | {
      text: string
      items: readonly NavLink[]
      /** Covers beside the links, under a title. */
      covers?:
        | {
            title: string
            items: readonly (NavLink & { image: string; lang?: string | undefined })[]
          }
        | undefined
    }

export interface HeaderProps {
  logo: LogoProps
  nav?: { label: string; entries: readonly NavEntry[] } | undefined
  /** The drawer that holds the menu below 1280 px: its texts, who is signed in or the way to it, what is theirs, and the foot. */
  drawer?: DrawerProps | undefined
  /** A `SearchBox`; from 1024 px in the line, below it in a second one. */
  search?: ReactNode
  /** Leaves the search box to the page below 1024 px. */
  searchOnlyWide?: boolean | undefined
  /** In its place below 1024 px, where the page has more important things to show than a second line. */
  searchLink?: { href: string; label: string } | undefined
  locale?: { href: string; label: string; language: string; currency: string } | undefined
  /** `label` says the number too; `count` is ready to show ("3", "99+"). Takes `data-` attributes. */
  cart?:
    | ({ href: string; label: string; count?: string | undefined } & Record<
        `data-${string}`,
        string
      >)
    | undefined
  /** An `AvatarMenu` or `AvatarLink`. */
  account?: ReactNode
}

export interface DrawerProps {
  openLabel: string
  closeLabel: string
  /** `name` stands in an element whose `data-person` is `visitor`, the text for nobody: either may be written over it. */
  person: { href: string; name: string; visitor: string }
  quick: readonly { href: string; icon: IconName; text: string }[]
  /** Links after the menu. */
  links: readonly NavLink[]
}

const DRAWER = 'drawer'

/** Head of every page: stays in sight, 64 px, from 1024 px 72. */
export function Header(props: HeaderProps) {
  const { logo, nav, drawer, search, searchOnlyWide, searchLink, locale, cart, account } = props
  return (
    <>
      <header className={css.hd}>
        <div className={`wrap ${css.row}`}>
          {drawer === undefined ? null : (
            <span className={css.burger}>
              <IconButton icon="menu" label={drawer.openLabel} popoverTarget={DRAWER} />
            </span>
          )}
          <Logo {...logo} />
          {nav === undefined ? null : <Nav {...nav} />}
          {search === undefined ? null : (
            <div
              className={searchOnlyWide || searchLink ? `${css.search} ${css.hidden}` : css.search}
            >
              {search}
            </div>
          )}
          <div className={css.end}>
            {locale === undefined ? null : (
              <a className={css.locale} href={locale.href}>
                <Icon name="globe" />
                <span>{locale.language}</span>
                <span className={`${css.currency} muted`}>{locale.currency}</span>
                <span className="sr">{locale.label}</span>
              </a>
            )}
            {searchLink === undefined ? null : (
              <span className={css.narrow}>
                <IconLink icon="search" {...searchLink} />
              </span>
            )}
            {cart === undefined ? null : <IconLink icon="cart" {...cart} />}
            {account}
          </div>
        </div>
      </header>
      {drawer === undefined || nav === undefined ? null : (
        <Drawer {...nav} {...drawer} locale={locale} />
      )}
    </>
  )
}

function Nav({ label, entries }: { label: string; entries: readonly NavEntry[] }) {
  return (
    <nav className={css.nav} aria-label={label}>
      <ul>
        {entries.map((entry) => (
          <li key={entry.text}>
            {'items' in entry ? (
              <Menu
                name="nav"
                summaryClass={css.tab}
                summary={summaryOf(entry.text)}
                aside={entry.covers && <Covers {...entry.covers} />}
              >
                {entry.items.map((item) => (
                  <MenuLink
                    key={item.href}
                    href={item.href}
                    aria-current={item.current ? 'page' : undefined}
                  >
                    {item.text}
                  </MenuLink>
                ))}
              </Menu>
            ) : (
              navLink(entry, css.tab)
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Covers({
  title,
  items,
}: {
  title: string
  items: readonly (NavLink & { image: string; lang?: string | undefined })[]
}) {
  return (
    <>
      <p className={css.over}>{title}</p>
      <div className={css.covers}>
        {items.map((item) => (
          <a key={item.href} href={item.href}>
            <Picture src={item.image} width={240} height={320} alt="" />
            <bdi lang={item.lang}>{item.text}</bdi>
          </a>
        ))}
      </div>
    </>
  )
}

function Drawer({
  label,
  entries,
  closeLabel,
  person,
  quick,
  links,
  locale,
}: {
  label: string
  entries: readonly NavEntry[]
  locale: HeaderProps['locale']
} & DrawerProps) {
  return (
    <nav popover="auto" id={DRAWER} className={css.drawer} aria-label={label}>
      <div className={css.top}>
        <a href={person.href} data-account="">
          <span className={css.avatar}>
            <Icon name="user" />
          </span>
          <b data-person={person.visitor}>{person.name}</b>
        </a>
        <IconButton icon="x" label={closeLabel} popoverTarget={DRAWER} popoverTargetAction="hide" />
      </div>
      <div className={css.quick}>
        {quick.map((entry) => (
          <a key={entry.href} href={entry.href}>
            <Icon name={entry.icon} />
            {entry.text}
          </a>
        ))}
      </div>
      <ul>
        {[...entries, ...links].map((entry) => (
          <li key={entry.text}>
            {'items' in entry ? (
              <details name="drawer">
                <summary>{summaryOf(entry.text)}</summary>
                {entry.items.map((item) => navLink(item, undefined))}
              </details>
            ) : (
              navLink(entry, undefined)
            )}
          </li>
        ))}
      </ul>
      {locale === undefined ? null : (
        <a className={css.foot} href={locale.href}>
          <Icon name="globe" />
          <span>
            <small>{locale.label}</small>
            <b>
              {locale.language} · {locale.currency}
            </b>
          </span>
          <Icon name="right" />
        </a>
      )}
    </nav>
  )
}

function summaryOf(text: string): ReactNode {
  return (
    <>
      {text}
      <Icon name="down" />
    </>
  )
}

function navLink(link: NavLink, className: string | undefined): ReactNode {
  return (
    <a
      key={link.href}
      className={className}
      href={link.href}
      target={link.target}
      aria-current={link.current ? 'page' : undefined}
    >
      {link.text}
    </a>
  )
}

export interface AvatarMenuProps {
  /** Says whose menu it is, and the number when there is one. */
  label: string
  person: Pick<AvatarProps, 'name' | 'picture'> & { note?: string | undefined }
  /** Badge on the picture, ready to show: unread notices. */
  count?: string | undefined
  /** `MenuLink`s, `MenuButton`s. */
  children: ReactNode
}

/** Round picture of the person signed in, opening their menu. */
export function AvatarMenu({ label, person, count, children }: AvatarMenuProps) {
  const { note, ...avatar } = person
  const summary = (
    <span className={css.face}>
      <Avatar {...avatar} />
      {count === undefined ? null : (
        <span className={`${css.count} num`} aria-hidden="true">
          {count}
        </span>
      )}
    </span>
  )
  return (
    <Menu name="nav" end label={label} summaryClass={css.who} summary={summary}>
      <div className={css.person}>
        <b>
          <bdi>{person.name}</bdi>
        </b>
        {note === undefined ? null : <small>{note}</small>}
      </div>
      {children}
    </Menu>
  )
}

/** The same place for a visitor: leads to signing in. */
export function AvatarLink({ label, href }: { label: string; href: string }) {
  return (
    <a className={css.who} href={href} aria-label={label} data-account="">
      <span className={css.avatar}>
        <Icon name="user" />
      </span>
    </a>
  )
}
