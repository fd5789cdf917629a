import { z } from 'zod'
import { text } from './values.ts'

export const ORIGINS = ['data', 'human', 'machine', 'cldr'] as const
const origin = z.enum(ORIGINS)

/** What a folder translates by code. Sentences that recur on many rows are phrases, in files of their own. */
export const SUBJECTS = [
  'brand',
  'game',
  'category',
  'unit',
  'region',
  'country',
  'currency',
  'platform',
  'article_category',
  'article',
] as const
export type Subject = (typeof SUBJECTS)[number]

/**
 * A translation of the English beside it as it stands. One made from an older English, or of another origin than its file
 * says, is written out.
 */
const entry = z.union([
  text,
  z.strictObject({
    text,
    origin: origin.optional(),
    english_hash: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .optional(),
  }),
])
/** Articles: title, summary, sections.0.heading, sections.0.paragraphs.0 … Units: name, one, few, =1 … */
const fieldName = z
  .string()
  .max(60)
  .regex(/^(=\d|[a-z_]+(\.\d{1,3}\.(heading|paragraphs\.\d{1,3}))?)$/)
/** A text alone is the name. */
const fields = z.union([entry, z.record(fieldName, entry)])
const byCode = z.record(z.string().max(160), fields)

const subjectEntries = SUBJECTS.map((subject) => [subject, byCode.optional()] as const)
const originEntries = [...SUBJECTS, 'phrase' as const].map(
  (subject) => [subject, origin.optional()] as const,
)

/** translations/<language>.json */
export const translations = z.strictObject({
  origins: z
    .strictObject(
      Object.fromEntries(originEntries) as Record<Subject | 'phrase', z.ZodOptional<typeof origin>>,
    )
    .optional(),
  ...(Object.fromEntries(subjectEntries) as Record<Subject, z.ZodOptional<typeof byCode>>),
})
/** translations/phrases/<language>.json: English → translation. */
export const phrases = z.record(z.string().min(1).max(4_000), entry)

export type Origin = z.infer<typeof origin>
export type TranslationEntry = z.infer<typeof entry>
export type TranslationFields = z.infer<typeof fields>
export type TranslationFile = z.infer<typeof translations>
export type PhraseFile = z.infer<typeof phrases>
