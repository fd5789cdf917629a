import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createOrder } from '#features/buying/order/commands.ts'
import { checkPayment } from '#features/buying/payment/flows.ts'
import { requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { uuidv7, type Ctx } from '#platform/ctx.ts'
import { addCurrencies, addItem, stock, type TestItem } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { beginPaying, paidAt } from '../../../../test/support/paying.ts'
import { somebody } from '../../../../test/support/people.ts'
import { addUpFigures } from './commands.ts'
import { readBreakdown, readFigures } from './queries.ts'
import { addUp, DIMENSIONS, quantile } from './rules.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
/** Its clocks go forward in the night to 29 March. */
const ZONE = 'Europe/Berlin'
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const FIRST = Date.parse('2026-03-27T10:00:00Z')
const LAST = new Date('2026-04-01T21:59:00Z')
const CENTS = { USD: 1, EUR: 1.25, JPY: 0.5 } as const
type Currency = keyof typeof CENTS

/** The same numbers each time. */
let seed = 20_260_329
const below = (limit: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * limit)
}

const at = (moment: Date): Ctx => ({
  ...database.ctx,
  now: () => moment,
  newId: () => uuidv7(moment.getTime(), randomBytes(10)),
})

let items: TestItem[]

async function order(
  moment: Date,
  currency: Currency,
  country: string | null,
  item: TestItem,
  quantity: number,
) {
  const { accountId } = await somebody(database.ctx, { withPassword: false })
  const made = await createOrder(
    at(moment),
    {
      accountId,
      currency,
      pricing: currency === 'EUR' ? EUR_PRICING : {},
      language: 'en',
      country,
      evidence: {},
      termsVersion: '2026-11',
      tax: { minor: 0n, basisPoints: 0 },
      lines: [
        {
          item: item.id,
          itemCode: item.code,
          product: item.product,
          goodsType: 1,
          delivery: 'card_key',
          productName: item.brand,
          itemName: '10 USD',
          quantity,
          priceMinor: 1_001n,
          baseMinor: 1_001n,
          baseCurrency: 'USD',
          amount: null,
          accountFields: {},
        },
      ],
    },
    database.ctx.newId(),
  )
  return { ...made, accountId }
}

/** The order's own rate; what the shop has now is another. */
const EUR_PRICING = {
  rates: [{ currency: 'EUR', per_usd: { numerator: '4', denominator: '5' }, observed_at: null }],
}

async function pay(
  moment: Date,
  made: { id: string; publicId: string; accountId: string },
  method: string,
  fee: bigint,
) {
  const ctx = at(moment)
  const { id, amount } = await beginPaying(ctx, services, made, { method, feeMinor: fee })
  fake.pay(id, amount)
  await checkPayment(at(new Date(moment.getTime() + below(90) * 1_000)), services, id)
}

async function giveBack(moment: Date, orderId: string) {
  const ctx = at(moment)
  await requestRefund(ctx, {
    orderId,
    unitIds: null,
    destination: 'original',
    reason: 'faulty_key',
    requestedBy: 'operator:1',
    approvedBy: 'operator:2',
  })
  await submitRefunds(ctx, services.providers)
}

interface Happening {
  readonly moment: Date
  readonly work: () => Promise<void>
}

/** Orders of five days: some never paid, some given back days later. */
function madeUp(count: number): Happening[] {
  const all: Happening[] = []
  for (let index = 0; index < count; index += 1) {
    const moment = new Date(FIRST + below(4 * 1_440) * MINUTE_MS)
    const currency = (['USD', 'EUR', 'JPY'] as const)[below(3)] ?? 'USD'
    const country = [null, 'DE', 'ID'][below(3)] ?? null
    const item = items[below(2)] as TestItem
    const [quantity, method, fee] = [
      1 + below(3),
      ['card', 'wallet'][below(2)] ?? 'card',
      below(2) * 37,
    ]
    const paid = new Date(moment.getTime() + (1 + below(8)) * MINUTE_MS)
    let made: Awaited<ReturnType<typeof order>>
    all.push({
      moment,
      work: async () => void (made = await order(moment, currency, country, item, quantity)),
    })
    if (below(4) === 0) continue
    all.push({ moment: paid, work: () => pay(paid, made, method, BigInt(fee)) })
    if (below(3) > 0) continue
    const back = new Date(Math.min(paid.getTime() + (1 + below(2_000)) * MINUTE_MS, LAST.getTime()))
    all.push({ moment: back, work: () => giveBack(back, made.id) })
  }
  return all.toSorted((one, other) => one.moment.getTime() - other.moment.getTime())
}

const dayOf = (moment: Date) => moment.toLocaleDateString('en-CA', { timeZone: ZONE })
const cents = (minor: string | bigint, currency: string) =>
  Math.round(Number(minor) * CENTS[currency as Currency])

