import { z } from 'zod'
import { FIGURE_NAMES } from '#features/goods/picture/cover/figures.ts'
import { coverRecipe } from '#features/goods/picture/cover/recipe.ts'
import {
  filePath,
  pictureCrop,
  saidPicture,
  type SaidPicture,
} from '#features/goods/picture/schema.ts'
import { languageCode, text } from './values.ts'

const file = z.strictObject({ file: filePath, crop: pictureCrop.optional() })
/** A cover drawn from a recipe, or a file below the shop's picture folder. */
export const picture = saidPicture
const { color, tag, short, design } = coverRecipe.shape
/** Null: without what the brand's cover has. */
const partialCover = coverRecipe.partial().extend({
  color: color.nullable(),
  tag: tag.nullable(),
  short: short.nullable(),
  design: design.nullable(),
})
/** A product's own picture; a cover says only what differs from its brand's. */
export const productPicture = z.union([z.strictObject({ cover: partialCover }), file])

/** Where what a field asks for is found: a figure drawn by the shop, or a file, of which languages may have another. */
export const fieldPicture = z.union([
  z.strictObject({ figure: z.enum(FIGURE_NAMES), alt: text }),
  z.strictObject({
    file: filePath,
    languages: z.partialRecord(languageCode, filePath).optional(),
    alt: text,
  }),
])
export type FieldPicture = z.infer<typeof fieldPicture>

export type Picture = SaidPicture
export type ProductPicture = z.infer<typeof productPicture>
