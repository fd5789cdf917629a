import { hash } from 'node:crypto'
import { paletteOf, tokensOf, type Corners, type Scheme, type Theme, type Tokens } from './rules.ts'

/** Radii by their token, as `ui/tokens.css` has those of 'soft'. */
const RADII: Readonly<Record<Exclude<Corners, 'soft'>, Readonly<Record<string, string>>>> = {
  square: { 'r-card': '0', r: '0', 'r-lg': '0', 'r-sm': '0', 'r-full': '0' },
  round: {
    'r-card': '1rem',
    r: '1.25rem',
    'r-lg': '1.5rem',
    'r-sm': '.75rem',
    'r-full': '99rem',
  },
}

const declared = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

/** Nothing of a scheme that nobody has chosen anything for. */
function ofScheme(theme: Theme, scheme: Scheme): Tokens | null {
  return Object.keys(paletteOf(theme, scheme)).length === 0 ? null : tokensOf(theme, scheme)
}

/** A theme as the stylesheet that comes behind the release's: the same rules, with other values. Empty for the release's own. */
export function stylesheetOf(theme: Theme): string {
  const [light, dark] = [ofScheme(theme, 'light'), ofScheme(theme, 'dark')]
  const radii = theme.corners === 'soft' ? {} : RADII[theme.corners]
  const everywhere = declared({ ...radii, ...light })
  const rules = [
    ...(everywhere === '' ? [] : [`:root{${everywhere}}`]),
    ...(dark
      ? [
          `@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${declared(dark)}}}`,
          `:root[data-theme=dark]{${declared(dark)}}`,
        ]
      : []),
  ]
  return rules.join('\n')
}

/** What pages need of a theme. */
export interface ShownTheme {
  readonly css: string
  /** Another one for every other stylesheet; null where the release's is all there is. */
  readonly address: string | null
  /** What browsers draw around the page. */
  readonly bar: Readonly<Record<Scheme, string>>
}

const ADDRESS_LENGTH = 22

export function shownTheme(theme: Theme): ShownTheme {
  const css = stylesheetOf(theme)
  const name = hash('sha256', css, 'base64url').slice(0, ADDRESS_LENGTH)
  return {
    css,
    address: css === '' ? null : `/theme/${name}.css`,
    bar: { light: tokensOf(theme, 'light').surface, dark: tokensOf(theme, 'dark').surface },
  }
}
