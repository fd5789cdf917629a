import type { ReactNode } from 'react'
import css from './pay-marks.module.css'

export interface PayType {
  /** Which drawing it gets; a kind without one is written out. */
  code: string
  name: string
}

/** Kinds of ways to pay as small plates, each with its name for screen readers. */
export function PayMarks({ types }: { types: readonly PayType[] }) {
  return (
    <ul className={css.marks}>
      {types.map(({ code, name }) => (
        <li key={code} title={name}>
          {MARKS[code] === undefined ? (
            name
          ) : (
            <>
              <svg
                className={css.mark}
                viewBox="0 0 48 32"
                width="42"
                height="28"
                aria-hidden="true"
              >
                {MARKS[code]}
              </svg>
              <span className="sr">{name}</span>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Own drawings on a grid of 48 by 32, in ink and one grey: nothing imitates a brand. */
const MARKS: Readonly<Record<string, ReactNode>> = {
  card: (
    <>
      <rect x="11" y="7.5" width="26" height="17" rx="2.5" className={css.fill} />
      <path d="M11 12.7h26" strokeWidth="3.4" />
      <path d="M15 20h5M31 20h2" />
    </>
  ),
  ewallet: (
    <>
      <path
        d="M12 11.5 30.5 7v4.5M11 11.5h24a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H13a2 2 0 0 1-2-2Z"
        className={css.fill}
      />
      <path d="M37 16h-5a2 2 0 0 0 0 4h5" />
    </>
  ),
  bank: (
    <>
      <path d="M12 13 24 7l12 6Z" className={css.fill} />
      <path d="M14.5 13v8M20.8 13v8M27.2 13v8M33.5 13v8M12 24.5h24" />
    </>
  ),
  qr: (
    <>
      <path d="M15 7h6v6h-6ZM27 7h6v6h-6ZM15 19h6v6h-6Z" className={css.fill} />
      <path d="M26 18h3v3M33 18v2M26 25h2M33 23v2h-2" />
    </>
  ),
  balance: (
    <>
      <path
        d="M15.5 5h17a3 3 0 0 1 3 3v16a3 3 0 0 1-3 3h-17a3 3 0 0 1-3-3V8a3 3 0 0 1 3-3Z"
        className={css.own}
      />
      <path d="M20.5 9h7" strokeWidth="2.5" />
      <path d="M17 18h14M17 22h8" />
    </>
  ),
}
