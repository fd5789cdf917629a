import type { FaultShop } from './shop.ts'
import { completed, decide, insist, type Answer, type Shopper } from './shopper.ts'

/** Who meets where. */
export interface Stage {
  readonly shop: FaultShop
  readonly shopper: Shopper
  readonly items: readonly string[]
}

/** What was there before the requests came. */
export type Ground = Readonly<Record<string, string>>
type Scene = Stage & { readonly ground: Ground }

/** Requests to one call that get into each other's way. */
export interface Conflict {
  readonly prepare?: (stage: Stage) => Promise<Ground>
  /** The first is sent by half of the callers. */
  readonly bodies: (scene: Scene) => readonly unknown[]
  /** All are sent under one idempotency key. */
  readonly isKeyed?: true
  readonly findAnomalies?: (
    scene: Scene & { readonly answers: readonly Answer[] },
  ) => Promise<readonly string[]>
}

const PATIENCE_MS = 60_000
const item = ({ items }: Stage, at = 0) => items[at % items.length] ?? ''
const one = (stage: Stage, quantity = 1) => ({ lines: [{ item: item(stage), quantity }] })
const successes = (answers: readonly Answer[]) => answers.filter(({ code }) => code === 1)
const unless = (isTrue: boolean, sentence: string) => (isTrue ? [] : [sentence])

/** By call; every other is sent its own example. */
export const CONFLICTS: Readonly<Record<string, Conflict>> = {
  'cart/add': {
    bodies: (stage) => [1, 2, 3].map((quantity) => ({ item: item(stage), quantity, fields: {} })),
    findAnomalies: async ({ shopper, answers }) => {
      const lines = await cartLines(shopper)
      return [
        ...unless(lines.length === 1, `the same goods stand in ${lines.length} lines`),
        ...unless((lines[0]?.quantity ?? 0) >= successes(answers).length, 'what was added is lost'),
      ]
    },
  },
  'cart/update': {
    prepare: inCart,
    bodies: ({ ground }) => [2, 3, 4].map((quantity) => ({ id: ground.line, quantity })),
    findAnomalies: async ({ shopper }) =>
      unless(
        [2, 3, 4].includes((await cartLines(shopper))[0]?.quantity ?? 0),
        'the quantity is none of those asked for',
      ),
  },
  'cart/remove': {
    prepare: inCart,
    bodies: ({ ground }) => [{ id: ground.line }],
    findAnomalies: async ({ shopper }) =>
      unless((await cartLines(shopper)).length === 0, 'what was removed is still there'),
  },
  'cart/merge': {
    bodies: (stage) => [{ lines: [{ item: item(stage), quantity: 3, fields: {} }] }],
    findAnomalies: async ({ shopper }) =>
      unless((await cartLines(shopper))[0]?.quantity === 3, 'a cart taken over twice is doubled'),
  },
  'order/create': {
    isKeyed: true,
    bodies: (stage) => [one(stage), one(stage, 2)],
    findAnomalies: async ({ shop, shopper, answers }) => [
      ...unless(
        (await countOrders(shop, shopper)) === 1,
        `one key made ${await countOrders(shop, shopper)} orders`,
      ),
      ...unless(
        new Set(successes(answers).map(({ data }) => data.order)).size <= 1,
        'one key is answered with several orders',
      ),
    ],
  },
  'order/cancel': {
    prepare: ordered,
    bodies: ({ ground }) => [{ order: ground.order }],
    findAnomalies: async ({ shop, ground }) => {
      const events = await shop.withCtx((ctx) =>
        ctx.db
          .selectFrom('order_event as e')
          .innerJoin('shop_order as o', 'o.id', 'e.order_id')
          .select('e.id')
          .where('o.public_id', '=', ground.order ?? '')
          .where('e.to_status', '=', 'cancelled')
          .execute(),
      )
      return unless(events.length === 1, `it was cancelled ${events.length} times`)
    },
  },
  'pay/start': {
    prepare: ordered,
    bodies: ({ ground }) => [
      { order: ground.order, method: 'card' },
      { order: ground.order, method: 'wallet' },
    ],
    findAnomalies: async ({ shop, ground }) => {
      const open = await shop.withCtx((ctx) =>
        ctx.db
          .selectFrom('payment_attempt as p')
          .innerJoin('shop_order as o', 'o.id', 'p.order_id')
          .select('p.id')
          .where('o.public_id', '=', ground.order ?? '')
          .where('p.status', 'in', ['created', 'requires_action', 'seen', 'authorised'])
          .execute(),
      )
      return unless(open.length <= 1, `${open.length} payments are open`)
    },
  },
  'order/refund_request': {
    prepare: bought,
    bodies: ({ ground }) => [
      { order: ground.order, reason: 'wrong_goods', text: 'Not what I wanted.', to: 'original' },
      { order: ground.order, reason: 'other', text: 'Please give it back.', to: 'store_credit' },
    ],
    findAnomalies: async ({ shop, ground }) => {
      const cases = await shop.withCtx((ctx) =>
        ctx.db
          .selectFrom('service_case as c')
          .innerJoin('shop_order as o', 'o.id', 'c.order_id')
          .select('c.id')
          .where('o.public_id', '=', ground.order ?? '')
          .execute(),
      )
      return unless(cases.length <= 1, `${cases.length} cases were opened`)
    },
  },
  'cardpwd/reveal': {
    prepare: bought,
    bodies: ({ ground }) => [{ id: ground.unit }],
    findAnomalies: async ({ shop, ground, answers }) => {
      const shown = successes(answers)
      const noted = await shop.withCtx((ctx) =>
        ctx.db
          .selectFrom('key_access as a')
          .innerJoin('card_key as k', 'k.id', 'a.key_id')
          .innerJoin('order_unit as u', 'u.id', 'k.unit_id')
          .select('a.id')
          .where('u.public_id', '=', ground.unit ?? '')
          .execute(),
      )
      return [
        ...unless(
          new Set(shown.map(({ data }) => JSON.stringify(data.parts))).size === 1,
          'a key is shown in several ways',
        ),
        ...unless(
          noted.length === shown.length,
          `${shown.length} were shown, ${noted.length} noted`,
        ),
      ]
    },
  },
  'cardpwd/used': {
    prepare: bought,
    bodies: ({ ground }) => [
      { id: ground.unit, used: true },
      { id: ground.unit, used: false },
    ],
  },
  'cardpwd/report': {
    prepare: bought,
    bodies: ({ ground }) => [
      { id: ground.unit, text: 'It says that it was used.' },
      { id: ground.unit, text: 'It does not work.' },
    ],
    findAnomalies: async ({ answers }) =>
      unless(successes(answers).length === 1, `it was reported ${successes(answers).length} times`),
  },
  'review/create': {
    prepare: bought,
    bodies: ({ ground }) => [
      { order: ground.order, product: ground.product, rating: 5, text: 'Quick.' },
      { order: ground.order, product: ground.product, rating: 1, text: 'Slow.' },
    ],
    findAnomalies: async ({ answers }) =>
      unless(
        successes(answers).length === 1,
        `${successes(answers).length} reviews of one purchase`,
      ),
  },
}

