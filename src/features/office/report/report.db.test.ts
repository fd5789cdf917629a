import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { closeDays } from '#features/office/books/commands.ts'
import { addUpFigures } from '#features/office/figure/commands.ts'
import { createOrder } from '#features/buying/order/commands.ts'
import { checkPayment } from '#features/buying/payment/flows.ts'
import { requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { transaction, uuidv7, type Ctx } from '#platform/ctx.ts'
import { addCurrencies, addItem, stock, type TestItem } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { beginPaying, paidAt } from '../../../../test/support/paying.ts'
import { somebody } from '../../../../test/support/people.ts'
import { addUpTallies } from './commands.ts'
import { readReport } from './queries.ts'
import {
  COMPARED,
  dayNumber,
  dayText,
  REPORT_SPLITS,
  REPORTS,
  splitsOf,
  type Report,
  type ReportChoice,
} from './rules.ts'
import { REPORT_MEASURES, spansOf, type Days, type Facts } from './views.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
/** Its clocks go forward in the night to 29 March. */
const ZONE = 'Europe/Berlin'
const MINUTE_MS = 60_000
const FIRST = Date.parse('2026-01-20T23:30:00Z')
const LAST = new Date('2026-04-11T10:00:00Z')
const TODAY = '2026-04-11'
const CURRENCIES = ['USD', 'EUR', 'JPY'] as const

/** The same numbers each time. */
let seed = 20_260_411
const below = (limit: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * limit)
}
const someTime = () => new Date(FIRST + below(79 * 1_440) * MINUTE_MS)
const at = (moment: Date): Ctx => ({
  ...database.ctx,
  now: () => moment,
  newId: () => uuidv7(moment.getTime(), randomBytes(10)),
})

const items: TestItem[] = []
const orderIds: { id: string; moment: Date; currency: string }[] = []

async function buyOnce(moment: Date): Promise<void> {
  const { accountId } = await somebody(database.ctx, { withPassword: false })
  const currency = CURRENCIES[below(3)] ?? 'USD'
  const item = items[below(2)] as TestItem
  const made = await createOrder(
    at(moment),
    {
      accountId,
      currency,
      pricing: {},
      language: 'en',
      country: [null, 'DE', 'ID'][below(3)] ?? null,
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
          quantity: 1 + below(3),
          priceMinor: BigInt(501 + below(900)),
          baseMinor: 1_001n,
          baseCurrency: 'USD',
          amount: null,
          accountFields: {},
        },
      ],
    },
    database.ctx.newId(),
  )
  orderIds.push({ id: made.id, moment, currency })
  if (below(5) === 0) return
  const paid = new Date(moment.getTime() + 3 * MINUTE_MS)
  const of = { ...made, accountId }
  const { id, amount } = await beginPaying(at(paid), services, of, { method: 'card', feeMinor: 7n })
  fake.pay(id, amount)
  await checkPayment(at(new Date(paid.getTime() + below(400) * 1_000)), services, id)
  if (below(3) > 0) return
  const back = new Date(Math.min(paid.getTime() + below(20_000) * MINUTE_MS, LAST.getTime()))
  await requestRefund(at(back), {
    orderId: made.id,
    unitIds: null,
    destination: below(2) === 0 ? 'store_credit' : 'original',
    reason: 'faulty_key',
    requestedBy: 'operator:1',
    approvedBy: 'operator:2',
  })
  await submitRefunds(at(back), services.providers)
}

