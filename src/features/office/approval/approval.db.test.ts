import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { storeCreditOf } from '#features/base/ledger/rules.ts'
import { acceptCase, openCase } from '#features/buying/after-sales/commands.ts'
import {
  bankTransfers,
  recordReceipt,
  recordReturn,
} from '#features/buying/bank-transfer/commands.ts'
import {
  claimUnit,
  failUnit,
  refundFailed,
  releaseHold,
  retryShortOrders,
} from '#features/buying/fulfilment/commands.ts'
import { changeOrder } from '#features/buying/order/commands.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { checkPayment } from '#features/buying/payment/flows.ts'
import { bookDifference, closeDifference } from '#features/buying/reconciliation/commands.ts'
import {
  approveRefund,
  refundByOperator,
  refuseRefund,
  requestRefund,
  returnMoneyByOperator,
} from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { grantCreditByOperator } from '#features/buying/store-credit/commands.ts'
import { closeUnmatched, recordUnmatched } from '#features/buying/unmatched-payment/commands.ts'
import { returnUnmatched } from '#features/buying/unmatched-payment/flows.ts'
import { endActsAbout, eraseApproval } from '#features/team/approval/commands.ts'
import { countWaiting, exportApproval, listWaiting } from '#features/team/approval/queries.ts'
import {
  APART_AFTER_HOURS,
  APPROVED_WITHIN_HOURS,
  COUNTED_HOURS,
} from '#features/team/approval/rules.ts'
import {
  actingAs,
  changeOperatorPassword,
  createFirstOwner,
  createOperator,
  createToken,
  proveByToken,
  type OperatorCtx,
} from '#features/team/operator/commands.ts'
import type { OperatorRole } from '#features/team/operator/rules.ts'
import { transaction } from '#platform/ctx.ts'
import { getGuardedBalance } from '../../../../test/support/books.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
  unitIdsOf,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { beginPaying } from '../../../../test/support/paying.ts'
import { refused, somebody } from '../../../../test/support/people.ts'
import { approveAct, refuseAct } from './commands.ts'

const PASSWORD = 'correct horse battery'
const mayBeSame = (sentence: string) => ({
  code: 'needs_another',
  cause: { message: expect.stringContaining(sentence) as string },
})
const database = useDatabase()
const fake = createFakePayments()
const services = () => ({
  providers: new Map([
    ['fake', fake.provider],
    ['bank-transfer', bankTransfers(database.ctx)],
  ]),
  publicUrl: 'https://shop.example',
})
let card: TestItem
let topUp: TestItem
let serial = 0
/** Somebody whose limits nothing counts against yet. */
const fresh = (role: OperatorRole) => asOperator(database.ctx, `${role}${(serial += 1)}`, role)
const usd = (minor: bigint) => ({ minor, currency: 'USD' })

beforeAll(async () => {
  await addCurrencies(database.ctx)
  await database.ctx.db
    .insertInto('currency_rate')
    .values({ currency: 'EUR', per_usd: '0.5', observed_at: new Date(), source: 'test' })
    .execute()
  card = await addItem(database.ctx)
  await stock(database.ctx, card, 'A', 80)
  topUp = await addItem(database.ctx, { delivery: 'direct_charge' })
})
afterEach(async () => {
  await database.ctx.db.deleteFrom('setting').execute()
  expect(await violations(database.ctx)).toEqual([])
})

const balanceOf = (accountId: string, currency = 'USD') =>
  getGuardedBalance(database.ctx.db, storeCreditOf(accountId), currency)
const actOf = (publicId: string) =>
  database.ctx.db
    .selectFrom('operator_act')
    .selectAll()
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow()
const orderOf = (id: string) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

async function bought(
  quantity: number,
  wanted: { minor?: bigint; accountId?: string; delivery?: 'direct_charge' } = {},
) {
  const { minor = BigInt(quantity) * 1_000n, accountId, delivery } = wanted
  const goods = delivery ? { item: topUp, quantity, delivery } : { item: card, quantity }
  const order = await buy(database.ctx, [goods], accountId === undefined ? {} : { accountId })
  const attempt = await begun(order, 'fake')
  fake.pay(attempt, usd(minor))
  await checkPayment(database.ctx, services(), attempt)
  return { ...order, attempt, units: await unitIdsOf(database.ctx, order.id) }
}

