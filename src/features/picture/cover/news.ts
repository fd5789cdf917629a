import { hash, pick } from './chance.ts'
import type { CoverRecipe, MotifName } from './recipe.ts'
import { shortName } from './names.ts'

const SUBJECTS: readonly [MotifName, ...MotifName[]] = [
  'peaks', 'planet', 'frames', 'arches', 'waves', 'bubbles', 'rings', 'leaf', 'petals', 'star', 'ribbon', 'truchet', 'eclipse', 'fan',
]

/**
 * The cover of an article without a picture of its own: its category in letters; colour and motif from its code.
 * @param label the category's English name; titles are long and translated, so they stand beside the picture instead
 */
export function newsCover(code: string, label: string): CoverRecipe {
  const letters = shortName(label).split(' ').slice(0, 2).join(' ')
  return { name: code, kind: 'topup', short: letters || 'NEWS', motif: pick(SUBJECTS, hash(code)), seed: code }
}
