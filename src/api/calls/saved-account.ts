import { z } from 'zod'
import {
  forgetSavedAccount,
  renameSavedAccount,
  saveAccount,
} from '#features/buying/saved-account/commands.ts'
import { listSavedAccounts } from '#features/buying/saved-account/queries.ts'
import { fieldSetOf } from '#features/buying/saved-account/rules.ts'
import { findProduct } from '#features/goods/browse/queries.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { personalCall, type SignedInCaller } from '../personal/call.ts'
import { accountFieldsShape } from './order-create.ts'

const idShape = z
  .string()
  .min(1)
  .max(40)
  .meta({ description: 'Of a saved account', examples: ['0Yb1nq4p8T2cVx9sKd3LwA'] })
const labelShape = z
  .string()
  .max(200)
  .meta({ description: 'A name of their own, at most 40 characters', examples: ['My brother'] })
const productShape = z
  .string()
  .max(100)
  .meta({
    description: 'Code of a product that asks for the fields',
    examples: ['mobile-legends-global'],
  })

const savedShape = z
  .object({
    list: z
      .array(
        z.object({
          id: idShape,
          label: labelShape,
          field_set: z.string().meta({
            description: 'A brand, or `phone` for the operators of every country',
            examples: ['mobile-legends'],
          }),
          fields: accountFieldsShape,
        }),
      )
      .meta({ description: 'Newest first' }),
  })
  .meta({ id: 'SavedAccounts' })

export const accountSaved = personalCall({
  path: 'account/saved',
  method: 'GET',
  summary: 'List saved accounts of games and phones',
  description: 'All of them, or those that fit a product.',
  access: 'signed-in',
  limit: 'read',
  body: z.object({ product: productShape.optional() }),
  data: savedShape,
  example: { product: 'mobile-legends-global' },
  answer: async (caller, { product: code }) =>
    code === undefined ? show(caller, null) : showFitting(caller, code),
})

export const accountSave = personalCall({
  path: 'account/save',
  method: 'POST',
  summary: 'Save an account of a game or a phone',
  description:
    'Answers those that fit the product. Under a name, by itself its first value; one that is saved already gets the name. With `id` in place of the account it renames one. At most 50 are kept. Codes: 2422 with a fault at `label`, or at each field (`fields.<key>`) that is wrong.',
  access: 'signed-in',
  limit: 'write',
  body: z.strictObject({
    product: productShape.optional(),
    fields: accountFieldsShape.optional(),
    id: idShape.optional(),
    label: labelShape.optional(),
  }),
  data: savedShape,
  example: {
    product: 'mobile-legends-global',
    fields: { user_id: '81234567', zone_id: '2233' },
    label: 'My brother',
  },
  answer: async (caller, body) => {
    const { ctx, shop, person } = caller
    const { id, product, fields = {}, label = '' } = body
    if (id !== undefined) await renameSavedAccount(ctx, person.accountId, { id, label })
    else if (product === undefined) throw fieldError('product', 'required')
    else {
      await saveAccount(ctx, shop, person.accountId, { product, fields, label })
      return showFitting(caller, product)
    }
    return show(caller, null)
  },
})

export const accountForget = personalCall({
  path: 'account/forget',
  method: 'POST',
  summary: 'Remove a saved account',
  description: 'One that is gone stays gone.',
  access: 'signed-in',
  limit: 'write',
  body: z.strictObject({ id: idShape }),
  data: savedShape,
  example: { id: '0Yb1nq4p8T2cVx9sKd3LwA' },
  answer: async (caller, { id }) => {
    await forgetSavedAccount(caller.ctx, caller.person.accountId, id)
    return show(caller, null)
  },
})

function showFitting(caller: SignedInCaller, code: string) {
  const product = findProduct(caller.shop, code)
  if (!product) throw new AppError('not_found')
  return show(caller, fieldSetOf(product))
}

async function show({ ctx, person }: SignedInCaller, fieldSet: string | null) {
  const saved = await listSavedAccounts(ctx.db, person.accountId, fieldSet)
  return {
    list: saved.map(({ id, label, fieldSet: field_set, fields }) => ({
      id,
      label,
      field_set,
      fields: { ...fields },
    })),
  }
}
