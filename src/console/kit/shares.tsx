/** A part of a whole. */
export interface ShareRow {
  readonly name: string
  /** Of the whole, for drawing alone. */
  readonly part: number
  readonly share: string
  readonly sales: string
  /** All others together. */
  readonly isRest: boolean
}

const WHOLE = 100

/** How a whole is made up, as bars with their share and sum. */
export function Shares({ rows }: { readonly rows: readonly ShareRow[] }) {
  const most = Math.max(0, ...rows.map(({ part }) => part))
  return (
    <ul className="bars">
      {rows.map(({ name, part, share, sales, isRest }) => (
        <li key={name}>
          <span className="clip" title={name}>
            {name}
          </span>
          <span className="meter" aria-hidden="true">
            <i
              className={isRest ? 'q' : undefined}
              style={{ inlineSize: `${most > 0 ? Math.max(0, (part / most) * WHOLE) : 0}%` }}
            />
          </span>
          <span className="num">{share}</span>
          <bdi className="num">{sales}</bdi>
        </li>
      ))}
    </ul>
  )
}
