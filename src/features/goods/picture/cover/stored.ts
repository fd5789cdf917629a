import { z } from 'zod'
import { coverDesign, coverRecipe, type CoverRecipe } from './recipe.ts'

/** A cover in the columns of its row. */
export interface CoverColumns {
  readonly recipe: unknown
  readonly design: unknown
  readonly short: unknown
}

/** The lettering as releases before designs can read it. */
const PLAIN_SHORT = /^[A-Za-z0-9+\-&%. ]{0,40}$/

/** Those releases do not start where a recipe says more than they know, so what they do not know has columns of its own. */
export function columnsOfCover({ design, short, ...recipe }: CoverRecipe): CoverColumns {
  const isPlain = short !== undefined && PLAIN_SHORT.test(short)
  return {
    recipe: isPlain ? { ...recipe, short } : recipe,
    design: design ?? null,
    short: isPlain ? null : (short ?? null),
  }
}

/** The recipe of a row as it was said, unread. What a release before has written into the recipe since is newer. */
export function saidCover({ recipe, design, short }: CoverColumns): Record<string, unknown> {
  return {
    ...(short === null ? {} : { short }),
    ...(design === null ? {} : { design }),
    ...(recipe as Record<string, unknown>),
  }
}

/** A recipe as the shop has it: what another release said of it is left out. */
const storedCover = z.object({
  ...coverRecipe.shape,
  short: coverRecipe.shape.short.catch(undefined),
  design: z
    .object({
      motif: coverDesign.shape.motif.catch(undefined),
      inks: coverDesign.shape.inks.catch(undefined),
      ink: coverDesign.shape.ink.catch(undefined),
      voice: coverDesign.shape.voice.catch(undefined),
      lines: coverDesign.shape.lines.catch(undefined),
      layout: coverDesign.shape.layout.catch(undefined),
      title: coverDesign.shape.title.catch(undefined),
      ground: coverDesign.shape.ground.catch(undefined),
    })
    .optional()
    .catch(undefined),
})

export function readStoredCover(row: CoverColumns): CoverRecipe {
  return storedCover.parse(saidCover(row))
}
