import { z } from 'zod'
import { VOICE_NAMES } from './alphabet.ts'
import { INK_NAMES } from './inks.ts'
import { MOTIF_NAMES, type MotifName } from './motif.ts'

/** The object says the kind: poster, hanging card, scratch card, SIM, SIM with signal steps, ticket. */
export const COVER_KINDS = ['topup', 'gift', 'pin', 'sim', 'data', 'sub'] as const
export type CoverKind = (typeof COVER_KINDS)[number]

/** Where the motif stands on the sheet; see `layout.ts`. */
export const LAYOUTS = [
  'centre',
  'big',
  'right',
  'left',
  'giant',
  'horizon',
  'field',
  'repeat',
  'diagonal',
] as const
export type Layout = (typeof LAYOUTS)[number]

export const GROUNDS = ['plain', 'sun', 'rays', 'split', 'diagonal'] as const
export type Ground = (typeof GROUNDS)[number]

/** `card` is the cover as a link preview shows it. */
export type CoverRatio = '3:4' | '1:1' | '16:10' | '2:1' | 'card'

/** Control characters and lone surrogates have no place in XML. */
const plainText = (max: number) =>
  z
    .string()
    .max(max)
    .refine(
      (text) => text.isWellFormed() && !/[\p{Cc}\uFFFE\uFFFF]/u.test(text),
      'control characters are not allowed',
    )

const oneOf = <T extends string>(what: string, names: readonly T[]) =>
  z.enum(names as [T, ...T[]], {
    error: ({ input }) => `unknown ${what} ${JSON.stringify(input)?.slice(0, 60)}`,
  })

/** What is drawn. What a recipe leaves out is chosen once, by the rule in `choose.ts`, when a folder is imported. */
export const coverDesign = z.strictObject({
  motif: oneOf<MotifName>('motif', MOTIF_NAMES).optional(),
  /** Ground, main shape, second tone, accent. */
  inks: z
    .array(oneOf('ink', INK_NAMES))
    .length(4, 'four inks: ground, main shape, second tone, accent')
    .optional(),
  /** Of the lettering. */
  ink: oneOf('ink', INK_NAMES).optional(),
  voice: oneOf('voice', VOICE_NAMES).optional(),
  /** The lettering: `~` before a small line, `^` before the numeral at the end of one. */
  lines: z
    .array(plainText(40).min(1))
    .min(1)
    .max(4)
    .refine((lines) => lines.some((line) => !line.startsWith('~')), 'not every line can be small')
    .optional(),
  layout: oneOf('layout', LAYOUTS).optional(),
  /** At the head of the sheet instead of its foot. */
  title: oneOf('place of the title', ['top', 'foot'] as const).optional(),
  ground: oneOf('ground', GROUNDS).optional(),
})
export type PartialDesign = z.infer<typeof coverDesign>
export type CoverDesign = { [K in keyof PartialDesign]-?: NonNullable<PartialDesign[K]> }

/** What a cover is drawn from. */
export const coverRecipe = z.strictObject({
  name: plainText(120).min(1),
  kind: z.enum(COVER_KINDS),
  /** The brand's colour as `#rrggbb`: the ground chosen for it is the nearest ink. */
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .optional(),
  /** Small code printed on the card: a region or currency. */
  tag: z
    .string()
    .regex(/^[A-Za-z0-9+\-&%. ]{0,8}$/)
    .optional(),
  /** What the lettering is made from, where the name is poor for it. */
  short: plainText(40).min(1).optional(),
  design: coverDesign.optional(),
})
export type CoverRecipe = z.infer<typeof coverRecipe>
