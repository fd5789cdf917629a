import type { ReactNode } from 'react'
import css from './order-row.module.css'
import { Picture, type ImageSource } from './picture.tsx'

export interface OrderRowProps {
  number: string
  time: { iso: string; text: string }
  /** A `Badge` with the state. */
  badge: ReactNode
  image: ImageSource
  name: string
  /** Below the name: what it is, how many, what else. */
  notes: readonly string[]
  price: string
  /** What to do next. */
  action: ReactNode
}

/** An order in a list; rows stand in a flush `Panel`. */
export function OrderRow({
  number,
  time,
  badge,
  image,
  name,
  notes,
  price,
  action,
}: OrderRowProps) {
  return (
    <article className={css.row}>
      <div className={css.head}>
        <span className="mono">{number}</span>
        <time dateTime={time.iso}>{time.text}</time>
        <span className={css.badge}>{badge}</span>
      </div>
      <div className={css.body}>
        <Picture {...image} alt="" />
        <div>
          <b>
            <bdi>{name}</bdi>
          </b>
          {notes.map((note) => (
            <p key={note} className="small muted">
              {note}
            </p>
          ))}
          <p className={css.price}>
            <bdi className="num">{price}</bdi>
          </p>
        </div>
        <div className={css.end}>{action}</div>
      </div>
    </article>
  )
}
