import { ICON_PATHS, type IconName } from './icon-paths.ts'
import css from './scene.module.css'

/** A card that hangs from the rail: 108 by 134, its hook in the middle of its head. */
const CARD =
  'M-42 6h84a12 12 0 0 1 12 12v110a12 12 0 0 1-12 12h-84a12 12 0 0 1-12-12V18a12 12 0 0 1 12-12Zm30 10a6 6 0 0 0 0 12h24a6 6 0 0 0 0-12h-4a8 8 0 0 0-16 0Z'
const SHEET =
  'M-42 6h84a12 12 0 0 1 12 12v110a12 12 0 0 1-12 12h-84a12 12 0 0 1-12-12V18a12 12 0 0 1 12-12Z'
const TURNS = [-2, 1.5, -1, 2]
const STEP = 150
const RAIL = 30

/**
 * Signs on hanging cards; in place of a sign `null` is a hook whose card is gone. `main` is the yellow one. `priced`: with the label
 * that goods have under them. Decoration.
 */
export function RackScene({
  signs,
  main,
  priced = false,
}: {
  readonly signs: readonly (IconName | null)[]
  readonly main: number
  readonly priced?: boolean
}) {
  const width = STEP * signs.length + 30
  return (
    <div className={css.frame}>
      <svg
        className={css.scene}
        viewBox={`0 0 ${width} ${priced ? 236 : 200}`}
        fill="none"
        aria-hidden="true"
      >
        <path className={css.rail} d={`M8 ${RAIL}h${width - 16}`} strokeWidth="5" />
        {signs.map((sign, at) => (
          <g key={at} transform={`translate(${15 + STEP * (at + 0.5)} ${RAIL})`}>
            {sign === null ? (
              <path className={css.gone} d={SHEET} />
            ) : (
              <Card sign={sign} turn={TURNS[at % TURNS.length] ?? 0} isMain={at === main} />
            )}
            {priced && sign !== null ? <Label /> : null}
          </g>
        ))}
      </svg>
    </div>
  )
}

function Card({
  sign,
  turn,
  isMain,
}: {
  readonly sign: IconName
  readonly turn: number
  readonly isMain: boolean
}) {
  return (
    <>
      <path className={css.rail} d="M0 0v14" strokeWidth="4" />
      <circle className={css.hook} cy="17" r="3.5" />
      <g transform={`rotate(${turn} 0 10)`} className={isMain ? css.main : undefined}>
        <path className={css.card} fillRule="evenodd" d={CARD} />
        <path className={css.sign} transform="translate(-31 46)scale(2.6)" d={ICON_PATHS[sign]} />
      </g>
    </>
  )
}

function Label() {
  return (
    <g transform="translate(-28 158)">
      <rect className={css.label} width="56" height="22" rx="5" />
      <path className={css.price} d="M12 11h32" />
    </g>
  )
}