async function begun(
  order: Awaited<ReturnType<typeof buy>>,
  provider: 'fake' | 'bank-transfer',
): Promise<string> {
  const method = provider === 'fake' ? 'card' : provider
  return (await beginPaying(database.ctx, services(), order, { provider, method })).id
}

const idOf = ({ publicId }: { readonly publicId: string }) => publicId

/** Until another connection waits for a lock. */
async function somebodyWaits() {
  for (;;) {
    const { rows } = await sql`select from pg_locks where not granted`.execute(database.ctx.db)
    if (rows.length > 0) return
  }
}

const refundOf = (ctx: OperatorCtx, orderNumber: string, units: readonly string[] | null) =>
  refundByOperator(ctx, { orderNumber, units, destination: 'original', reason: 'goodwill' })

describe('limits are not passed in parts', () => {
  test('refunds of one shopper count together, whatever order they are of', async () => {
    const support = fresh('support')
    const first = await bought(3)
    const second = await bought(1, { accountId: first.accountId })
    const other = await bought(1)
    const asked: boolean[] = []
    for (const unit of first.units.slice(0, 2))
      asked.push((await refundOf(support, first.number, [unit])).needsApproval)
    asked.push((await refundOf(support, second.number, null)).needsApproval)
    // Another shopper's are others, and so is what the same one gets a day later.
    asked.push((await refundOf(support, other.number, null)).needsApproval)
    const tomorrow = { ...support, now: minutesLater(database.ctx, COUNTED_HOURS * 60 + 1).now }
    asked.push((await refundOf(tomorrow, first.number, first.units.slice(2))).needsApproval)
    expect(asked).toEqual([false, false, true, false, false])
  })

  test('the limit of the shop counts refunds and store credit together', async () => {
    const owner = fresh('owner')
    const order = await bought(6)
    expect((await refundOf(owner, order.number, order.units)).needsApproval).toBe(false)
    const { email } = await database.ctx.db
      .selectFrom('account')
      .select('email')
      .where('id', '=', order.accountId)
      .executeTakeFirstOrThrow()
    const waits = await grantCreditByOperator(owner, { email: email ?? '', money: usd(4_001n) })
    expect(waits).not.toBeNull()
    expect(
      await grantCreditByOperator(owner, { email: email ?? '', money: usd(4_000n) }),
    ).toBeNull()
  })

  test('thirty-two credits at once, by two tokens and in two currencies, give no more than one person may', async () => {
    const { ctx } = database
    const mara = await createFirstOwner(ctx, { name: 'mara', password: PASSWORD })
    const aiko = actingAs(
      ctx,
      await createOperator(actingAs(ctx, mara), {
        name: 'aiko',
        role: 'support',
        password: PASSWORD,
      }),
    )
    const hands = await Promise.all(
      ['one', 'two'].map(async (label) => {
        const { token } = await createToken(aiko, { label, days: 1 })
        const proved = await proveByToken(ctx, token)
        if (!proved) throw new Error('a new token proves')
        return actingAs(ctx, proved)
      }),
    )
    const shopper = await somebody(ctx)
    const outcomes = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        grantCreditByOperator(hands[index % 2] ?? aiko, {
          email: shopper.email,
          money: index % 4 < 2 ? usd(1_500n) : { minor: 750n, currency: 'EUR' },
        }).then(
          (waits) => (waits === null ? 'given' : 'waits'),
          (error: Error) => error.name,
        ),
      ),
    )
    // Each is fifteen dollars, of a hundred.
    expect(outcomes.filter((outcome) => outcome === 'given')).toHaveLength(6)
    const given =
      (await balanceOf(shopper.accountId)) + 2n * (await balanceOf(shopper.accountId, 'EUR'))
    expect(given).toBe(9_000n)
  })

  test('what no rate is known of waits, and small amounts are not nothing', async () => {
    const [finance, owner, other] = [fresh('finance'), fresh('owner'), fresh('owner')]
    const { email, accountId } = await somebody(database.ctx)
    const money = { minor: 1n, currency: 'JPY' }
    const waits = await grantCreditByOperator(owner, { email, money })
    expect((await refused(approveAct(finance, waits ?? ''))).params).toMatchObject({
      limit: 'shopper.credit',
    })
    await approveAct(other, waits ?? '')
    expect(await balanceOf(accountId, 'JPY')).toBe(1n)
    expect(
      await grantCreditByOperator(owner, { email, money: { minor: 1n, currency: 'EUR' } }),
    ).toBe(null)
    const [act] = await database.ctx.db
      .selectFrom('operator_act')
      .select('usd_minor')
      .where('asked_by', '=', owner.actor)
      .where('currency', '=', 'EUR')
      .execute()
    expect(act?.usd_minor).toBe('2')
  })

  test('many shoppers together are limited for a day, too', async () => {
    const support = fresh('support')
    const give = async () =>
      grantCreditByOperator(support, {
        email: (await somebody(database.ctx, { withPassword: false })).email,
        money: usd(10_000n),
      })
    for (let index = 0; index < 10; index += 1) expect(await give()).toBeNull()
    expect(await give()).not.toBeNull()
  })
})

