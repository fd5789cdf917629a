import css from './breadcrumb.module.css'
import { foreign } from './foreign.ts'

export interface Crumb {
  text: string
  /** Language of the text where it differs from the page's. */
  lang?: string | undefined
  /** Left out for the page itself. */
  href?: string | undefined
}

/** Each step is a box by itself: its text runs as the page does, unless it is in another language. */
export function Breadcrumb({ label, items }: { label: string; items: readonly Crumb[] }) {
  return (
    <nav aria-label={label}>
      <ol className={css.crumb}>
        {items.map((item, place) => (
          <li key={place} aria-current={item.href === undefined ? 'page' : undefined}>
            {item.href === undefined ? (
              <span {...foreign(item.lang)}>{item.text}</span>
            ) : (
              <a href={item.href}>
                <span {...foreign(item.lang)}>{item.text}</span>
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
