import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { countStock } from '#features/goods/stock/commands.ts'
import { readPayMethods } from '#features/goods/pay-method/queries.ts'
import { holdSnapshot } from '#features/goods/browse/flows.ts'
import { methodsOf } from '#features/goods/pay-method/rules.ts'
import { startPayment } from '#features/buying/payment/commands.ts'
import { createLogger } from '#platform/log.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { startSelling, stopSelling } from './commands.ts'
import { listStops } from './queries.ts'
import type { Stoppable } from './rules.ts'

const database = useDatabase()
let item: TestItem
let other: TestItem

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  item = await addItem(ctx)
  other = await addItem(ctx)
  await stock(ctx, item, 'S', 20)
  await stock(ctx, other, 'T', 20)
})

const owner = () => asOperator(database.ctx)
const stop = (what: Stoppable) => stopSelling(owner(), what, 'Codes are reported faulty.')
const start = (what: Stoppable) => startSelling(owner(), what)

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => String((error as { code?: string }).code),
  )
const pay = (order: Awaited<ReturnType<typeof buy>>, method = 'card') =>
  startPayment(database.ctx, {
    order: order.publicId,
    accountId: order.accountId,
    provider: 'fake',
    method,
    feeMinor: 0n,
  })

const KINDS: readonly (readonly [string, () => Stoppable])[] = [
  ['the shop', () => ({ kind: 'shop', code: '' })],
  ['its product', () => ({ kind: 'product', code: item.product })],
  ['its shelf', () => ({ kind: 'shelf', code: item.code })],
]

test.each(KINDS)(
  'while %s is stopped nobody orders it, nor begins to pay for it; then again',
  async (name, what) => {
    const { ctx } = database
    const before = await buy(ctx, [{ item }])
    expect(await stop(what())).toBe(true)
    expect(await stop(what())).toBe(false)
    expect(await outcome(buy(ctx, [{ item }]))).toBe('selling_stopped')
    expect(await outcome(buy(ctx, [{ item: other }, { item }]))).toBe('selling_stopped')
    expect(await outcome(buy(ctx, [{ item: other }]))).toBe(
      name === 'the shop' ? 'selling_stopped' : 'done',
    )
    expect(await outcome(pay(before))).toBe('selling_stopped')
    expect(await start(what())).toBe(true)
    expect(await start(what())).toBe(false)
    expect(await outcome(pay(before))).toBe('done')
    expect(await outcome(buy(ctx, [{ item }]))).toBe('done')
  },
)

test('a way to pay that is stopped is offered by no page and begins no payment; another does', async () => {
  const { ctx } = database
  const order = await buy(ctx, [{ item }])
  const [method] = await readPayMethods(ctx.db)
  const code = method?.code ?? ''
  await stop({ kind: 'method', code })
  const methods = await readPayMethods(ctx.db)
  const everything = new Map(methods.map(({ provider }) => [provider, true]))
  expect(methods.some((known) => known.code === code)).toBe(true)
  expect(methodsOf(methods, everything).some((known) => known.code === code)).toBe(false)
  expect(await outcome(pay(order, code))).toBe('check_fields')
  await start({ kind: 'method', code })
  expect(await outcome(pay(order, code))).toBe('done')
})

test('what is not there cannot be stopped, and whoever may not change a thing may not stop it', async () => {
  expect(await outcome(stop({ kind: 'product', code: 'nothing' }))).toBe('not_found')
  expect(await outcome(stop({ kind: 'method', code: 'nothing' }))).toBe('not_found')
  const support = asOperator(database.ctx, 'bo', 'support')
  for (const [, what] of KINDS)
    expect(await outcome(stopSelling(support, what(), 'x'))).toBe('forbidden')
  expect(await listStops(database.ctx.db)).toEqual([])
})

test('who stopped what, and why, stands in the trail, before and after', async () => {
  const what = { kind: 'shelf', code: item.code } as const
  await stop(what)
  expect(await listStops(database.ctx.db)).toMatchObject([
    { ...what, reason: 'Codes are reported faulty.', stoppedBy: 'operator:ann' },
  ])
  await start(what)
  const rows = await database.ctx.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('subject', '=', 'shelf')
    .where('subject_code', '=', item.code)
    .orderBy('id', 'desc')
    .limit(2)
    .execute()
  expect(rows).toMatchObject([
    { action: 'start_selling', after: { is_sold: true } },
    { action: 'stop_selling', after: { is_sold: false, reason: 'Codes are reported faulty.' } },
  ])
})

test('every web process hears of a stop, and shows the item as not sold for the moment', async () => {
  const { ctx } = database
  await countStock(ctx)
  const log = createLogger({ level: 'error' })
  let heard = Promise.withResolvers<void>()
  const holder = await holdSnapshot({
    db: ctx.db,
    databaseUrl: database.url,
    log,
    onChange: () => heard.resolve(),
  })
  const shown = () =>
    holder
      .current()
      .catalogue.products.flatMap(({ items }) => items)
      .find(({ code }) => code === item.code)
  try {
    expect(shown()?.isStopped).toBeUndefined()
    expect(shown()?.stock).toBeGreaterThan(0)
    for (const [isStopped, work] of [
      [true, () => stop({ kind: 'product', code: item.product })],
      [undefined, () => start({ kind: 'product', code: item.product })],
    ] as const) {
      heard = Promise.withResolvers()
      await work()
      await heard.promise
      expect(shown()?.isStopped).toBe(isStopped)
      expect((shown()?.stock ?? 0) > 0).toBe(isStopped === undefined)
    }
  } finally {
    await holder.close()
  }
})

test('of what suppliers credit is held what only stopped ones could; a second supplier goes on', async () => {
  const { ctx } = database
  const topUp = await addItem(ctx, { delivery: 'direct_charge' })
  const lines = [{ item: topUp, delivery: 'direct_charge' as const }]
  await sql`insert into supplier (code, created_at) values ('first', now()), ('second', now())`.execute(
    ctx.db,
  )
  await sql`insert into supplier_offer (item, supplier, priority, kind, product, cost_minor, cost_currency, fields, updated_at)
    values (${topUp.id}, 'first', 1, 'topup', 'p', 500, 'USD', '{}', now()), (${topUp.id}, 'second', 2, 'topup', 'p', 500, 'USD', '{}', now())`.execute(
    ctx.db,
  )
  await stop({ kind: 'supplier', code: 'first' })
  expect(await outcome(buy(ctx, lines))).toBe('done')
  await stop({ kind: 'supplier', code: 'second' })
  expect(await outcome(buy(ctx, lines))).toBe('selling_stopped')
  expect(await outcome(buy(ctx, [{ item }]))).toBe('done')
  await start({ kind: 'supplier', code: 'first' })
  expect(await outcome(buy(ctx, lines))).toBe('done')
})