/** From now on everything waits for another person. */
async function nothingAlone() {
  for (const key of ['refund_second_person_minor', 'note_second_person_minor'])
    await database.ctx.db.insertInto('setting').values({ key, value: '0' }).execute()
}

async function unmatchedPayment() {
  const reference = `pay_${randomUUID()}`
  const told = {
    reference,
    ourReference: randomUUID(),
    status: 'captured',
    captured: usd(2_500n),
    isDisputed: false,
    reversed: null,
    redirectUrl: null,
    failure: null,
  } as const
  await recordUnmatched(database.ctx, 'fake', told)
  const row = await database.ctx.db
    .selectFrom('stray_payment')
    .select('public_id')
    .where('provider_reference', '=', reference)
    .executeTakeFirstOrThrow()
  return row.public_id
}

async function difference(kind: 'refunded_elsewhere' | 'captured_less') {
  const { attempt, id } = await bought(1)
  const publicId = randomUUID().replaceAll('-', '').slice(0, 22)
  await database.ctx.db
    .insertInto('payment_difference')
    .values({
      id: database.ctx.newId(),
      public_id: publicId,
      attempt_id: attempt,
      kind,
      currency: 'USD',
      told_minor: kind === 'captured_less' ? 400n : 1_000n,
      known_minor: kind === 'captured_less' ? 1_000n : 0n,
      found_at: database.ctx.now(),
    })
    .execute()
  return { publicId, id }
}

const outcomeOf = async (table: 'payment_difference' | 'stray_payment', publicId: string) =>
  (
    await database.ctx.db
      .selectFrom(table)
      .select('outcome')
      .where('public_id', '=', publicId)
      .executeTakeFirstOrThrow()
  ).outcome

