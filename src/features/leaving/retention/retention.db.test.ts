import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { recordNotice, closeNotice } from '#features/buying/payment/commands.ts'
import { checkPayment } from '#features/buying/payment/flows.ts'
import { cancelAccount } from '#features/leaving/closure/commands.ts'
import { eraseDue } from '#features/leaving/closure/jobs.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { beginPaying, paidAt } from '../../../../test/support/paying.ts'
import { forgetOldEvidence } from './commands.ts'
import { EVIDENCE_DAYS, NOTICE_DAYS, RETENTION, retentionTable } from './rules.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
let item: TestItem
const days = (count: number) => minutesLater(database.ctx, count * 24 * 60)

beforeAll(async () => {
  await addCurrencies(database.ctx)
  item = await addItem(database.ctx)
  await stock(database.ctx, item, 'E', 20)
})

/** A paid order with evidence of all kinds, as old as one of so many days. */
async function bought(daysAgo = 0) {
  const { ctx } = database
  const order = await buy(ctx, [{ item }])
  const attempt = await beginPaying(ctx, services, order)
  fake.pay(attempt.id, { minor: 1_000n, currency: 'USD' })
  await checkPayment(ctx, services, attempt.id)
  const notice = { provider: 'fake', eventId: `evt_${attempt.id}`, outcome: 'settled' }
  await recordNotice(
    ctx,
    'fake',
    { eventId: notice.eventId, kind: 'captured', paymentReference: attempt.reference },
    Buffer.from('{"payer":"Ada Lovelace"}'),
  )
  await closeNotice(ctx, notice)
  await sql`update shop_order set evidence = '{"network":"203.0.113.0/24"}' where id = ${order.id}`.execute(
    ctx.db,
  )
  await sql`update order_line set account_fields = '{"uid":"Ada"}' where order_id = ${order.id}`.execute(
    ctx.db,
  )
  const key = await ctx.db
    .selectFrom('card_key as k')
    .innerJoin('order_unit as u', 'u.id', 'k.unit_id')
    .select('k.id')
    .where('u.order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  await ctx.db
    .insertInto('key_access')
    .values({
      id: ctx.newId(),
      key_id: key.id,
      actor: `account:${order.accountId}`,
      purpose: 'reveal',
      network: '203.0.113.0/24',
      request_id: randomUUID(),
      at: days(-daysAgo).now(),
    })
    .execute()
  await sql`update shop_order set created_at = created_at - ${daysAgo} * interval '1 day' where id = ${order.id}`.execute(
    ctx.db,
  )
  await sql`update provider_event set received_at = received_at - ${daysAgo} * interval '1 day' where event_id = ${notice.eventId}`.execute(
    ctx.db,
  )
  return order
}

const told = async (orderId: string): Promise<string[]> => {
  const { rows } = await sql<{ told: string }>`
    select 'notice' as told from provider_event e join payment_attempt p on p.provider_reference = e.provider_reference where p.order_id = ${orderId} and e.body <> ''
    union all select 'network' from key_access x join card_key k on k.id = x.key_id join order_unit u on u.id = k.unit_id where u.order_id = ${orderId} and x.network <> ''
    union all select 'order' from shop_order where id = ${orderId} and evidence <> '{}' union all select 'line' from order_line where order_id = ${orderId} and account_fields <> '{}'`.execute(
    database.ctx.db,
  )
  return rows.map((row) => row.told).toSorted()
}

const dispute = (orderId: string, accountId: string) =>
  database.ctx.db
    .insertInto('service_case')
    .values({
      id: database.ctx.newId(),
      public_id: randomUUID().replaceAll('-', '').slice(0, 22),
      kind: 'dispute',
      order_id: orderId,
      account_id: accountId,
      reason: 'disputed',
      created_at: database.ctx.now(),
    })
    .execute()

test('a notice loses its text and a purchase its evidence when their terms are over, and not before', async () => {
  const ages = [NOTICE_DAYS - 1, NOTICE_DAYS + 1, EVIDENCE_DAYS - 1, EVIDENCE_DAYS + 1]
  const orders: Awaited<ReturnType<typeof bought>>[] = []
  for (const age of ages) orders.push(await bought(age))
  await forgetOldEvidence(database.ctx)
  const left = await Promise.all(orders.map((order) => told(order.id)))
  expect(left).toEqual([
    ['line', 'network', 'notice', 'order'],
    ['line', 'network', 'order'],
    ['line', 'network', 'order'],
    [],
  ])
  expect(await violations(database.ctx)).toEqual([])
})

test('who asks for shorter terms than the owner of the tables keeps gets those, and no account in use loses its evidence', async () => {
  const { ctx } = database
  const order = await bought(NOTICE_DAYS - 1)
  await sql`select forget_evidence(null, 'infinity', 'infinity', 1000)`.execute(ctx.db)
  expect(await told(order.id)).toEqual(['line', 'network', 'notice', 'order'])
  await expect(
    sql`select forget_evidence(${order.accountId}, 'infinity', 'infinity', 1000)`.execute(ctx.db),
  ).rejects.toThrow('in use')
})

test('what an open dispute may need stays whatever its term, and goes once it ends', async () => {
  const order = await bought(EVIDENCE_DAYS + 1)
  await dispute(order.id, order.accountId)
  await forgetOldEvidence(database.ctx)
  expect(await told(order.id)).toEqual(['line', 'network', 'notice', 'order'])
  await sql`update service_case set status = 'declined', decided_at = now(), decided_by = 'test' where order_id = ${order.id}`.execute(
    database.ctx.db,
  )
  await forgetOldEvidence(database.ctx)
  expect(await told(order.id)).toEqual([])
})

test('erasing a person takes it out at once, and what a dispute kept as soon as that ends', async () => {
  const [plain, disputed] = [await bought(), await bought(NOTICE_DAYS + 1)]
  for (const { accountId } of [plain, disputed]) await cancelAccount(database.ctx, { accountId })
  await dispute(disputed.id, disputed.accountId)
  await eraseDue(days(31))
  expect([await told(plain.id), await told(disputed.id)]).toEqual([
    [],
    ['line', 'network', 'notice', 'order'],
  ])
  await sql`update service_case set status = 'declined', decided_at = now(), decided_by = 'test' where order_id = ${disputed.id}`.execute(
    database.ctx.db,
  )
  await forgetOldEvidence(database.ctx)
  expect(await told(disputed.id)).toEqual([])
})

test('what is only added to refuses every other change, whatever a session says of itself', async () => {
  const { ctx } = database
  await bought()
  for (const statement of [
    sql`update key_access set network = ''`,
    sql`delete from key_access`,
    sql`truncate key_access`,
    sql`update ledger_transfer set amount_minor = 1`,
    sql`update order_event set actor = 'x'`,
  ])
    await expect(statement.execute(ctx.db)).rejects.toThrow('append-only')
  await sql`create role stranger_of_test`.execute(ctx.db)
  try {
    await sql`grant select, update on key_access to stranger_of_test`.execute(ctx.db)
    await expect(
      ctx.db.transaction().execute(async (tx) => {
        await sql`set local role stranger_of_test`.execute(tx)
        await sql`set local lukado.forgetting = 'on'`.execute(tx)
        await sql`update key_access set network = ''`.execute(tx)
      }),
    ).rejects.toThrow('append-only')
  } finally {
    await sql`drop owned by stranger_of_test`.execute(ctx.db)
    await sql`drop role stranger_of_test`.execute(ctx.db)
  }
})

test('every column with text or bytes, and every one that names an account, is in the table of retention', async () => {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select c.relname as name, coalesce(array_agg(a.attname::text order by a.attnum) filter (where format_type(a.atttypid, null) in ('text', 'jsonb', 'bytea') or a.attname = 'account_id'), '{}') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by c.relname order by c.relname`.execute(
    database.ctx.db,
  )
  const declared = Object.fromEntries(
    Object.entries(RETENTION).map(([table, { personal, none }]) => [table, [...personal, ...none]]),
  )
  const undeclared = rows.flatMap(({ name, columns }) =>
    columns
      .filter((column) => !declared[name]?.includes(column))
      .map((column) => `${name}.${column}`),
  )
  expect(undeclared).toEqual([])
  expect(Object.keys(declared).filter((table) => !rows.some(({ name }) => name === table))).toEqual(
    [],
  )
})

test('operators read the same table', () => {
  expect(readFileSync(join(PROJECT_ROOT, 'docs/operating/retention.md'), 'utf8')).toContain(
    retentionTable(),
  )
})
