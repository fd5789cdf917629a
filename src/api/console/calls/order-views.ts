import { z } from 'zod'
import {
  chooseColumns,
  removeView,
  saveView,
  searchOrders,
} from '#features/office/desk/commands.ts'
import { ORDER_COLUMNS } from '#features/office/desk/rules.ts'
import { operatorCall } from '../call.ts'
import { nothing, publicId } from './shapes.ts'

const ordersSaveView = operatorCall({
  path: 'console/orders/save_view',
  summary: 'Keep a list of orders, with its filters, under a name of your own',
  body: z.strictObject({
    name: z.string().trim().min(1).max(60),
    filters: z
      .record(z.string().max(20), z.string().max(100))
      .meta({ examples: [{ view: 'open' }] }),
  }),
  data: z.object({ id: publicId }),
  example: { name: 'Open, Germany', filters: { view: 'open', country: 'DE' } },
  answer: async ({ ctx }, given) => ({ id: await saveView(ctx, given) }),
})

const ordersRemoveView = operatorCall({
  path: 'console/orders/remove_view',
  summary: 'Forget a list of your own',
  body: z.strictObject({ id: publicId }),
  data: nothing,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx }, { id }) {
    await removeView(ctx, id)
    return {}
  },
})

const ordersColumns = operatorCall({
  path: 'console/orders/columns',
  summary: 'Choose which columns you see of the list of orders',
  body: z.strictObject({ columns: z.array(z.enum(ORDER_COLUMNS)).max(ORDER_COLUMNS.length) }),
  data: nothing,
  example: { columns: ['customer', 'total', 'age'] },
  async answer({ ctx }, { columns }) {
    await chooseColumns(ctx, columns)
    return {}
  },
})

const TEXT_MAX = 200

const ordersFind = operatorCall({
  path: 'console/orders/find',
  summary: 'Find orders by number, person, account, code or reference',
  description:
    'It is a POST although it changes nothing: what is looked for stands in no address and no log. People are found with `shopper.read`, codes with `key.read`. `handle` opens the same search in the console for twelve hours, for whoever made it.',
  body: z.strictObject({ text: z.string().trim().min(1).max(TEXT_MAX) }),
  data: z.object({ orders: z.array(z.string()), handle: z.string() }),
  example: { text: '4821730951266' },
  async answer({ ctx }, { text }) {
    const { numbers, handle } = await searchOrders(ctx, text)
    return { orders: [...numbers], handle }
  },
})

export const ORDER_VIEWS_CALLS = [
  ordersFind,
  ordersSaveView,
  ordersRemoveView,
  ordersColumns,
] as const