/** Each asks, and tells how to see whether it is done. */
const ACTS: readonly (readonly [
  string,
  (ctx: OperatorCtx) => Promise<{
    readonly waits: string | null
    readonly isDone: () => Promise<boolean>
  }>,
])[] = [
  [
    'store credit',
    async (ctx) => {
      const { email, accountId } = await somebody(database.ctx)
      const waits = await grantCreditByOperator(ctx, { email, money: usd(700n) })
      return { waits, isDone: async () => (await balanceOf(accountId)) === 700n }
    },
  ],
  [
    'a case that is agreed to',
    async (ctx) => {
      const order = await bought(1)
      const found = await openCase(database.ctx, order.accountId, {
        kind: 'refund_request',
        order: order.publicId,
        units: null,
        reason: 'code_invalid',
        text: '',
        picture: null,
        destination: 'store_credit',
      })
      const { waits } = await acceptCase(ctx, found, 'sorry')
      return {
        waits,
        isDone: async () => {
          await submitRefunds(database.ctx, services().providers)
          return (await orderOf(order.id)).status === 'refunded'
        },
      }
    },
  ],
  [
    'money that did not pay for its order',
    async (ctx) => {
      const order = await bought(1, { minor: 300n })
      const waits = await returnMoneyByOperator(ctx, order.number)
      return {
        waits,
        isDone: async () => {
          const before = fake.kept('USD')
          await submitRefunds(database.ctx, services().providers)
          return before - fake.kept('USD') === 300n
        },
      }
    },
  ],
  [
    'the price of a unit that is said not to be delivered',
    async (ctx) => {
      const order = await bought(1, { delivery: 'direct_charge' })
      await claimUnit(ctx, order.units[0] ?? '')
      const waits = await failUnit(ctx, order.units[0] ?? '', 'wrong_account')
      return {
        waits,
        isDone: async () => {
          await refundFailed(database.ctx)
          await submitRefunds(database.ctx, services().providers)
          return (await orderOf(order.id)).status === 'refunded'
        },
      }
    },
  ],
  [
    'a line of the bank that pays an order',
    async (ctx) => {
      const order = await buy(database.ctx, [{ item: card }])
      const attempt = await begun(order, 'bank-transfer')
      const { waits } = await recordReceipt(ctx, {
        orderNumber: order.number,
        money: usd(1_000n),
        reference: `line ${order.number}`,
      })
      return {
        waits,
        isDone: async () => {
          await checkPayment(database.ctx, services(), attempt)
          return (await orderOf(order.id)).status === 'completed'
        },
      }
    },
  ],
  [
    'a refund said to be sent by hand',
    async (ctx) => {
      const order = await buy(database.ctx, [{ item: card }])
      const attempt = await begun(order, 'bank-transfer')
      await database.ctx.db.deleteFrom('setting').execute()
      await recordReceipt(fresh('owner'), {
        orderNumber: order.number,
        money: usd(1_000n),
        reference: `line ${order.number}`,
      })
      await checkPayment(database.ctx, services(), attempt)
      const { publicId } = await refundOf(fresh('owner'), order.number, null)
      await submitRefunds(database.ctx, services().providers)
      await nothingAlone()
      const { waits, refundId } = await recordReturn(ctx, publicId)
      return {
        waits,
        isDone: async () =>
          (await database.ctx.db
            .selectFrom('bank_return')
            .select('refund_id')
            .where('refund_id', '=', refundId)
            .executeTakeFirst()) !== undefined,
      }
    },
  ],
  [
    'an unmatched payment that is closed',
    async (ctx) => {
      const publicId = await unmatchedPayment()
      const waits = await closeUnmatched(ctx, publicId, 'of another shop')
      return {
        waits,
        isDone: async () => (await outcomeOf('stray_payment', publicId)) === 'seen_to',
      }
    },
  ],
  [
    'a difference that is booked',
    async (ctx) => {
      const { publicId } = await difference('refunded_elsewhere')
      const waits = await bookDifference(ctx, publicId)
      return {
        waits,
        isDone: async () => (await outcomeOf('payment_difference', publicId)) === 'booked',
      }
    },
  ],
  [
    'a difference that is closed',
    async (ctx) => {
      const { publicId } = await difference('captured_less')
      const waits = await closeDifference(ctx, publicId, 'they kept a fee')
      return {
        waits,
        isDone: async () => (await outcomeOf('payment_difference', publicId)) === 'seen_to',
      }
    },
  ],
  [
    'an order that was held for a closer look',
    async (ctx) => {
      const order = await bought(1, { delivery: 'direct_charge' })
      await transaction(database.ctx, async (tx) =>
        changeOrder(
          tx,
          database.ctx,
          await lockOrderById(tx, order.id),
          { hold: 'risk' },
          { reason: 'risk' },
        ),
      )
      const waits = await releaseHold(ctx, order.number)
      return { waits, isDone: async () => (await orderOf(order.id)).hold === null }
    },
  ],
]