/** What needs no flow to be counted: taxes, purchases and disputes of some orders, as rows. */
async function addRows(): Promise<void> {
  const { ctx } = database
  await transaction(ctx, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`insert into supplier (code, created_at) values ('acme', now()), ('orbit', now()) on conflict do nothing`.execute(
      tx,
    )
    const march = at(new Date('2026-03-03T12:00:00Z'))
    for (const cost of [700, null])
      await sql`insert into key_batch (id, item, file_name, imported, duplicates, refused, created_at, created_by, cost_minor, cost_currency)
        values (${march.newId()}, ${items[0]?.id}, 'march.csv', 40, 0, 0, ${march.now()}, 'operator:1', ${cost}, ${cost === null ? null : 'EUR'})`.execute(
        tx,
      )
    for (const { id, moment, currency } of orderIds) {
      const rate = [0, 700, 1_900][below(3)] ?? 0
      const gross = BigInt(100 + below(5_000)) * (below(4) === 0 ? -1n : 1n)
      const tax = (gross * BigInt(rate)) / (10_000n + BigInt(rate))
      await sql`insert into tax_booking (id, order_id, refund_id, kind, at, country, class, basis_points, currency, gross_minor, tax_minor)
        select ${at(moment).newId()}, ${id}, case when ${gross < 0n} then uuidv7() end, case when ${gross < 0n} then 'refund' else 'sale' end, ${moment}, country, 'service', ${rate}, currency, ${gross}, ${tax}
        from shop_order where id = ${id}`.execute(tx)
      const isDone = below(4) > 0
      await sql`insert into purchase (id, reference, supplier, order_id, item, status, kind, product, quantity, currency, expected_minor, max_minor, actual_minor, why, request_id, created_at, updated_at, ended_at)
        values (${at(moment).newId()}, ${`r-${id.slice(0, 18)}${below(1e6)}`}, ${below(2) === 0 ? 'acme' : 'orbit'}, ${id}, ${items[0]?.id}, ${isDone ? 'done' : 'failed'}, 'key', 'x', 1, ${currency}, 5, 9, ${isDone ? 5 + below(900) : null}, '{}', 'r', ${moment}, ${moment},
          ${new Date(moment.getTime() + below(7_200) * 1_000)})`.execute(tx)
      if (below(3) === 0)
        await sql`insert into service_case (id, public_id, kind, order_id, account_id, reason, status, created_at)
          select ${at(moment).newId()}, substr(md5(${id}), 1, 22), 'dispute', id, account_id, 'disputed', 'open', ${moment} from shop_order where id = ${id}`.execute(
          tx,
        )
    }
  })
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
  items.push(await addItem(ctx), await addItem(ctx))
  for (const [index, item] of items.entries()) await stock(ctx, item, 'AB'[index] ?? 'A', 300)
  const moments = Array.from({ length: 60 }, someTime).toSorted((a, b) => a.getTime() - b.getTime())
  for (const [index, moment] of moments.entries()) {
    await buyOnce(moment)
    // The worker has been by in between, now and then.
    if (index % 17 === 9) await addUpTallies(at(new Date(moment.getTime() + MINUTE_MS)), ZONE)
  }
  await addRows()
  await sql`update tally_progress set edition = 99`.execute(ctx.db)
  await everythingAddedUp()
}, 240_000)

async function everythingAddedUp(): Promise<void> {
  const { db } = database.ctx
  do await addUpFigures(at(LAST), ZONE)
  while (await db.selectFrom('figure_due').select('begins').limit(1).executeTakeFirst())
  do await addUpTallies(at(LAST), ZONE)
  while (await db.selectFrom('tally_due').select('begins').limit(1).executeTakeFirst())
  await closeDays(at(LAST), ZONE, new AbortController().signal)
}

const choiceOf = (of: Partial<ReportChoice> & { readonly report: Report }): ReportChoice => ({
  period: 'month',
  ago: 0,
  from: null,
  until: null,
  compare: 'before',
  currency: null,
  by: 'time',
  ...of,
})

const read = (choice: ReportChoice) =>
  readReport(database.ctx.db, choice, spansOf(choice, TODAY), ZONE)

type Sums = Readonly<Record<string, bigint>>

