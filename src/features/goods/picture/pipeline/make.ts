import { askLocally } from '#platform/local-service.ts'
import type { PictureRequest } from '../rules.ts'
import type { PictureRecipe } from '../schema.ts'
import type { PictureForm } from './negotiation.ts'

/** A rendition's bytes; null when the recipe's file is missing, too large, or no picture. */
export type MakePicture = (
  recipe: PictureRecipe,
  request: PictureRequest,
  form: PictureForm,
) => Promise<Uint8Array | null>

/** A picture of the shop's own is drawn again when the process went away over it: a stranger's file may have ended it meanwhile. */
const LIMITS = { timeoutMs: 30_000, connectMs: 10_000, tries: 3 } as const

/** Has the process for pictures do it. */
export function createPictureMaker(socket: string): MakePicture {
  return async (recipe, request, form) => {
    const wanted = JSON.stringify({ recipe, request, form })
    const { status, body } = await askLocally(socket, '/make', wanted, LIMITS)
    if (status === 200) return body
    if (status === 404) return null
    throw new Error(`the process for pictures answered ${status} ${body.toString()}`)
  }
}
