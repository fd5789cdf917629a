import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { transaction } from '#platform/ctx.ts'
import { createLogger } from '#platform/log.ts'
import {
  addCurrencies,
  addItem,
  buy,
  buyCredit,
  stock,
  violations,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { beginPaying, paidAt, payFor } from '../../../../test/support/paying.ts'
import { checkEverything, lookAtChanged } from './jobs.ts'
import { countBroken, findLook, listBrokenOf } from './queries.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
const paid = { id: '', credit: '', refunded: '', unpaid: '' }

beforeAll(async () => {
  await addCurrencies(database.ctx)
  const item = await addItem(database.ctx)
  const byHand = await addItem(database.ctx, { delivery: 'direct_charge' })
  await stock(database.ctx, item, 'K', 3)
  const two = [{ item }, { item: byHand, delivery: 'direct_charge' as const }]
  paid.id = await paidOrder(buy(database.ctx, two))
  paid.credit = await paidOrder(buyCredit(database.ctx))
  paid.refunded = await paidOrder(buy(database.ctx, [{ item }]))
  await requestRefund(database.ctx, {
    orderId: paid.refunded,
    unitIds: null,
    destination: 'original',
    reason: 'mistake',
    requestedBy: 'a',
    approvedBy: 'b',
  })
  await submitRefunds(database.ctx, services.providers)
  const unpaid = await buy(database.ctx, [{ item }])
  await beginPaying(database.ctx, paidAt(fake), unpaid, { feeMinor: 30n })
  paid.unpaid = unpaid.id
})

async function paidOrder(making: ReturnType<typeof buy>): Promise<string> {
  const order = await making
  await payFor(database.ctx, fake, order, undefined, { feeMinor: 30n })
  return order.id
}

test('promises hold before anything is broken', async () => {
  expect(await violations(database.ctx)).toEqual([])
})

/** What is broken by force, past triggers and keys; `$` stands for the order. */
const BREAKS: readonly (readonly [string, keyof typeof paid, string])[] = [
  ['label differs from facts', 'id', `update shop_order set status = 'completed' where id = $`],
  [
    'label differs from its last event',
    'id',
    `update order_event set to_status = 'expired' where order_id = $`,
  ],
  [
    'line and units differ',
    'id',
    `delete from order_unit where order_id = $ and delivery = 'direct_charge'`,
  ],
  ['goods and lines differ', 'id', `update order_line set price_minor = 7 where order_id = $`],
  [
    'order differs from what lists say of it',
    'id',
    `update shop_order set has_cards = false where id = $`,
  ],
  [
    'payment shown to another shopper, or to none',
    'id',
    `update ledger_transfer set account_id = null where source = 'capture' and source_id in (select id from payment_attempt where order_id = $)`,
  ],
  [
    'refund not shown once',
    'refunded',
    `update ledger_transfer set account_id = null where source = 'refund' and source_id in (select id from refund where order_id = $)`,
  ],
  [
    'card delivered without a key',
    'id',
    `delete from card_key where unit_id in (select id from order_unit where order_id = $)`,
  ],
  [
    'key delivered for what was not paid',
    'id',
    `update shop_order set settled_at = null where id = $`,
  ],
  [
    'key kept for an order that is over',
    'unpaid',
    `update shop_order set status = 'cancelled', ended = 'cancelled' where id = $`,
  ],
  [
    'paid card without a key',
    'id',
    `update order_unit set status = 'queued' where order_id = $ and delivery = 'card_key'`,
  ],
  [
    'captured differs from the ledger',
    'id',
    `delete from ledger_transfer where source = 'capture' and source_id in (select id from payment_attempt where order_id = $)`,
  ],
  [
    'order and its payments differ',
    'id',
    `update payment_attempt set captured_minor = captured_minor + 1 where order_id = $`,
  ],
  ['order and its refunds differ', 'id', `update shop_order set refunded_minor = 5 where id = $`],
  [
    'payment and its refunds differ',
    'id',
    `update payment_attempt set refunded_minor = 5 where order_id = $`,
  ],
  [
    'refund and the ledger differ',
    'refunded',
    `delete from ledger_transfer where source = 'refund' and source_id in (select id from refund where order_id = $)`,
  ],
  [
    'payment and its reversals differ',
    'id',
    `update payment_attempt set reversed_minor = 5 where order_id = $`,
  ],
  [
    'settled without a payment applied, or applied without',
    'id',
    `update payment_attempt set is_applied = false where order_id = $`,
  ],
  [
    'payment begun without agreement',
    'unpaid',
    `update shop_order set waived_at = null where id = $`,
  ],
  [
    'store credit that was bought went elsewhere',
    'credit',
    `update ledger_transfer set credit = (select id from ledger_account where code = 'sales' and currency = 'USD') where source = 'deliver' and source_id in (select id from order_unit where order_id = $)`,
  ],
  [
    'paid store credit not given',
    'credit',
    `update order_unit set status = 'queued' where order_id = $`,
  ],
  [
    'settled total and the ledger differ',
    'id',
    `delete from ledger_transfer where source = 'settle' and source_id = $`,
  ],
  [
    'unit delivered and the ledger differ',
    'id',
    `delete from ledger_transfer where source = 'deliver' and source_id in (select id from order_unit where order_id = $)`,
  ],
  [
    'credit of money that a bank has taken back',
    'credit',
    `update payment_attempt set reversed_minor = 5 where order_id = $`,
  ],
  [
    'open payment that nobody asks about',
    'unpaid',
    `update payment_attempt set check_at = null where order_id = $`,
  ],
  [
    'unpaid order past its time',
    'unpaid',
    `update shop_order set status = 'pending_payment', expires_at = now() - interval '2 hours' where id = $`,
  ],
  [
    'refund is not its units and fee',
    'refunded',
    `delete from refund_unit where refund_id in (select id from refund where order_id = $)`,
  ],
  [
    'key shown without a note of who looked',
    'id',
    `update card_key set revealed_at = now() where unit_id in (select id from order_unit where order_id = $)`,
  ],
  [
    'event that its buyer was not told',
    'id',
    `update order_event set is_to_tell = true, at = now() - interval '2 hours' where order_id = $`,
  ],
  [
    'store credit and its payment differ',
    'id',
    `update payment_attempt set provider = 'store-credit' where order_id = $`,
  ],
  [
    'receipts of the bank and the payment differ',
    'id',
    `update payment_attempt set provider = 'bank-transfer' where order_id = $`,
  ],
  [
    'owed goods and the books differ',
    'id',
    `delete from ledger_transfer where source = 'settle' and source_id = $`,
  ],
  [
    'held money and the books differ',
    'id',
    `delete from ledger_transfer where source = 'capture' and source_id in (select id from payment_attempt where order_id = $)`,
  ],
  [
    'owed goods of all orders and the books differ',
    'id',
    `delete from ledger_transfer where source = 'settle' and source_id = $`,
  ],
  [
    'held money of all orders and the books differ',
    'id',
    `delete from ledger_transfer where source = 'capture' and source_id in (select id from payment_attempt where order_id = $)`,
  ],
  [
    'balance differs from its transfers',
    'credit',
    `update ledger_account set balance_minor = balance_minor + 1 where balance_minor is not null and $::uuid is not null`,
  ],
  [
    'notice not worked off',
    'id',
    `insert into provider_event (provider, event_id, kind, body, received_at) values ('fake', $::text, 'x', '', now() - interval '1 hour')`,
  ],
  [
    'sweep that is not done',
    'id',
    `insert into sweep (name, begun_at) select 'expire_orders', now() - interval '2 hours' where $::uuid is not null`,
  ],
]

const WITHOUT_CHECKS = `do $do$ declare each record; begin
  for each in select conname from pg_constraint where conrelid = 'shop_order'::regclass and contype = 'c' loop
    execute format('alter table shop_order drop constraint %I', each.conname);
  end loop; end $do$`

class Undone extends Error {}

test.each(BREAKS)('%s: broken by force, it is found', async (invariant, which, statement) => {
  const found: string[] = []
  const broken = transaction(database.ctx, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql.raw(WITHOUT_CHECKS).execute(tx)
    await sql.raw(statement.replaceAll('$', `'${paid[which]}'`)).execute(tx)
    const { rows } = await sql<{
      invariant: string
    }>`select invariant from invariant_violation`.execute(tx)
    found.push(...rows.map((row) => row.invariant))
    throw new Undone()
  })
  await expect(broken).rejects.toThrow(Undone)
  expect(found).toContain(invariant)
})