/** The rows themselves, in one currency, between two days of the shop. */
async function directly(report: Report, { from, until }: Days, currency: string): Promise<Sums> {
  const within = (column: string) =>
    sql`${sql.ref(column)} >= ${from}::date::timestamp at time zone ${ZONE} and ${sql.ref(column)} < (${until}::date + 1)::timestamp at time zone ${ZONE}`
  const one = async (query: ReturnType<typeof sql>): Promise<Sums> => {
    const { rows } = await (query as ReturnType<typeof sql<Record<string, string>>>).execute(
      database.ctx.db,
    )
    return Object.fromEntries(
      Object.entries(rows[0] ?? {}).map(([name, sum]) => [name, BigInt(sum)]),
    )
  }
  const orders = sql`from shop_order o where o.currency = ${currency}`
  switch (report) {
    case 'sales':
    case 'margin':
      return one(sql`select (select count(*) ${orders} and ${within('o.settled_at')})::text as paid,
        (select coalesce(sum(u.price_minor), 0) from order_unit u join shop_order o on o.id = u.order_id where o.currency = ${currency} and ${within('o.settled_at')})::text as sales_minor,
        (select coalesce(sum(o.fee_minor), 0) ${orders} and ${within('o.settled_at')})::text as fees_minor`)
    case 'refunds':
      return one(
        sql`select count(*)::text as refunds, coalesce(sum(amount_minor), 0)::text as refunded_minor from refund where currency = ${currency} and status = 'succeeded' and ${within('updated_at')}`,
      )
    case 'delivery':
      return one(
        sql`select count(*)::text as delivered from order_unit u join shop_order o on o.id = u.order_id where o.currency = ${currency} and ${within('u.delivered_at')}`,
      )
    case 'disputes':
      return one(sql`select count(*)::text as disputes, coalesce(sum(o.captured_minor), 0)::text as disputed_minor from service_case c join shop_order o on o.id = c.order_id
        where c.kind = 'dispute' and o.currency = ${currency} and ${within('c.created_at')}`)
    case 'suppliers':
      return one(sql`select (count(*) filter (where status = 'done'))::text as purchase_done, (count(*) filter (where status = 'failed'))::text as purchase_failed,
        coalesce(sum(actual_minor), 0)::text as purchase_minor from purchase where currency = ${currency} and ${within('ended_at')}`)
    case 'keys':
      return one(sql`select count(*)::text as key_sold_done, coalesce(sum(u.price_minor), 0)::text as key_sold_minor
        from order_unit u join shop_order o on o.id = u.order_id where u.delivery = 'card_key' and o.currency = ${currency} and ${within('u.delivered_at')}`)
    case 'tax':
      return one(
        sql`select coalesce(sum(gross_minor), 0)::text as tax_minor, coalesce(sum(tax_minor), 0)::text as tax_part_minor from tax_booking where currency = ${currency} and ${within('at')}`,
      )
    case 'credit':
      return one(sql`select coalesce(sum(case when c.code like 'store_credit:%' then t.amount_minor else 0 end), 0)::text as issued_minor,
          coalesce(sum(case when d.code like 'store_credit:%' then t.amount_minor else 0 end), 0)::text as spent_minor
        from ledger_transfer t join ledger_account c on c.id = t.credit join ledger_account d on d.id = t.debit where t.currency = ${currency} and ${within('t.at')}`)
    case 'searches':
      return one(
        sql`select coalesce(sum(searches), 0)::text as searches from search_miss where day between ${from}::date and ${until}::date`,
      )
  }
}

const sumsOf = (facts: Facts, names: Sums): Sums =>
  Object.fromEntries(Object.keys(names).map((name) => [name, facts.sums[name] ?? 0n]))

const anyChoice = fc
  .record({
    report: fc.constantFrom(...REPORTS),
    period: fc.constantFrom('day', 'week', 'month', 'quarter', 'year', 'span' as const),
    ago: fc.integer({ min: 0, max: 3 }),
    start: fc.integer({ min: 0, max: 70 }),
    days: fc.integer({ min: 0, max: 80 }),
    compare: fc.constantFrom(...COMPARED),
    currency: fc.constantFrom(...CURRENCIES),
  })
  .map(({ report, period, ago, start, days, compare, currency }) => {
    const from = dayText(dayNumber('2026-01-15') + start)
    const until = dayText(Math.min(dayNumber(from) + days, dayNumber(TODAY) - 1))
    return choiceOf({
      report,
      period,
      // What is closed of the books ends with yesterday.
      ago: report === 'credit' ? ago + 1 : ago,
      compare,
      currency: report === 'searches' ? null : currency,
      ...(period === 'span' ? { ago: 0, from, until } : {}),
    })
  })

test('a report of one currency says what its rows do, in both periods', async () => {
  await fc.assert(
    fc.asyncProperty(anyChoice, async (choice) => {
      const spans = spansOf(choice, TODAY)
      const { all } = await read(choice)
      const currency = choice.currency ?? 'USD'
      const now = await directly(choice.report, spans.now, currency)
      expect([choice, sumsOf(all.now, now)]).toEqual([choice, now])
      if (!spans.before || !all.before) return
      const before = await directly(choice.report, spans.before, currency)
      expect([choice, sumsOf(all.before, before)]).toEqual([choice, before])
    }),
    { numRuns: 120, seed: 7 },
  )
})

