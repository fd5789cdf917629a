import { joined } from './class-names.ts'
import css from './segmented.module.css'

export interface SegmentLink {
  href: string
  text: string
  /** Number after the text, ready to show. */
  count?: string | undefined
  current?: boolean | undefined
}

/** On a phone so many stand in two lines, all in sight; more scroll sideways. */
export const WRAPPED_MAX = 5

/** A few views of the same thing, side by side, as links. */
export function Segmented({ label, items }: { label: string; items: readonly SegmentLink[] }) {
  return (
    <nav
      data-show-current=""
      className={joined(css.seg, items.length <= WRAPPED_MAX && css.wrapped)}
      aria-label={label}
    >
      {items.map((item) => (
        <a
          key={item.href}
          className={css.item}
          href={item.href}
          aria-current={item.current ? 'true' : undefined}
        >
          {item.text}
          {item.count === undefined ? null : <small>{item.count}</small>}
        </a>
      ))}
    </nav>
  )
}