describe('what is above the limits', () => {
  test.each(ACTS)('%s waits for another person, and is done once', async (_, ask) => {
    await nothingAlone()
    const asker = fresh('owner')
    const { waits, isDone } = await ask(asker)
    expect(await isDone()).toBe(false)
    const approval = waits ?? ''
    expect((await refused(approveAct(asker, approval))).code).toBe('needs_another')
    const approvers = [fresh('owner'), fresh('owner')]
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (__, index) =>
        approveAct(approvers[index % 2] ?? asker, approval).then(
          ({ decidedBy }) => decidedBy,
          (error: { code: string }) => error.code,
        ),
      ),
    )
    // The first of the two decides, and may say so again.
    expect(outcomes.filter((outcome) => outcome !== 'order_closed')).toHaveLength(4)
    expect(new Set(outcomes).size).toBe(2)
    expect(await isDone()).toBe(true)
    const audit = await database.ctx.db
      .selectFrom('audit_log')
      .select(['actor', 'action'])
      .where('subject', '=', 'operator_act')
      .where('subject_code', '=', approval)
      .orderBy('id')
      .execute()
    expect(audit).toEqual([
      { actor: asker.actor, action: 'act_waits' },
      { actor: (await actOf(approval)).decided_by, action: 'act_approved' },
    ])
  })

  test.each(ACTS)('%s is not done when it is refused', async (_, ask) => {
    await nothingAlone()
    const asker = fresh('owner')
    const { waits, isDone } = await ask(asker)
    await refuseAct(asker, waits ?? '', 'a slip')
    expect(await isDone()).toBe(false)
    expect((await refused(approveAct(fresh('owner'), waits ?? ''))).code).toBe('order_closed')
  })

  test.each(ACTS)('%s is done at once within the limits', async (_, ask) => {
    const { waits, isDone } = await ask(fresh('owner'))
    // One of them turns the limits on for itself.
    expect(waits === null || _ === 'a refund said to be sent by hand').toBe(true)
    if (waits === null) expect(await isDone()).toBe(true)
  })

  test('an unmatched payment goes back at its provider once somebody has approved it, and again where the answer was lost', async () => {
    await nothingAlone()
    const [asker, approver] = [fresh('owner'), fresh('owner')]
    const { attempt } = await bought(1)
    const { provider_reference: reference } = await database.ctx.db
      .selectFrom('payment_attempt')
      .select('provider_reference')
      .where('id', '=', attempt)
      .executeTakeFirstOrThrow()
    await recordUnmatched(database.ctx, 'fake', {
      reference: reference ?? '',
      ourReference: randomUUID(),
      status: 'captured',
      captured: usd(600n),
      isDisputed: false,
      reversed: null,
      redirectUrl: null,
      failure: null,
    })
    const { public_id: publicId } = await database.ctx.db
      .selectFrom('stray_payment')
      .select('public_id')
      .where('provider_reference', '=', reference ?? '')
      .executeTakeFirstOrThrow()
    const before = fake.kept('USD')
    const waits = await returnUnmatched(asker, [fake.provider], publicId)
    expect(await returnUnmatched(asker, [fake.provider], publicId)).toBe(waits)
    expect(before).toBe(fake.kept('USD'))
    await approveAct(approver, waits ?? '')
    fake.faults.push('lost_answer')
    await expect(returnUnmatched(approver, [fake.provider], publicId)).rejects.toThrow()
    expect(await returnUnmatched(approver, [fake.provider], publicId)).toBeNull()
    expect(before - fake.kept('USD')).toBe(600n)
    expect(await outcomeOf('stray_payment', publicId)).toBe('returned')
  })

  test('needs the same permission and a high enough limit', async () => {
    const shopper = await somebody(database.ctx)
    const waits =
      (await grantCreditByOperator(fresh('support'), {
        email: shopper.email,
        money: usd(20_000n),
      })) ?? ''
    expect((await refused(approveAct(fresh('catalogue'), waits))).params).toMatchObject({
      permission: 'approval.decide',
    })
    expect((await refused(approveAct(fresh('orders'), waits))).params).toMatchObject({
      permission: 'shopper.credit',
    })
    expect((await refused(approveAct(fresh('support'), waits))).params).toMatchObject({
      limit: 'shopper.credit',
    })
    const finance = fresh('finance')
    await approveAct(finance, waits)
    expect(await balanceOf(shopper.accountId)).toBe(20_000n)
    // What one approves counts as what one gives.
    const more = async () =>
      (await grantCreditByOperator(fresh('support'), {
        email: shopper.email,
        money: usd(20_000n),
      })) ?? ''
    await approveAct(finance, await more())
    expect((await refused(approveAct(finance, await more()))).params).toMatchObject({
      limit: 'shopper.credit',
    })
  })

  test('cannot be approved after two days, and is asked for anew then', async () => {
    await nothingAlone()
    const [asker, approver] = [fresh('owner'), fresh('owner')]
    const { email, accountId } = await somebody(database.ctx)
    const grant = (ctx: OperatorCtx) => grantCreditByOperator(ctx, { email, money: usd(300n) })
    const first = await grant(asker)
    expect(await grant(asker)).toBe(first)
    const { now } = minutesLater(database.ctx, APPROVED_WITHIN_HOURS * 60 + 1)
    expect((await refused(approveAct({ ...approver, now }, first ?? ''))).code).toBe('order_closed')
    expect(
      (await listWaiting(database.ctx.db, now(), 100)).map(({ publicId }) => publicId),
    ).not.toContain(first)
    const second = await grant({ ...asker, now })
    expect(second).not.toBe(first)
    await approveAct({ ...approver, now }, second ?? '')
    expect(await balanceOf(accountId)).toBe(300n)
  })

  test('is told to whoever looks whether something waits', async () => {
    const before = await countWaiting(database.ctx.db, database.ctx.now())
    await nothingAlone()
    const { email } = await somebody(database.ctx)
    await grantCreditByOperator(fresh('owner'), { email, money: usd(1n) })
    expect(await countWaiting(database.ctx.db, database.ctx.now())).toBe(before + 1)
  })
})

