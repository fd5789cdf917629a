import type { ReactNode } from 'react'
import css from './kinds.module.css'

/** The objects of the rack: a poster, a hanging card, a scratch card, a SIM, a SIM with signal steps, a ticket. */
export type KindArt = 'poster' | 'card' | 'scratch' | 'sim' | 'signal' | 'ticket'

export interface Kind {
  art: KindArt
  href: string
  title: string
  /** Second line, hidden on a phone. */
  note?: string | undefined
}

/** Strip that leads to the main kinds of goods. */
export function Kinds({ label, items }: { label: string; items: readonly Kind[] }) {
  return (
    <nav aria-label={label}>
      <ul className={css.kinds}>
        {items.map((item) => (
          <li key={item.href}>
            <a href={item.href}>
              <svg viewBox="0 0 52 52" width="52" height="52" aria-hidden="true">
                {ART[item.art]}
              </svg>
              <span>
                {item.title}
                {item.note === undefined ? null : <small>{item.note}</small>}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const YELLOW = '#ffd21f'
const CARD = <rect x="11" y="5" width="30" height="42" rx="5" />
const SIM = <path d="M16 5h15l10 10v27a5 5 0 0 1-5 5H16a5 5 0 0 1-5-5V10a5 5 0 0 1 5-5Z" />

const ART: Record<KindArt, ReactNode> = {
  poster: (
    <>
      {CARD}
      <path d="M28 13 18 28h7l-2 11 11-16h-7.5Z" fill={YELLOW} />
    </>
  ),
  card: (
    <>
      {CARD}
      <path d="M11 16h30M21.5 10.5h9" />
      <path d="M11 17.2h30V42a5 5 0 0 1-5 5H16a5 5 0 0 1-5-5Z" fill={YELLOW} />
    </>
  ),
  scratch: (
    <>
      {CARD}
      <rect x="11" y="29" width="30" height="10" fill={YELLOW} />
      <path d="M17.5 34h.01M23 34h.01M28.5 34h.01M34 34h.01M18 12h10" strokeWidth="3" />
    </>
  ),
  sim: (
    <>
      {SIM}
      <rect x="18" y="22" width="16" height="16" rx="3" fill={YELLOW} />
      <path d="M18 30h16M26 22v16" strokeWidth="2" />
    </>
  ),
  signal: (
    <>
      {SIM}
      <path d="M18.5 39v-4M23.5 39v-9M28.5 39V25" strokeWidth="3.5" />
      <path d="M33.5 39V20" stroke={YELLOW} strokeWidth="3.5" />
    </>
  ),
  ticket: (
    <>
      <path d="M11 8h30v11a5 5 0 0 0 0 10v15H11V29a5 5 0 0 0 0-10Z" />
      <path d="M18 33h16v6H18Z" fill={YELLOW} />
      <path d="M19 24h.01M24 24h.01M29 24h.01M34 24h.01M19 14h10" />
    </>
  ),
}
