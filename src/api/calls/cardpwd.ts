import { z } from 'zod'
import { openCase } from '#features/buying/after-sales/commands.ts'
import { CASE_TEXT_MAX } from '#features/buying/after-sales/rules.ts'
import { EXPORTED_MOST, exportKeys, markUsed, revealKey } from '#features/buying/vault/commands.ts'
import { getOwnKey } from '#features/buying/vault/queries.ts'
import { keyShape, revealedShape } from '#features/buying/vault/schema.ts'
import { keysAsCsv, listKeyViews, revealedView } from '#features/buying/vault/views.ts'
import { pagedShape, pagingOf, personalPaging } from '../parameters.ts'
import { personalCall } from '../personal/call.ts'
import { readerOf } from '../personal/reader.ts'

const ID = 'pZ1xqk0bRk2v8k4y6c9w1A'
const id = z
  .string()
  .max(100)
  .meta({ description: 'Of a key in the list', examples: [ID] })
const order = z.string().max(100).optional()

export const cardpwdIndex = personalCall({
  path: 'cardpwd/index',
  method: 'GET',
  summary: 'List card passwords',
  description:
    'Keys of the cards the person bought, newest order first, hidden but for their last characters.',
  access: 'signed-in',
  limit: 'read',
  body: z.object({
    order: order.catch(undefined).meta({ description: 'Only those of this order' }),
    ...personalPaging,
  }),
  data: pagedShape(keyShape).meta({ id: 'CardKeyPage' }),
  example: { page: 1, limit: 20 },
  async answer(caller, body) {
    const { page, limit } = pagingOf(body)
    const { list, total } = await listKeyViews(
      caller.ctx.db,
      readerOf(caller),
      caller.person.accountId,
      { order: body.order || undefined, page, limit },
    )
    return { list, total, page, limit, pages: Math.ceil(total / limit) }
  },
})

export const cardpwdReveal = personalCall({
  path: 'cardpwd/reveal',
  method: 'POST',
  summary: 'Reveal a card password',
  description:
    'The only answer that holds a code, with the export. Every look is recorded. What was given back is not revealed any more, nor for the first time what money is asked back for.',
  access: 'fresh',
  limit: 'costly',
  body: z.strictObject({ id }),
  data: revealedShape,
  example: { id: ID },
  isSecretAnswer: true,
  async answer({ ctx, person, t, visitor, services }, body) {
    const parts = await revealKey(ctx, services.vault, {
      unit: body.id,
      accountId: person.accountId,
      network: visitor.network,
    })
    return revealedView(t, body.id, parts)
  },
})

export const cardpwdUsed = personalCall({
  path: 'cardpwd/used',
  method: 'POST',
  summary: 'Note that a card password is used',
  description:
    'A note of the owner, who can take it back; the shop does not know what is redeemed.',
  access: 'signed-in',
  limit: 'write',
  body: z.strictObject({ id, used: z.boolean().meta({ examples: [true] }) }),
  data: z.literal(true),
  example: { id: ID, used: true },
  async answer({ ctx, person }, body) {
    await markUsed(ctx, { unit: body.id, accountId: person.accountId, isUsed: body.used })
    return true as const
  },
})

export const cardpwdReport = personalCall({
  path: 'cardpwd/report',
  method: 'POST',
  summary: 'Report a card password that does not work',
  description:
    'Opens a case about it, which the shop decides. Code 2433 while one about it is open.',
  access: 'signed-in',
  limit: 'costly',
  body: z.strictObject({
    id,
    text: z
      .string()
      .max(CASE_TEXT_MAX)
      .meta({
        description: 'What happened when it was redeemed',
        examples: ['The site says the code was used before.'],
      }),
  }),
  data: z.object({ case: z.string().meta({ examples: [ID] }) }).meta({ id: 'ReportedKey' }),
  example: { id: ID, text: 'The site says the code was used before.' },
  async answer({ ctx, person }, body) {
    const key = await getOwnKey(ctx.db, person.accountId, body.id)
    return {
      case: await openCase(ctx, person.accountId, {
        kind: 'faulty_key',
        order: key.order,
        units: [body.id],
        reason: 'code_invalid',
        text: body.text.trim(),
        picture: null,
        destination: 'original',
      }),
    }
  },
})

export const cardpwdExport = personalCall({
  path: 'cardpwd/export',
  method: 'POST',
  summary: 'Card passwords as a file',
  description: `All that the person holds, or those of one order, as CSV; the newest ${EXPORTED_MOST}. Every key in it counts as revealed, and that is recorded.`,
  access: 'fresh',
  limit: 'costly',
  body: z.strictObject({ order: order.meta({ description: 'Only those of this order' }) }),
  data: z.object({ name: z.string().meta({ examples: ['card-passwords.csv'] }), csv: z.string() }),
  example: {},
  isSecretAnswer: true,
  async answer(caller, body) {
    const { ctx, person, visitor, services } = caller
    const reader = readerOf(caller)
    const asked = { order: body.order || undefined }
    const opened = await exportKeys(ctx, services.vault, {
      accountId: person.accountId,
      network: visitor.network,
      ...asked,
    })
    const { list } = await listKeyViews(ctx.db, reader, person.accountId, {
      ...asked,
      page: 1,
      limit: EXPORTED_MOST,
    })
    return { name: 'card-passwords.csv', csv: await keysAsCsv(reader, list, opened) }
  },
  file: { type: 'text/csv; charset=utf-8', isOnly: true },
  asFile: ({ name, csv }) => ({ name, body: csv }),
})
