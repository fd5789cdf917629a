import css from './figures.module.css'

export interface Figure {
  /** Ready to show. */
  readonly value: string
  readonly label: string
}

/** Counted things in a line, the figure above its name. */
export function Figures({ items }: { readonly items: readonly Figure[] }) {
  return (
    <dl className={css.figures}>
      {items.map(({ value, label }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