/** The same sums, counted one by one. */
async function countDirectly() {
  const days = new Map<string, Record<string, number>>()
  const add = (moment: Date, sums: Readonly<Record<string, number>>) => {
    const day = days.get(dayOf(moment)) ?? {}
    for (const [name, count] of Object.entries(sums)) day[name] = (day[name] ?? 0) + count
    days.set(dayOf(moment), day)
  }
  const orders = await database.ctx.db.selectFrom('shop_order').selectAll().execute()
  for (const { created_at, settled_at, currency, fee_minor } of orders) {
    add(created_at, { begun: 1, begun_paid: settled_at ? 1 : 0 })
    if (settled_at) add(settled_at, { paid: 1, fees_usd: cents(fee_minor, currency) })
  }
  const units = await database.ctx.db
    .selectFrom('order_unit as u')
    .innerJoin('shop_order as o', 'o.id', 'u.order_id')
    .select(['u.price_minor', 'u.item', 'u.delivered_at', 'o.currency', 'o.settled_at'])
    .execute()
  for (const { price_minor, item, delivered_at, currency, settled_at } of units) {
    const usd = cents(price_minor, currency)
    if (settled_at) add(settled_at, { units: 1, sales_usd: usd })
    const hasCost = item === items[0]?.id
    if (delivered_at)
      add(delivered_at, {
        delivered: 1,
        ...(hasCost ? { costed: 1, costed_usd: usd, cost_usd: 700 } : {}),
      })
  }
  const refunds = await database.ctx.db
    .selectFrom('refund')
    .selectAll()
    .where('status', '=', 'succeeded')
    .execute()
  for (const { updated_at, amount_minor, currency } of refunds)
    add(updated_at, { refunds: 1, refunded_usd: cents(amount_minor, currency) })
  return Object.fromEntries(days)
}

const NAMES = [
  'begun',
  'begun_paid',
  'paid',
  'units',
  'sales_usd',
  'fees_usd',
  'delivered',
  'costed',
  'costed_usd',
  'cost_usd',
  'refunds',
  'refunded_usd',
] as const

async function readDays(dimension: string) {
  const rows = await database.ctx.db
    .selectFrom('figure')
    .selectAll()
    .where('span', '=', 'day')
    .where('dimension', '=', dimension as 'all')
    .execute()
  const days: Record<string, Record<string, number>> = {}
  for (const row of rows) {
    const day = (days[dayOf(row.begins)] ??= {})
    for (const name of NAMES)
      if (Number(row[name]) !== 0) day[name] = (day[name] ?? 0) + Number(row[name])
  }
  return days
}

const without = (
  days: Readonly<Record<string, Readonly<Record<string, number>>>>,
  ...names: readonly string[]
) =>
  Object.fromEntries(
    Object.entries(days)
      .map(([day, sums]) => [
        day,
        Object.fromEntries(
          Object.entries(sums).filter(([name, count]) => count !== 0 && !names.includes(name)),
        ),
      ])
      .filter(([, sums]) => Object.keys(sums as object).length > 0),
  )

const everything = async () =>
  (
    await sql<{ row: string }>`
      select to_jsonb(f)::text as row from figure f where span = 'day' order by dimension, begins, value`.execute(
      database.ctx.db,
    )
  ).rows.map(({ row }) => row)

/** A worker that dies while it writes a row of a brand. */
async function dieMidway(moment: Date): Promise<void> {
  const { db } = database.ctx
  await sql`create function die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`.execute(
    db,
  )
  await sql`create trigger die before insert on figure for each row when (new.dimension = 'brand' and new.span = 'day') execute function die()`.execute(
    db,
  )
  await expect(addUpFigures(at(moment), ZONE)).rejects.toThrow('killed')
  await sql`drop trigger die on figure`.execute(db)
  await sql`drop function die`.execute(db)
}

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  await sql`insert into currency_rate (currency, observed_at, per_usd, source, recorded_at) values
    ('EUR', '2026-01-01', 0.5, 'test', '2026-01-01'), ('JPY', '2026-01-01', 200, 'test', '2026-01-01')`.execute(
    ctx.db,
  )
  await sql`insert into country (code, alpha3, numeric_code, name, continent, currency, store_currency, language, is_on_sale, position) values
    ('DE', 'DEU', '276', 'Germany', 'Europe', 'EUR', 'EUR', 'de', true, 0), ('ID', 'IDN', '360', 'Indonesia', 'Asia', 'USD', 'USD', 'id', true, 1)`.execute(
    ctx.db,
  )
  items = [await addItem(ctx), await addItem(ctx)]
  for (const [index, item] of items.entries()) await stock(ctx, item, 'AB'[index] ?? 'A', 400)
  await sql`update key_batch set supplier = 'acme', cost_minor = 700, cost_currency = 'USD' where item = ${items[0]?.id}`.execute(
    ctx.db,
  )
})

