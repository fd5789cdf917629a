import { z } from 'zod'
import { FIGURE_NAMES } from './cover/figures.ts'
import { coverRecipe } from './cover/recipe.ts'
import { GOODS_VIEWS, MOST_GOODS } from './cover/goods-art.ts'
import { SCENE_NAMES } from './cover/scene.ts'

/** What a picture is made from: a cover, a scene of the news, a figure beside a field, goods together, a file on this machine, or the sign of a country or region. */
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
  }),
  z.strictObject({ kind: z.literal('flag'), country: z.string().regex(/^[A-Za-z0-9-]{1,12}$/) }),
])
export type PictureRecipe = z.infer<typeof pictureRecipe>
