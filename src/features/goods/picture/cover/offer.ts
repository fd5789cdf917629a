import { cover, designOf, inked } from './cover.ts'
import { COMPANIONS, GROUND_INKS, INKS, inksOn, type Inks } from './inks.ts'
import { MOTIF_NAMES, MOTIFS } from './motif.ts'
import type { CoverRecipe } from './recipe.ts'

/** What a cover may show, drawn small, and what it may be printed with. */
export interface CoverChoices {
  readonly motifs: readonly { readonly name: string; readonly svg: string }[]
  readonly palettes: readonly {
    readonly inks: readonly string[]
    readonly colours: readonly string[]
  }[]
}

/** Ink on paper: what tells motifs apart is their shape. */
const PRINTED: Inks = ['paper', 'ink', 'graphite', 'amber']
const EDGE = 4

const coloursOf = (inks: Inks) => inks.map((ink) => INKS[ink]) as [string, string, string, string]

let known: CoverChoices | null = null

/** Every motif and every set of inks of the collection; the same as long as the process lives. */
export function coverChoices(): CoverChoices {
  return (known ??= {
    motifs: MOTIF_NAMES.map((name) => {
      const { art, box } = MOTIFS[name]
      const [x, y, width, height] = box
      const view = [x - EDGE, y - EDGE, width + 2 * EDGE, height + 2 * EDGE].join(' ')
      return {
        name,
        svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${view}">${inked(art, coloursOf(PRINTED))}</svg>`,
      }
    }),
    palettes: GROUND_INKS.flatMap((ground) =>
      COMPANIONS[ground].map((_, at) => {
        const inks = inksOn(ground, at)
        return { inks: [...inks], colours: coloursOf(inks) }
      }),
    ),
  })
}

export interface DrawnCover {
  /** With its whole design: what was left out is chosen by the rule, and stays. */
  readonly recipe: CoverRecipe
  readonly upright: string
  readonly square: string
}

/** A cover as the shop would draw it. */
export function drawnCover(given: CoverRecipe): DrawnCover {
  const recipe = { ...given, design: { ...designOf(given) } }
  return { recipe, upright: cover(recipe), square: cover(recipe, { ratio: '1:1' }) }
}

/** Places of a motif and of a set of inks in the collection, from 1; null for what is not in it, as other releases’ are. */
export function coverNumbers(motif: unknown, inks: unknown): (number | null)[] {
  const { motifs, palettes } = coverChoices()
  const same = Array.isArray(inks) ? inks.join() : ''
  const place = (at: number) => (at < 0 ? null : at + 1)
  return [
    place(motifs.findIndex(({ name }) => name === motif)),
    place(palettes.findIndex((palette) => palette.inks.join() === same)),
  ]
}