test('days are what a direct count says, after many turns and workers that died in some', async () => {
  let turns = 0
  for (const { moment, work } of madeUp(60)) {
    await work()
    const after = new Date(moment.getTime() + 2 * MINUTE_MS)
    if (below(3) === 0) {
      if ((turns += 1) % 5 === 2) await dieMidway(after)
      else await addUpFigures(at(after), ZONE)
    }
  }
  expect(turns).toBeGreaterThan(10)
  await addUpFigures(at(LAST), ZONE)
  const direct = without(await countDirectly())
  expect(await readDays('all')).toEqual(direct)
  expect(await readDays('currency')).toEqual(direct)
  expect(await readDays('country')).toEqual(direct)
  // Attempts are begun, not orders, and an order is of each of its brands.
  const begun = ['begun', 'begun_paid']
  expect(without(await readDays('method'), ...begun)).toEqual(without(direct, ...begun))
  const amounts = ['fees_usd', 'refunded_usd']
  expect(without(await readDays('brand'), ...amounts)).toEqual(without(direct, ...amounts))
  const delivered = ['begun', 'begun_paid', 'paid', 'fees_usd', 'refunds', 'refunded_usd']
  expect(without(await readDays('supplier'), ...delivered)).toEqual(without(direct, ...delivered))
})

test('a turn more changes nothing, and all of it is made anew as it was', async () => {
  const before = await everything()
  await addUpFigures(at(LAST), ZONE)
  expect(await everything()).toEqual(before)
  await addUpFigures(at(LAST), 'Asia/Kathmandu')
  expect(await everything()).not.toEqual(before)
  await addUpFigures(at(LAST), ZONE)
  expect(await everything()).toEqual(before)
})

test('hours go once they are old, and the days of them stay', async () => {
  const before = await everything()
  // More days than one turn adds up.
  const later = at(new Date(LAST.getTime() + 22 * DAY_MS))
  for (let turn = 0; turn < 3; turn += 1) await addUpFigures(later, ZONE)
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer as count from figure where span = 'hour'`.execute(database.ctx.db)
  expect(rows[0]?.count).toBe(0)
  expect((await everything()).slice(0, before.length)).toEqual(before)
  await addUpFigures(at(LAST), 'UTC')
  await addUpFigures(at(LAST), ZONE)
})

test('today is told by hours, from midnight of the shop, and compared with yesterday', async () => {
  const now = new Date('2026-03-30T21:30:00Z')
  const { now: today, before } = await readFigures(database.ctx.db, {
    period: 'today',
    now,
    timeZone: ZONE,
  })
  expect(today[0]?.begins.toISOString()).toBe('2026-03-29T22:00:00.000Z')
  expect(today).toHaveLength(24)
  // That day was an hour shorter.
  expect(before).toHaveLength(23)
  const direct = await countDirectly()
  expect(Number(addUp(today.map(({ figures }) => figures)).sales_usd)).toBe(
    direct['2026-03-30']?.['sales_usd'] ?? 0,
  )
  expect(Number(addUp(before.map(({ figures }) => figures)).begun)).toBe(
    direct['2026-03-29']?.['begun'] ?? 0,
  )
})

test('a year is told by weeks, and its parts add up to it', async () => {
  const of = { period: 'year', now: LAST, timeZone: ZONE } as const
  const series = await readFigures(database.ctx.db, of)
  expect([series.now.length, series.before.length, series.isBehind]).toEqual([52, 52, false])
  const months = await database.ctx.db
    .selectFrom('figure')
    .select('begins')
    .where('span', '=', 'month')
    .where('dimension', '=', 'all')
    .execute()
  expect(months.map(({ begins }) => begins.toISOString())).toEqual(['2026-02-28T23:00:00.000Z'])
  const all = addUp(series.now.map(({ figures }) => figures))
  const direct = Object.values(await countDirectly())
  expect(Number(all.sales_usd)).toBe(direct.reduce((sum, day) => sum + (day['sales_usd'] ?? 0), 0))
  expect(quantile(all.times, 0.95)).toBeLessThan(110)
  for (const dimension of DIMENSIONS) {
    const { top, rest } = await readBreakdown(database.ctx.db, { ...of, dimension, limit: 1 })
    const parts = [...top, ...(rest ? [rest] : [])].map(({ figures }) => figures)
    expect(addUp(parts).sales_usd).toBe(all.sales_usd)
    expect(top[0]?.figures.times.reduce((sum, units) => sum + units, 0)).toBe(
      Number(top[0]?.figures.delivered),
    )
  }
  const { top } = await readBreakdown(database.ctx.db, { ...of, dimension: 'supplier', limit: 5 })
  expect(top.map(({ value }) => value).toSorted()).toEqual(['', 'acme'])
})

test('a shop without orders has points of nothing, and is not behind', async () => {
  const { ctx } = database
  await sql`truncate figure, figure_due, figure_progress`.execute(ctx.db)
  const series = await readFigures(ctx.db, { period: '7', now: LAST, timeZone: ZONE })
  expect(series.now.map(({ figures }) => figures.paid)).toEqual([0n, 0n, 0n, 0n, 0n, 0n, 0n])
  expect([series.reachedAt, series.isBehind]).toEqual([null, false])
})