describe('nobody approves their own by another account', () => {
  const ask = async (asker: OperatorCtx) => {
    const { email } = await somebody(database.ctx, { withPassword: false })
    return (await grantCreditByOperator(asker, { email, money: usd(30_000n) })) ?? ''
  }

  test('neither one they have just made, nor one whose password they chose, however old', async () => {
    const owner = actingAs(
      database.ctx,
      await database.ctx.db
        .selectFrom('operator')
        .select(['id', 'name', 'role'])
        .where('name', '=', 'mara')
        .executeTakeFirstOrThrow(),
    )
    const made = await createOperator(owner, { name: 'mara2', role: 'owner', password: PASSWORD })
    const second = actingAs(database.ctx, made)
    const approval = await ask(owner)
    await expect(approveAct(second, approval)).rejects.toMatchObject(
      mayBeSame('chose the password'),
    )
    const { now } = minutesLater(database.ctx, (APART_AFTER_HOURS + 1) * 60)
    await expect(approveAct({ ...second, now }, approval)).rejects.toMatchObject(
      mayBeSame('chose the password'),
    )
    await changeOperatorPassword(second, 'mara2', 'another battery staple')
    await expect(approveAct(second, approval)).rejects.toMatchObject(
      mayBeSame('less than 24 hours ago'),
    )
    // Nor the other way round: what the second account asks for.
    await expect(approveAct(owner, await ask(second))).rejects.toMatchObject(
      mayBeSame('less than 24 hours ago'),
    )
    await approveAct({ ...second, now }, approval)
    expect((await actOf(approval)).decided_by).toBe('operator:mara2')
  })

  test('the database refuses it as well, and what was decided stays', async () => {
    await nothingAlone()
    const asker = fresh('owner')
    const approval = await ask(asker)
    const change = (changes: Record<string, unknown>) =>
      database.ctx.db
        .updateTable('operator_act')
        .set(changes)
        .where('public_id', '=', approval)
        .execute()
    await expect(
      change({ status: 'approved', decided_by: asker.actor, decided_at: new Date() }),
    ).rejects.toThrow('operator_act')
    await expect(change({ amount_minor: '1' })).rejects.toThrow('stays')
    await approveAct(fresh('owner'), approval)
    await expect(change({ decided_by: 'operator:eve' })).rejects.toThrow('stays')
    await expect(change({ status: 'refused' })).rejects.toThrow()
    await expect(
      database.ctx.db.deleteFrom('operator_act').where('public_id', '=', approval).execute(),
    ).rejects.toThrow('stays')
  })
})

