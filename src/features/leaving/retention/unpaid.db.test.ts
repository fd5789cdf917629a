import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { cancelOrder } from '#features/buying/order/commands.ts'
import { listOrders } from '#features/buying/order/queries.ts'
import { checkPayment } from '#features/buying/payment/flows.ts'
import { uuidv7 } from '#platform/ctx.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { beginPaying, paidAt } from '../../../../test/support/paying.ts'
import { somebody } from '../../../../test/support/people.ts'
import { forgetWhatCameToNothing } from './commands.ts'
import { CHANGE_DAYS, UNPAID_DAYS } from './rules.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
let item: TestItem
let accountId = ''

beforeAll(async () => {
  await addCurrencies(database.ctx)
  item = await addItem(database.ctx)
  await stock(database.ctx, item, 'U', 20)
  accountId = (await somebody(database.ctx, { withPassword: false })).accountId
})

const order = () => buy(database.ctx, [{ item, quantity: 2 }], { accountId })
type Order = Awaited<ReturnType<typeof order>>

const begun = async (of: Order) => (await beginPaying(database.ctx, paidAt(fake), of)).id

/** An order that was cancelled after one try to pay. */
async function tried(): Promise<Order> {
  const made = await order()
  const attempt = await begun(made)
  await sql`update payment_attempt set status = 'failed', check_at = null where id = ${attempt}`.execute(
    database.ctx.db,
  )
  await sql`update shop_order set status = 'pending_payment' where id = ${made.id}`.execute(
    database.ctx.db,
  )
  await cancelOrder(database.ctx, accountId, made.publicId)
  return made
}

async function aged({ id }: Order, days: number): Promise<void> {
  await sql`update shop_order set created_at = created_at - ${days} * interval '1 day', updated_at = updated_at - ${days} * interval '1 day' where id = ${id}`.execute(
    database.ctx.db,
  )
}

const ROWS = sql<{ rows: number }>`
  select (select count(*) from shop_order) + (select count(*) from order_line) + (select count(*) from order_unit)
    + (select count(*) from order_event) + (select count(*) from payment_attempt) as rows`

test('an order that came to nothing goes whole after its term; what is younger, paid, or has money, a key or a request stays', async () => {
  const { ctx } = database
  const [empty, withAttempt] = [await order(), await tried()]
  await cancelOrder(ctx, accountId, empty.publicId)
  const young = await tried()
  const paid = await order()
  const attempt = await begun(paid)
  fake.pay(attempt, { minor: 2_000n, currency: 'USD' })
  await checkPayment(ctx, services, attempt)
  const asked = await tried()
  await ctx.db
    .insertInto('service_case')
    .values({
      id: ctx.newId(),
      public_id: randomUUID().replaceAll('-', '').slice(0, 22),
      kind: 'faulty_key',
      order_id: asked.id,
      account_id: accountId,
      reason: 'other',
      status: 'declined',
      created_at: ctx.now(),
      decided_at: ctx.now(),
      decided_by: 'test',
    })
    .execute()
  const unpaid = await order()
  for (const each of [empty, withAttempt, paid, asked, unpaid]) await aged(each, UNPAID_DAYS + 1)
  await aged(young, UNPAID_DAYS - 1)
  const { total } = await listOrders(ctx.db, accountId, { filters: ['all'], page: 1, limit: 50 })
  expect(total).toBe(6)

  await forgetWhatCameToNothing(ctx)
  const { ids } = await listOrders(ctx.db, accountId, { filters: ['all'], page: 1, limit: 50 })
  expect(ids.toSorted()).toEqual([young.id, paid.id, asked.id, unpaid.id].toSorted())
  // Nothing of those that went is left behind anywhere.
  const { rows } = await sql<{ left: number }>`
    select (select count(*) from order_line where order_id = any(${[empty.id, withAttempt.id]})) + (select count(*) from order_unit where order_id = any(${[empty.id, withAttempt.id]}))
      + (select count(*) from order_event where order_id = any(${[empty.id, withAttempt.id]})) + (select count(*) from payment_attempt where order_id = any(${[empty.id, withAttempt.id]})) as left`.execute(
    ctx.db,
  )
  expect(Number(rows[0]?.left)).toBe(0)
  const once = await ROWS.execute(ctx.db)
  await forgetWhatCameToNothing(ctx)
  expect((await ROWS.execute(ctx.db)).rows).toEqual(once.rows)
  await sql`update shop_order set created_at = now(), updated_at = now(), expires_at = now() + interval '10 minutes' where id = ${unpaid.id}`.execute(
    ctx.db,
  )
  expect(await violations(ctx)).toEqual([])
})

