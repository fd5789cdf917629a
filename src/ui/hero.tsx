import type { ReactNode } from 'react'
import css from './hero.module.css'
import type { ImageSource } from './picture.tsx'
import picture from './picture.module.css'

export interface HeroProps {
  /** One claim, or two that stand each in lines of its own. */
  title: string | readonly [string, string]
  lead: string
  /** Search box, shown below 1024 px. */
  search?: ReactNode
  /** Buttons, shown from 1024 px. */
  actions?: ReactNode
  /** Chips after a bold word; on a phone the rack takes their place. */
  hot?: { label: string; chips: ReactNode } | undefined
  /** Usually an inline `IconList`. */
  facts?: ReactNode
  /** Usually a `Rack`. */
  children?: ReactNode
}

/** Opening of the home page: claim at the start, the rack of cards at the end. */
export function Hero({ title, lead, search, actions, hot, facts, children }: HeroProps) {
  return (
    <section className={css.hero}>
      <div className={`wrap ${css.in}`}>
        <div className={css.claim}>
          {typeof title === 'string' ? (
            <h1>{title}</h1>
          ) : (
            <h1 className={css.claims}>
              <span>{title[0]}</span> <span>{title[1]}</span>
            </h1>
          )}
          <p className={css.lead}>{lead}</p>
          {search === undefined ? null : <div className={css.search}>{search}</div>}
          {actions === undefined ? null : <div className={css.cta}>{actions}</div>}
          {hot === undefined ? null : (
            <div className={css.hot}>
              <b>{hot.label}</b>
              {hot.chips}
            </div>
          )}
          {facts}
        </div>
        {children}
      </div>
    </section>
  )
}

export interface RackCard {
  href: string
  image: ImageSource
  /** On the yellow shelf label: a word and the price. */
  from: string
  price: string
}

/**
 * Two rows of four cards on their rails; below 1024 px the first row. For who sees it and points: the same goods are linked further
 * down, so that keys and screen readers pass it over.
 */
export function Rack({ cards }: { cards: readonly RackCard[] }) {
  return (
    <div className={`${css.rack} ${picture.rail}`} aria-hidden="true">
      {cards.map((card, index) => (
        <div key={card.image.src}>
          <a className={`${picture.cover} ${css.card}`} href={card.href} tabIndex={-1}>
            <img
              loading="lazy"
              fetchPriority={index < 4 ? 'high' : undefined}
              {...card.image}
              alt=""
            />
            <span className={css.tag}>
              <small>{card.from}</small>
              <bdi className="num">{card.price}</bdi>
            </span>
          </a>
        </div>
      ))}
    </div>
  )
}
