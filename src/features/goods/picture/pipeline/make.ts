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

/** A picture that an operator has sent, by its hash; null where it is not there. */
export type ReadSent = (hash: string) => Promise<Uint8Array | null>

/** Has the process for pictures do it. That one has no database: what was sent goes along, behind the line that says what is wanted. */
export function createPictureMaker(socket: string, readSent: ReadSent): MakePicture {
  return async (recipe, request, form) => {
    const sent = recipe.kind === 'sent' ? await readSent(recipe.hash) : null
    if (recipe.kind === 'sent' && sent === null) return null
    const wanted = `${JSON.stringify({ recipe, request, form })}\n`
    const call = Buffer.concat([Buffer.from(wanted), sent ?? Buffer.alloc(0)])
    const { status, body } = await askLocally(socket, '/make', call, LIMITS)
    if (status === 200) return body
    if (status === 404) return null
    throw new Error(`the process for pictures answered ${status} ${body.toString()}`)
  }
}

export interface WantedPicture {
  readonly recipe: PictureRecipe
  readonly request: PictureRequest
  readonly form: PictureForm
  /** Bytes of a picture that was sent. */
  readonly sent: Buffer
}

/** What such a call says. */
export function readWanted(body: Buffer): WantedPicture {
  const end = body.indexOf(0x0a)
  const said = JSON.parse(body.toString('utf8', 0, end)) as Omit<WantedPicture, 'sent'>
  return { ...said, sent: body.subarray(end + 1) }
}
