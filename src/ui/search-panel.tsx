import type { ComponentProps, ReactNode } from 'react'
import { markedName, type MarkedName } from './marked-name.tsx'
import { Picture, type ImageSource, type PictureProps } from './picture.tsx'
import css from './search.module.css'

/** Sheet that drops from a `SearchBox`; show it by rendering it. */
export function SearchPanel(props: ComponentProps<'div'>) {
  return <div className={css.panel} {...props} />
}

/** Part of a panel: heading, a control at its end ("Clear"), content. */
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
  /** Kind and region, say. */
  note?: string | undefined
  price?: string | undefined
}

/** One result: pass `role="option"` and `aria-selected` where the list is a listbox. */
export function SearchHit({ image, name, lang, note, price, ...rest }: SearchHitProps) {
  return (
    <a className={css.hit} {...rest}>
      <Picture {...image} alt="" />
      <span>
        <b>
          <bdi lang={lang}>{markedName(name)}</bdi>
        </b>
        {note === undefined ? null : <small>{note}</small>}
      </span>
      {price === undefined ? null : <bdi className="num">{price}</bdi>}
    </a>
  )
}

/** "9 results as you type", above the hits; a live region. */
export function HitCount({ children }: { children: ReactNode }) {
  return (
    <p className={css.count} role="status">
      {children}
    </p>
  )
}
