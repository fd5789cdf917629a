import { CORNERS, COLOURS, SCHEMES } from '#features/base/theme/rules.ts'

const FORMAT = 'lukado-theme/1'

/** A theme as a file, with all that is set and nothing else. */
export const fileOf = (theme: unknown): string =>
  `${JSON.stringify({ format: FORMAT, theme }, null, 2)}\n`

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** No file of colours is longer. */
const FILE_MOST = 20_000

/** The parts of a theme that a file names; null for what is none. Whether its colours can be read the shop says. */
export function readFile(text: string): Readonly<Record<string, unknown>> | null {
  const file = parsed(text)
  if (text.length > FILE_MOST || !isRecord(file) || file['format'] !== FORMAT) return null
  const { theme } = file
  if (!isRecord(theme)) return null
  const names = Object.keys(theme)
  if (names.some((name) => name !== 'corners' && !SCHEMES.some((each) => each === name)))
    return null
  if (theme['corners'] !== undefined && !CORNERS.some((each) => each === theme['corners']))
    return null
  const isRight = SCHEMES.every((scheme) => isPalette(theme[scheme] ?? {}))
  return isRight ? theme : null
}

const isPalette = (palette: unknown): boolean =>
  isRecord(palette) &&
  Object.entries(palette).every(
    ([name, value]) => COLOURS.some((each) => each === name) && typeof value === 'string',
  )

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
