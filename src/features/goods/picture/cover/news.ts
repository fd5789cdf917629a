import { hash, pick } from './chance.ts'
import { shortName } from './names.ts'
import type { CoverRecipe, MotifName } from './recipe.ts'

const SUBJECTS: readonly [MotifName, ...MotifName[]] = [
  'peaks',
  'planet',
  'waves',
  'bubbles',
  'rings',
  'leaf',
  'petals',
  'star',
  'ribbon',
  'truchet',
  'fan',
]

/** Brand-like colours: a free hue too often lands on olive. */
const COLOURS = [
  '#0a7a84',
  '#d9480f',
  '#7048e8',
  '#c2255c',
  '#1864ab',
  '#2b8a3e',
  '#c92a2a',
  '#fb9436',
  '#5f3dc4',
  '#ffd21f',
] as const

/**
 * The cover of an article without a picture of its own: its category in letters; colour and motif from its code.
 * @param label the category's English name; titles are long and translated, so they stand beside the picture instead
 */
export function newsCover(code: string, label: string): CoverRecipe {
  const h = hash(code)
  return {
    name: label,
    kind: 'topup',
    short: shortName(label) || 'NEWS',
    color: pick(COLOURS, h >>> 8),
    motif: pick(SUBJECTS, h),
    seed: code,
  }
}
