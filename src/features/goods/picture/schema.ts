import { z } from 'zod'
import { FIGURE_NAMES } from './cover/figures.ts'
import { coverRecipe } from './cover/recipe.ts'
import { GOODS_VIEWS, MOST_GOODS } from './cover/goods-art.ts'
import { SCENE_NAMES } from './cover/scene.ts'

const share = z.int().min(0).max(10_000)
const side = z.int().min(100).max(10_000)
/** A part of a picture, in ten-thousandths of its width and height. */
const cropArea = z
  .strictObject({ x: share, y: share, width: side, height: side })
  .refine(
    ({ x, y, width, height }) => x + width <= 10_000 && y + height <= 10_000,
    'expected a part of the picture',
  )
/** What is shown of a picture where it stands upright, and where it is square; what is not said is its middle. */
export const pictureCrop = z.strictObject({
  '3:4': cropArea.optional(),
  '1:1': cropArea.optional(),
})
export type CropArea = z.infer<typeof cropArea>
export type PictureCrop = z.infer<typeof pictureCrop>

export const filePath = z
  .string()
  .max(200)
  .regex(/^[a-z0-9]+([/._-][a-z0-9]+)*$/, 'expected a path below the picture folder')
/** A picture as a catalogue says it: a cover drawn from a recipe, or a file below the shop's picture folder. */
export const saidPicture = z.union([
  z.strictObject({ cover: coverRecipe }),
  z.strictObject({ file: filePath, crop: pictureCrop.optional() }),
])
export type SaidPicture = z.infer<typeof saidPicture>

/** What a picture is made from: a cover, a scene of the news, a figure beside a field, goods together, a file on this machine, a picture that an operator has sent, or the sign of a country or region. */
export const pictureRecipe = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('cover'), recipe: coverRecipe }),
  z.strictObject({
    kind: z.literal('scene'),
    scene: z.enum(SCENE_NAMES),
    isMirrored: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('figure'), figure: z.enum(FIGURE_NAMES) }),
  z.strictObject({
    kind: z.literal('goods'),
    view: z.enum(GOODS_VIEWS),
    goods: z.array(coverRecipe).min(1).max(MOST_GOODS),
  }),
  z.strictObject({
    kind: z.literal('file'),
    /** As the catalogue names it, or absolute; JPEG, PNG, WebP, AVIF or GIF. */
    path: z.string().min(1),
    /** SHA-256 of the bytes where it is known; only then can the picture be cached for good. */
    contentHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    crop: pictureCrop.optional(),
  }),
  z.strictObject({
    kind: z.literal('sent'),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    crop: pictureCrop.optional(),
  }),
  z.strictObject({ kind: z.literal('flag'), country: z.string().regex(/^[A-Za-z0-9-]{1,12}$/) }),
])
export type PictureRecipe = z.infer<typeof pictureRecipe>

/** A picture that is no drawing. */
export function isPhotograph(
  recipe: PictureRecipe,
): recipe is Extract<PictureRecipe, { kind: 'file' | 'sent' }> {
  return recipe.kind === 'file' || recipe.kind === 'sent'
}