test('what is told apart adds up to the whole, in every way, and so do the points of time', async () => {
  for (const report of REPORTS)
    for (const currency of [null, ...(report === 'searches' ? [] : CURRENCIES)])
      for (const by of splitsOf(report, currency)) {
        const facts = await read(choiceOf({ report, period: 'year', currency, by }))
        // An order counts for each of its brands, and attempts are begun, not orders.
        const loose = new Set(['begun', 'begun_paid', 'paid', 'refunds', 'owed_usd', 'owed_minor'])
        if (by === 'brand' || by === 'supplier')
          for (const name of ['fees_usd', 'fees_minor', 'refunded_usd', 'refunded_minor'])
            loose.add(name)
        const added: Record<string, bigint> = {}
        const parts =
          by === 'time' ? facts.points.map(({ now }) => now) : facts.parts.map(({ now }) => now)
        for (const part of parts)
          for (const [name, sum] of Object.entries(part?.sums ?? {}))
            added[name] = (added[name] ?? 0n) + sum
        for (const [name, sum] of Object.entries(facts.all.now.sums)) {
          // Of a supplier that is sold what was delivered from there.
          const isOther = by === 'supplier' && !name.startsWith('cost') && name !== 'delivered'
          const isTold = !name.endsWith('_minor') || currency !== null
          if (!loose.has(name) && !isOther && isTold && report !== 'searches')
            expect([report, currency, by, name, added[name] ?? 0n]).toEqual([
              report,
              currency,
              by,
              name,
              sum,
            ])
        }
      }
})

test('sums of all currencies are those of each, at the rate of each order', async () => {
  for (const report of ['sales', 'refunds', 'tax', 'keys', 'suppliers', 'disputes'] as const) {
    const whole = await read(choiceOf({ report, period: 'year' }))
    const each = await Promise.all(
      CURRENCIES.map((currency) => read(choiceOf({ report, period: 'year', currency }))),
    )
    for (const [name, sum] of Object.entries(whole.all.now.sums).filter(([one]) =>
      one.endsWith('_usd'),
    ))
      expect([
        report,
        name,
        each.reduce((all, one) => all + (one.all.now.sums[name] ?? 0n), 0n),
      ]).toEqual([report, name, sum])
    expect(REPORT_MEASURES[report][0].of(whole.all.now)).not.toBe(0n)
  }
})

test('keys that were bought stand in the month of their batch, at what they cost', async () => {
  const all = await read(choiceOf({ report: 'keys', ago: 1 }))
  expect(all.all.now.sums).toMatchObject({
    key_bought_done: 80n,
    key_bought_failed: 40n,
    key_bought_usd: 56_000n,
  })
  const euro = await read(choiceOf({ report: 'keys', ago: 1, currency: 'EUR' }))
  expect(euro.all.now.sums).toMatchObject({ key_bought_done: 40n, key_bought_minor: 28_000n })
})

test('a turn more changes nothing, what is written behind an earlier day is added to it, and all of it is made anew as it was', async () => {
  const { ctx } = database
  const everything = async () =>
    (
      await sql<{
        row: string
      }>`select to_jsonb(t)::text as row from tally t order by span, subject, begins, value, currency`.execute(
        ctx.db,
      )
    ).rows.map(({ row }) => row)
  const before = await everything()
  expect(before.some((row) => row.includes('"span": "month"'))).toBe(true)
  await addUpTallies(at(LAST), ZONE)
  expect(await everything()).toEqual(before)
  await sql`update tally_progress set time_zone = 'Asia/Kathmandu'`.execute(ctx.db)
  await everythingAddedUp()
  expect(await everything()).toEqual(before)
  const late = orderIds.find(({ moment }) => moment < new Date('2026-02-20'))
  const choice = choiceOf({
    report: 'tax',
    period: 'month',
    ago: 2,
    currency: late?.currency ?? 'USD',
  })
  const was = (await read(choice)).all.now.sums['tax_minor'] ?? 0n
  await sql`insert into tax_booking (id, order_id, refund_id, kind, at, country, class, basis_points, currency, gross_minor, tax_minor)
    select ${at(LAST).newId()}, ${late?.id}, null, 'sale', '2026-02-10T10:00:00Z', country, 'multi_purpose', 700, currency, 107, 7 from shop_order where id = ${late?.id}`.execute(
    ctx.db,
  )
  await everythingAddedUp()
  expect((await read(choice)).all.now.sums['tax_minor']).toBe(was + 107n)
})

test('every report reads every way it can be told apart, of days that have nothing too', async () => {
  for (const report of REPORTS)
    for (const by of REPORT_SPLITS[report]) {
      const choice = choiceOf({
        report,
        by,
        period: 'span',
        from: '2025-01-01',
        until: '2025-01-03',
      })
      const { parts, points, all } = await read(choice)
      expect([report, by, parts.length, points.length]).toEqual([report, by, 0, 3])
      expect(Object.values(all.now.sums).every((sum) => sum === 0n)).toBe(true)
    }
})
