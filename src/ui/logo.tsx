import {
  LOGO_CARD,
  LOGO_LETTERS,
  LOGO_LINES,
  LOGO_NAME,
  LOGO_SIZE,
  LOGO_TILT,
} from './logo-paths.ts'
import css from './logo.module.css'

export interface LogoProps {
  readonly href: string
  /** Names the link. */
  readonly label: string
  /** What the shop is called. */
  readonly name: string
}

/** The brand mark with the shop's name beside it; the letters take the colour of the text around. */
export function Logo({ href, label, name }: LogoProps) {
  if (name !== LOGO_NAME)
    return (
      <a className={css.logo} href={href} aria-label={label}>
        <span className={css.name} dir="auto">
          {name}
        </span>
      </a>
    )
  return (
    <a className={css.logo} href={href}>
      <svg
        viewBox={`0 0 ${LOGO_SIZE.width} ${LOGO_SIZE.height}`}
        width="143"
        height="28"
        role="img"
        aria-label={label}
      >
        <g transform={TILT}>
          <path fillRule="evenodd" fill="#ffd21f" d={LOGO_CARD} />
          <path d={LOGO_LINES} stroke="#171300" strokeWidth="2.4" strokeLinecap="round" />
        </g>
        <path
          d={LOGO_LETTERS}
          fill="none"
          stroke="currentColor"
          strokeWidth="6.5"
          strokeLinecap="square"
          strokeLinejoin="round"
        />
      </svg>
    </a>
  )
}

const TILT = `rotate(${LOGO_TILT.degrees} ${LOGO_TILT.around.join(' ')})`
