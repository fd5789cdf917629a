import { z } from 'zod'
import { startSelling, stopSelling } from '#features/goods/sale-stop/commands.ts'
import { listStops } from '#features/goods/sale-stop/queries.ts'
import { STOP_KINDS, STOP_REASON_MAX, type StopKind } from '#features/goods/sale-stop/rules.ts'
import { operatorCall } from '../call.ts'
import { moment } from './shapes.ts'

const sellingList = operatorCall({
  path: 'console/selling/list',
  summary: 'What is not sold for the moment, longest first',
  body: z.object({}),
  data: z.array(
    z.object({
      kind: z.enum(STOP_KINDS),
      code: z.string(),
      reason: z.string(),
      stopped_by: z.string(),
      stopped: moment,
    }),
  ),
  example: {},
  async answer({ ctx }) {
    return (await listStops(ctx.db)).map(({ kind, code, reason, stoppedBy, stoppedAt }) => ({
      kind,
      code,
      reason,
      stopped_by: stoppedBy,
      stopped: stoppedAt.toISOString(),
    }))
  },
})

const reason = z.string().trim().min(1).max(STOP_REASON_MAX)
const code = z.string().min(1).max(200)
const done = z.object({
  /** False where it was so already. */
  is_new: z.boolean(),
})
const STOPS =
  'Within two seconds nobody can order or begin to pay for it, in any process. What is paid already is delivered; where a supplier is stopped it waits.'

type Named = Exclude<StopKind, 'shop'>

const stopOf = <Kind extends Named>(kind: Kind, what: string, example: string) =>
  operatorCall({
    path: `console/selling/stop_${kind}`,
    summary: `Stop selling ${what}, at once`,
    description: STOPS,
    body: z.strictObject({ code, reason }),
    data: done,
    example: { code: example, reason: 'Codes are reported faulty.' },
    answer: async ({ ctx }, given) => ({
      is_new: await stopSelling(ctx, { kind, code: given.code }, given.reason),
    }),
  })

const startOf = <Kind extends Named>(kind: Kind, what: string, example: string) =>
  operatorCall({
    path: `console/selling/start_${kind}`,
    summary: `Sell ${what} again`,
    body: z.strictObject({ code }),
    data: done,
    example: { code: example },
    answer: async ({ ctx }, given) => ({
      is_new: await startSelling(ctx, { kind, code: given.code }),
    }),
  })

const stopShop = operatorCall({
  path: 'console/selling/stop_shop',
  summary: 'Stop selling anything, at once',
  description: STOPS,
  body: z.strictObject({ reason }),
  data: done,
  example: { reason: 'Prices are wrong.' },
  answer: async ({ ctx }, given) => ({
    is_new: await stopSelling(ctx, { kind: 'shop', code: '' }, given.reason),
  }),
})

const startShop = operatorCall({
  path: 'console/selling/start_shop',
  summary: 'Sell again',
  body: z.strictObject({}),
  data: done,
  example: {},
  answer: async ({ ctx }) => ({ is_new: await startSelling(ctx, { kind: 'shop', code: '' }) }),
})

const stopProduct = stopOf('product', 'a product', 'steam-us')
const startProduct = startOf('product', 'a product', 'steam-us')
const stopShelf = stopOf('shelf', 'one item', 'card:steam:us:20')
const startShelf = startOf('shelf', 'one item', 'card:steam:us:20')
const stopSupplier = stopOf('supplier', 'what a supplier delivers', 'hook')
const startSupplier = startOf('supplier', 'what a supplier delivers', 'hook')
const stopMethod = stopOf('method', 'by one way to pay', 'card')
const startMethod = startOf('method', 'by one way to pay', 'card')

export const SELLING_CALLS = [
  sellingList,
  stopShop,
  startShop,
  stopProduct,
  startProduct,
  stopShelf,
  startShelf,
  stopSupplier,
  startSupplier,
  stopMethod,
  startMethod,
] as const
