import type { ComponentProps, ReactNode } from 'react'
import { markedName, type MarkedName } from './marked-name.tsx'
import { Picture, type ImageSource, type PictureProps } from './picture.tsx'
import css from './search.module.css'

/** Sheet that drops from a `SearchBox`; show it by rendering it. */
export function SearchPanel(props: ComponentProps<'div'>) {
  return <div className={css.panel} {...props} />
}

/** Groups of hits, in two columns where there is room. */
export function SearchColumns({ children }: { children: ReactNode }) {
  return <div className={css.columns}>{children}</div>
}

/** Part of a panel: heading, a control or number at its end, content. */
export function SearchGroup(props: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className={css.group}>
      <div>
        <h2>{props.title}</h2>
        {props.action}
      </div>
      {props.children}
    </section>
  )
}

/** Last line of a panel: the way to everything. */
export function SearchFoot({ children }: { children: ReactNode }) {
  return <div className={css.foot}>{children}</div>
}

export interface HotEntry {
  href: string
  text: string
  lang?: string | undefined
  /** At the end of the line, usually a price. */
  note?: string | undefined
}

/** Numbered list of what is asked for most. */
export function HotList({ items }: { items: readonly HotEntry[] }) {
  return (
    <ol className={css.hot}>
      {items.map((item) => (
        <li key={item.href}>
          <a href={item.href}>
            <span className={css.entry}>
              <bdi lang={item.lang}>{item.text}</bdi>
            </span>
            {item.note === undefined ? null : <small className="num">{item.note}</small>}
          </a>
        </li>
      ))}
    </ol>
  )
}

export interface SearchHitProps extends Omit<ComponentProps<'a'>, 'children'> {
  image: ImageSource & Pick<PictureProps, 'ratio'>
  /** The name; the middle part of three is what matched and is marked. */
  name: MarkedName
  lang?: string | undefined
  /** Region, or how many there are. */
  note?: string | undefined
  /** "4.6", and what it says to who hears it. */
  rating?: { text: string; label: string } | undefined
  /** How soon it is there. */
  delivery?: string | undefined
  price?: ReactNode
  /** `RegionLink`s: each leads to a place of its own. */
  regions?: ReactNode
}

/** One result. The name is the link and takes presses on all of the line but for the regions. */
export function SearchHit(props: SearchHitProps) {
  const { image, name, lang, note, rating, delivery, price, regions, ...link } = props
  return (
    <div className={css.hit}>
      <Picture {...image} alt="" />
      <div>
        <a {...link}>
          <bdi lang={lang}>{markedName(name)}</bdi>
        </a>
        {note === undefined ? null : <small>{note}</small>}
        {rating === undefined && delivery === undefined ? null : (
          <small className={css.facts}>
            {rating === undefined ? null : (
              <span className={css.rating} role="img" aria-label={rating.label}>
                {rating.text}
              </span>
            )}
            {delivery === undefined ? null : <span className={css.delivery}>{delivery}</span>}
          </small>
        )}
        {regions === undefined ? null : <span className={css.regions}>{regions}</span>}
      </div>
      {price === undefined ? null : <span className={css.price}>{price}</span>}
    </div>
  )
}

/** A region of a hit; `label` says more than what is shown ("9 more regions" for "+9"). */
export function RegionLink({
  label,
  ...link
}: { label?: string | undefined } & ComponentProps<'a'>) {
  return <a className={label === undefined ? undefined : css.more} aria-label={label} {...link} />
}

/** Results as a sheet of lines with larger covers, on a page of their own. */
export function ResultList({ children }: { children: ReactNode }) {
  return <div className={css.results}>{children}</div>
}

/** "9 results as you type", a live region; `quiet`: said, not shown. */
export function HitCount({
  quiet,
  children,
}: {
  quiet?: boolean | undefined
  children: ReactNode
}) {
  return (
    <p className={quiet ? 'sr' : css.count} role="status">
      {children}
    </p>
  )
}