test('who asks for a shorter term than the owner of the tables keeps gets that, and nobody removes an event by hand', async () => {
  const { ctx } = database
  const young = await tried()
  await aged(young, UNPAID_DAYS - 1)
  await sql`select forget_unpaid_orders('infinity', 1000)`.execute(ctx.db)
  await expect(
    sql`delete from order_event where order_id = ${young.id}`.execute(ctx.db),
  ).rejects.toThrow('append-only')
  await sql`create role stranger_of_orders`.execute(ctx.db)
  try {
    await sql`grant select, delete on order_event, audit_log to stranger_of_orders`.execute(ctx.db)
    for (const table of ['order_event', 'audit_log'])
      await expect(
        ctx.db.transaction().execute(async (tx) => {
          await sql`insert into audit_log (id, at, actor, request_id, action, subject, subject_code) values (uuidv7(), now(), 'account:1', 'r', 'update', 'account', '1')`.execute(
            tx,
          )
          await sql`set local role stranger_of_orders`.execute(tx)
          await sql`set local lukado.forgetting = 'on'`.execute(tx)
          await sql`delete from ${sql.table(table)}`.execute(tx)
        }),
      ).rejects.toThrow('append-only')
  } finally {
    await sql`drop owned by stranger_of_orders`.execute(ctx.db)
    await sql`drop role stranger_of_orders`.execute(ctx.db)
  }
})

test('while somebody works on an order that would go it is passed over, and goes with the next run', async () => {
  const { ctx } = database
  const [held, free] = [await tried(), await tried()]
  for (const each of [held, free]) await aged(each, UNPAID_DAYS + 1)
  await ctx.db.transaction().execute(async (tx) => {
    await sql`select from shop_order where id = ${held.id} for no key update`.execute(tx)
    await forgetWhatCameToNothing(ctx)
    const left = await tx
      .selectFrom('shop_order')
      .select('id')
      .where('id', 'in', [held.id, free.id])
      .execute()
    expect(left).toEqual([{ id: held.id }])
  })
  await forgetWhatCameToNothing(ctx)
  expect(
    await ctx.db.selectFrom('shop_order').select('id').where('id', '=', held.id).execute(),
  ).toEqual([])
})

test('what people changed of their accounts is known for its term; what operators and imports changed for ever', async () => {
  const { ctx } = database
  const changed = (actor: string, daysAgo: number) => {
    const at = new Date(ctx.now().getTime() - daysAgo * 86_400_000)
    return ctx.db.transaction().execute(async (tx) => {
      // The database names rows as of now.
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`insert into audit_log (id, at, actor, request_id, action, subject, subject_code)
        values (${uuidv7(at.getTime(), ctx.random(10))}, ${at}, ${actor}, 'r', 'update', 'account', ${`${actor} ${daysAgo}`})`.execute(
        tx,
      )
    })
  }
  for (const actor of ['account:7', 'operator:ann', 'import:x'])
    for (const days of [CHANGE_DAYS - 1, CHANGE_DAYS + 1]) await changed(actor, days)
  // A batch for each row, as what goes, goes by batches.
  for (let row = 0; row < 6; row += 1)
    await sql`select seal_audit(uuidv7(interval '-1 second'), 1)`.execute(ctx.db)
  await forgetWhatCameToNothing(ctx)
  const left = await ctx.db
    .selectFrom('audit_log')
    .select('subject_code as name')
    .where('request_id', '=', 'r')
    .orderBy('subject_code')
    .execute()
  expect(left.map(({ name }) => name)).toEqual([
    'account:7 539',
    'import:x 539',
    'import:x 541',
    'operator:ann 539',
    'operator:ann 541',
  ])
})