describe('a refund that waits', () => {
  test('is refused: what was delivered stays delivered, what was not is delivered', async () => {
    const order = await bought(11)
    const { publicId } = await refundOf(fresh('owner'), order.number, null)
    expect((await orderOf(order.id)).status).toBe('processing')
    await refuseRefund(fresh('owner'), publicId, 'they have used them')
    expect(await orderOf(order.id)).toEqual({ status: 'completed', hold: null })
    expect((await refused(approveRefund(fresh('owner'), publicId))).code).toBe('order_closed')

    const waiting = await bought(11, { delivery: 'direct_charge' })
    const asker = fresh('owner')
    const asked = await refundOf(asker, waiting.number, null)
    await refuseRefund(asker, asked.publicId, 'a slip')
    expect(await orderOf(waiting.id)).toEqual({ status: 'waiting_for_shipment', hold: null })
  })

  test('is refused: keys that were let go of are given anew', async () => {
    await nothingAlone()
    const scarce = await addItem(database.ctx)
    const order = await buy(database.ctx, [{ item: scarce }])
    await stock(database.ctx, scarce, 'S', 1)
    const attempt = await begun(order, 'fake')
    // Paid late: the key is gone, and the order waits for stock.
    await database.ctx.db
      .updateTable('card_key')
      .set({ status: 'quarantined', unit_id: null, claimed_at: null })
      .where('item', '=', scarce.id)
      .execute()
    fake.pay(attempt, usd(1_000n))
    await checkPayment(database.ctx, services(), attempt)
    expect((await orderOf(order.id)).hold).toBe('out_of_stock')
    const { publicId } = await refundOf(fresh('owner'), order.number, null)
    await refuseRefund(fresh('owner'), publicId, 'there is a new one')
    expect(await orderOf(order.id)).toEqual({ status: 'processing', hold: 'out_of_stock' })
    await stock(database.ctx, scarce, 'T', 1)
    await retryShortOrders(database.ctx)
    expect(await orderOf(order.id)).toEqual({ status: 'completed', hold: null })
  })

  test('is asked about no more once the bank has taken its money', async () => {
    await nothingAlone()
    const order = await bought(1)
    const { waits } = await refundOf(fresh('owner'), order.number, null)
    expect((await listWaiting(database.ctx.db, database.ctx.now(), 100)).map(idOf)).toContain(waits)
    fake.set(order.attempt, { reversed: usd(1_000n) })
    await checkPayment(database.ctx, services(), order.attempt)
    expect(await actOf(waits ?? '')).toMatchObject({ status: 'ended', decided_by: 'system' })
    expect((await refused(approveAct(fresh('owner'), waits ?? ''))).code).toBe('order_closed')
  })

  test('that is decided while its order is under way waits for that one first', async () => {
    await nothingAlone()
    const order = await bought(1)
    const { waits, publicId } = await refundOf(fresh('owner'), order.number, null)
    const approving = await transaction(database.ctx, async (tx) => {
      await lockOrderById(tx, order.id)
      const approved = refused(approveAct(fresh('owner'), waits ?? ''))
      await somebodyWaits()
      await endActsAbout(tx, database.ctx, 'refund', publicId)
      return { approved }
    })
    expect((await approving.approved).code).toBe('order_closed')
  })

  test('that a release before has asked for is approved all the same, and counts', async () => {
    const order = await bought(1)
    const { publicId } = await requestRefund(database.ctx, {
      orderId: order.id,
      unitIds: null,
      destination: 'original',
      reason: 'goodwill',
      requestedBy: 'operator:before',
      approvedBy: null,
    })
    const before = asOperator(database.ctx, 'before')
    expect((await refused(approveRefund(before, publicId))).code).toBe('needs_another')
    const support = fresh('support')
    await approveRefund(support, publicId)
    const next = await bought(2, { accountId: order.accountId })
    expect((await refundOf(support, next.number, next.units.slice(0, 1))).needsApproval).toBe(false)
    expect((await refundOf(support, next.number, next.units.slice(1))).needsApproval).toBe(true)
  })
})

test('what a shopper was given is theirs to take along, and nobody is named once they have left', async () => {
  const { accountId, email } = await somebody(database.ctx)
  await grantCreditByOperator(fresh('owner'), { email, money: usd(500n) })
  const waits = await grantCreditByOperator(fresh('support'), { email, money: usd(50_000n) })
  expect(await exportApproval(database.ctx.db, accountId)).toMatchObject([
    { kind: 'store_credit', amount_minor: '500', status: 'given' },
    { kind: 'store_credit', amount_minor: '50000', status: 'waiting' },
  ])
  await transaction(database.ctx, (tx) => eraseApproval(tx, database.ctx, accountId))
  expect(await actOf(waits ?? '')).toMatchObject({ status: 'ended', subject: '' })
  const left = await database.ctx.db
    .selectFrom('operator_act')
    .selectAll()
    .where('account_id', '=', accountId)
    .execute()
  expect(JSON.stringify(left)).not.toContain(email)
})
