import { z } from 'zod'
import { orderIdShape, orderShape } from '#features/buying/order/view/shapes.ts'
import { getOrderView } from '#features/buying/order/views.ts'
import { keepPlayers } from '#features/supply/account-check/commands.ts'
import { judgeCorrection } from '#features/supply/account-check/flows.ts'
import { correctUnits } from '#features/supply/purchase/commands.ts'
import { personalCall } from '../personal/call.ts'
import { readerOf } from '../personal/reader.ts'
import { accountFieldsShape } from './order-create.ts'

export const orderCorrect = personalCall({
  path: 'order/correct',
  method: 'POST',
  summary: 'Correct the account that goods are credited to',
  description:
    'For a unit in state `needs_input`, and all of its line that are: what was given could not be credited. They are tried again with what is given now, for the same money. ' +
    'Codes: 2423 nothing of it waits for that, 2422 with a fault at each field (`fields.<key>`) that is wrong.',
  access: 'signed-in',
  limit: 'write',
  body: z.strictObject({
    order: orderIdShape,
    unit: z
      .string()
      .max(100)
      .meta({ description: 'Id of a unit', examples: ['bY7tq1m4Qk2Zr8v0c6w9xA'] }),
    fields: accountFieldsShape,
  }),
  data: orderShape,
  example: {
    order: 'pZ1xqk0bRk2v8k4y6c9w1A',
    unit: 'bY7tq1m4Qk2Zr8v0c6w9xA',
    fields: { user_id: '81234567' },
  },
  answer: async (caller, { order, unit, fields }) => {
    const { ctx, shop, person, services } = caller
    const correction = { accountId: person.accountId, order, unit, fields }
    const players = await judgeCorrection(ctx, shop, services.checkAccount, correction)
    await correctUnits(ctx, shop, correction)
    await keepPlayers(ctx, order, players)
    return getOrderView(ctx.db, readerOf(caller), person.accountId, order)
  },
})
