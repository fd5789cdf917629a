import { z } from 'zod'

/** The object says the kind: poster, hanging card, scratch card, SIM, SIM with signal steps, ticket. */
export const COVER_KINDS = ['topup', 'gift', 'pin', 'sim', 'data', 'sub'] as const
export type CoverKind = (typeof COVER_KINDS)[number]

export const MOTIF_NAMES = [
  'gem',
  'crystals',
  'coins',
  'token',
  'shield',
  'flame',
  'reticle',
  'star',
  'planet',
  'waves',
  'peaks',
  'prism',
  'bars',
  'arches',
  'cubes',
  'petals',
  'bolt',
  'road',
  'signal',
  'truchet',
  'frames',
  'eclipse',
  'fan',
  'rings',
  'crown',
  'swords',
  'ball',
  'parcel',
  'tags',
  'bowl',
  'sprite',
  'bubbles',
  'pad',
  'leaf',
  'ribbon',
  'headset',
  'wheel',
] as const
export type MotifName = (typeof MOTIF_NAMES)[number]

export type CoverRatio = '3:4' | '1:1' | '16:10' | '2:1'

/** Control characters and lone surrogates have no place in XML. */
const plainText = (max: number) =>
  z
    .string()
    .max(max)
    .refine(
      (text) => text.isWellFormed() && !/[\p{Cc}\uFFFE\uFFFF]/u.test(text),
      'control characters are not allowed',
    )

/**
 * What a cover is drawn from. All chance comes from the lettering (or `seed`), so every region and denomination of one
 * product family wears the same picture; only the printed tag differs.
 */
export const coverRecipe = z.strictObject({
  /** The product's name; also the text alternative inside the drawing. */
  name: plainText(120).min(1),
  kind: z.enum(COVER_KINDS),
  /** The brand's colour as `#rrggbb`; only its hue family is borrowed. Without it the lettering's hash chooses. */
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .optional(),
  /** Small code printed on the card: a region or currency. */
  tag: z
    .string()
    .regex(/^[A-Za-z0-9+\-&%. ]{0,8}$/)
    .optional(),
  /** The lettering, where the one made from the name is poor. */
  short: z
    .string()
    .regex(/^[A-Za-z0-9+\-&%. ]{0,40}$/)
    .optional(),
  motif: z.enum(MOTIF_NAMES).optional(),
  /** Where chance comes from instead of the lettering, for pictures that share their words (news of one category). */
  seed: plainText(120).optional(),
})
export type CoverRecipe = z.infer<typeof coverRecipe>
