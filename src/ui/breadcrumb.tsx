import css from './breadcrumb.module.css'

export interface Crumb {
  text: string
  /** Language of the text where it differs from the page's. */
  lang?: string | undefined
  /** Left out for the page itself. */
  href?: string | undefined
}

export function Breadcrumb({ label, items }: { label: string; items: readonly Crumb[] }) {
  return (
    <nav aria-label={label}>
      <ol className={css.crumb}>
        {items.map((item) => (
          <li key={item.text} aria-current={item.href === undefined ? 'page' : undefined}>
            {item.href === undefined ? (
              <bdi lang={item.lang}>{item.text}</bdi>
            ) : (
              <a href={item.href}>
                <bdi lang={item.lang}>{item.text}</bdi>
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
