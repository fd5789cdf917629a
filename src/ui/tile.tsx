import type { ReactNode } from 'react'
import badge from './badge.module.css'
import { joined } from './class-names.ts'
import { markedName, type MarkedName } from './marked-name.tsx'
import type { ImageSource } from './picture.tsx'
import picture from './picture.module.css'
import css from './tile.module.css'

export interface TileProps {
  href: string
  image: ImageSource
  /** Above the fold: load at once and first. */
  eager?: boolean | undefined
  name: MarkedName
  /** Language of the name where it differs from the page's. */
  lang?: string | undefined
  region?: string | undefined
  /** Mean of its ratings, as it is seen ("4.8") and read ("4.8 out of 5"). */
  rating?: { readonly text: string; readonly label: string } | undefined
  /** How soon it is there. */
  delivery?: string | undefined
  /** Word before the price ("from"), seen from 640 px, read always. */
  from?: string | undefined
  /** Ready to show; in its place a word such as "Sold out" is fine. */
  price?: string | undefined
  discount?: string | undefined
  /** Button below, in a list of one's own: over the cover it would hide the lettering. */
  action?: ReactNode
}

/** Cover, name, region and price: one link. Stands in a `TileGrid`; a list may hold hundreds, so it renders flat. */
export function Tile({
  href,
  image,
  eager,
  name,
  lang,
  region,
  rating,
  delivery,
  from,
  price,
  discount,
  action,
}: TileProps) {
  return (
    <li className={css.tile}>
      <a href={href}>
        <span className={picture.cover}>
          <img
            loading={eager ? undefined : 'lazy'}
            decoding={eager ? undefined : 'async'}
            fetchPriority={eager ? 'high' : undefined}
            src={image.src}
            srcSet={image.srcSet}
            sizes={image.sizes}
            width={image.width}
            height={image.height}
            alt=""
          />
        </span>
        <b className={css.name}>
          <bdi lang={lang}>{markedName(name)}</bdi>
        </b>
        {region === undefined ? null : <span className={css.region}>{region}</span>}
        {rating === undefined && delivery === undefined ? null : (
          <span className={css.facts}>
            {rating === undefined ? null : (
              <span className={css.rating} aria-label={rating.label} role="img">
                {rating.text}
              </span>
            )}
            {delivery === undefined ? null : <span className={css.delivery}>{delivery}</span>}
          </span>
        )}
        <span className={css.meta}>
          {from === undefined ? null : <span className={css.from}>{from}</span>}
          {price === undefined ? null : <bdi>{price}</bdi>}
          {discount === undefined ? null : <span className={badge.off}>{discount}</span>}
        </span>
      </a>
      {action === undefined ? null : <div className={css.action}>{action}</div>}
    </li>
  )
}

export interface TileGridProps {
  /** Most columns: 3 on a phone, up to 4, 5, 6 or 7 on a desktop. */
  columns?: 4 | 5 | 6 | 7 | undefined
  /** On a phone show only the first nine or six. */
  few?: 9 | 6 | undefined
  /** Hanging cards, with the rail behind them. */
  rail?: boolean | undefined
  label?: string | undefined
  children: ReactNode
}

const COLUMNS = { 4: css.four, 5: css.five, 6: undefined, 7: css.seven }

/** List of `Tile`s. */
export function TileGrid({ columns = 6, few, rail, label, children }: TileGridProps) {
  return (
    <ul
      className={joined(
        css.grid,
        COLUMNS[columns],
        few === 9 && css.few,
        few === 6 && css.six,
        rail && picture.rail,
      )}
      aria-label={label}
    >
      {children}
    </ul>
  )
}