async function cartLines(
  shopper: Shopper,
): Promise<{ readonly id: string; readonly quantity: number }[]> {
  return (await insist(() => shopper.get('cart/index'), PATIENCE_MS)).data.list
}

async function countOrders(shop: FaultShop, { accountId }: Shopper): Promise<number> {
  return shop.withCtx(
    async (ctx) =>
      (
        await ctx.db
          .selectFrom('shop_order')
          .select('id')
          .where('account_id', '=', accountId)
          .execute()
      ).length,
  )
}

async function inCart(stage: Stage): Promise<Ground> {
  const { data } = await insist(
    () => stage.shopper.post('cart/add', { item: item(stage), quantity: 1, fields: {} }),
    PATIENCE_MS,
  )
  return { line: data.list[0].id }
}

async function ordered(stage: Stage): Promise<Ground> {
  const { data } = await insist(() => stage.shopper.post('order/create', one(stage)), PATIENCE_MS)
  return { order: data.order }
}

/** One card, paid and delivered. */
async function bought(stage: Stage): Promise<Ground> {
  const { order = '' } = await ordered(stage)
  const started = await insist(
    () => stage.shopper.post('pay/start', { order, method: 'card' }),
    PATIENCE_MS,
  )
  await decide(started.data.redirect_url, 'approve', PATIENCE_MS)
  await completed(stage.shopper, order, PATIENCE_MS)
  const { data } = await insist(() => stage.shopper.get(`order/detail?order=${order}`), PATIENCE_MS)
  const [line] = data.lines as {
    readonly product_code: string
    readonly units: readonly { readonly id: string }[]
  }[]
  return { order, unit: line?.units[0]?.id ?? '', product: line?.product_code ?? '' }
}
