import { z } from 'zod'
import { changeText, checkedText } from '#features/office/text/commands.ts'
import { warningsOf } from '#features/office/text/engine/compare.ts'
import { findOwnText, listTexts } from '#features/office/text/queries.ts'
import { TEXT_MOST } from '#features/office/text/engine/texts.ts'
import { operatorCall } from '../call.ts'
import { language, moment, nothing } from './shapes.ts'

const PAGE = 50
const key = z
  .string()
  .max(200)
  .regex(/^[a-zA-Z0-9._-]+$/)
const VERSION = '47DEQpj8HBSa-_TImW-5JC'
const version = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22}$/)
  .meta({ examples: [VERSION] })
const text = z.string().trim().min(1).max(TEXT_MOST).nullable()
const CHANGE = { language: 'th', key: 'shell.cart', text: 'ตะกร้าของฉัน' } as const

const textsList = operatorCall({
  path: 'console/texts/list',
  summary: 'Texts of the program in one language, each with the shop’s own words for it',
  description:
    'Every word of `query` stands in the key, or in the text in any language. `next` is the `after` of the next page.',
  body: z.object({
    language,
    query: z.string().max(200).optional(),
    area: z.string().max(40).optional(),
    own: z.enum(['1']).optional(),
    after: key.optional(),
  }),
  data: z.object({
    texts: z.array(
      z.object({
        key: z.string(),
        original: z.string(),
        english: z.string(),
        own: z.object({ text: z.string(), by: z.string(), at: moment }).nullable(),
        original_changed: z.boolean(),
        version,
      }),
    ),
    next: z.string().nullable(),
  }),
  example: { language: 'th', query: 'cart' },
  async answer({ ctx }, { language: code, query = '', area, own, after }) {
    const filter = { language: code, query, area: area ?? null, isOwnOnly: own !== undefined }
    const { texts, next } = await listTexts(ctx.db, filter, after ?? null, PAGE)
    return {
      texts: texts.map((each) => ({
        key: each.key,
        original: each.original,
        english: each.english,
        own: each.own && {
          text: each.own.text,
          by: each.own.madeBy,
          at: each.own.madeAt.toISOString(),
        },
        original_changed: each.isOriginalChanged,
        version: each.version,
      })),
      next,
    }
  },
})

const textsPreview = operatorCall({
  path: 'console/texts/preview',
  summary: 'What words of the shop’s own would replace, and what they leave out, before they hold',
  body: z.strictObject({ language, key, text }),
  data: z.object({
    before: z.string(),
    after: z.string(),
    warnings: z.array(
      z.object({ kind: z.enum(['lacks_values', 'lacks_forms']), values: z.array(z.string()) }),
    ),
  }),
  example: CHANGE,
  async answer({ ctx }, given) {
    const { original } = checkedText(given)
    const own = await findOwnText(ctx.db, given.language, given.key)
    const after = given.text ?? original
    return {
      before: own?.text ?? original,
      after,
      warnings: warningsOf(given.language, after, original).map(({ kind, values }) => ({
        kind,
        values: [...values],
      })),
    }
  },
})

const textsChange = operatorCall({
  path: 'console/texts/change',
  summary: 'Put the shop’s own words in place of a text, or take them back',
  description: 'Pages, mails and receipts have them within five seconds. No text takes them back.',
  body: z.strictObject({ language, key, text, version }),
  data: nothing,
  example: { ...CHANGE, version: VERSION },
  async answer({ ctx }, given) {
    await changeText(ctx, given)
    return {}
  },
})

export const TEXT_CALLS = [textsList, textsPreview, textsChange] as const