test('an order that has changed is looked at by itself, and all of them page by page; what is mended is forgotten', async () => {
  const said: string[] = []
  const log = createLogger({ level: 'error', write: (line: string) => void said.push(line) })
  const ctx = { ...database.ctx, log }
  await lookAtChanged()(ctx)
  await checkEverything(ctx)
  expect(await countBroken(ctx.db)).toBe(0)
  await ctx.db
    .updateTable('shop_order')
    .set({ has_cards: false })
    .where('id', '=', paid.id)
    .execute()
  expect(await listBrokenOf(ctx.db, [paid.credit])).toEqual([])
  await lookAtChanged()(ctx)
  expect(await countBroken(ctx.db)).toBe(1)
  await checkEverything(ctx)
  await ctx.db
    .updateTable('shop_order')
    .set({ has_cards: true })
    .where('id', '=', paid.id)
    .execute()
  await checkEverything(minutesLater(ctx, 1))
  expect(await countBroken(ctx.db)).toBe(0)
  expect((await findLook(ctx.db, 'everything'))?.endedAt).not.toBeNull()
})

test('an order is looked at once for what happened to it, and again for an event that is written late', async () => {
  const log = createLogger({ level: 'error', write: () => {} })
  const ctx = { ...database.ctx, log }
  const look = lookAtChanged()
  await look(ctx)
  const { id, at } = await ctx.db
    .selectFrom('order_event')
    .select(['id', 'at'])
    .where('order_id', '=', paid.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const setCards = (hasCards: boolean) =>
    ctx.db
      .updateTable('shop_order')
      .set({ has_cards: hasCards })
      .where('id', '=', paid.id)
      .execute()
  await setCards(false)
  await look(ctx)
  expect(await countBroken(ctx.db)).toBe(0)
  // Its id is of a moment that has been looked at.
  const late = `${id.slice(0, -4)}0000`
  expect(late < id).toBe(true)
  await transaction(ctx, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason)
      select ${late}, id, ${at}, 'test', 'test', status, status, 'noted' from shop_order where id = ${paid.id}`.execute(
      tx,
    )
  })
  await look(ctx)
  expect(await countBroken(ctx.db)).toBe(1)
  await setCards(true)
  await checkEverything(minutesLater(ctx, 1))
  expect(await countBroken(ctx.db)).toBe(0)
})
