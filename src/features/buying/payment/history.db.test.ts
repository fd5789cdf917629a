import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { cancelOrder, expireDue } from '#features/buying/order/commands.ts'
import { lookAtRefunds, requestRefund, returnHeldMoney } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { isAppError } from '#kernel/error.ts'
import type { Ctx } from '#platform/ctx.ts'
import { listBalances } from '../../../../test/support/books.ts'
import { addCurrencies, addItem, buy, stock, violations } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { somebody } from '../../../../test/support/people.ts'
import { cancelUnpaid, checkPayment, startPaying, sweepPayments } from './flows.ts'

const database = useDatabase()
beforeAll(() => addCurrencies(database.ctx))

const step = fc.oneof(
  fc
    .constantFrom(
      'order',
      'begin',
      'expire',
      'sweep',
      'submit',
      'cancel',
      'cancel_plainly',
      'refund_all',
      'refund_one',
      'return_held',
      'stock',
    )
    .map((kind) => ({ kind, value: 0 })),
  fc.constantFrom(1_000, 2_000, 400, 2_500).map((value) => ({ kind: 'pay', value })),
  fc.constantFrom(700).map((value) => ({ kind: 'pay_yen', value })),
  fc
    .constantFrom(
      'failed',
      'seen',
      'expired',
      'disputed',
      'undisputed',
      'reversed',
      'reversed_in_part',
      'given_back',
      'given_back_in_part',
      'refunds_fail',
    )
    .map((kind) => ({ kind, value: 0 })),
  fc.constantFrom(1, 10, 16, 90).map((value) => ({ kind: 'wait', value })),
  fc.constantFrom('lost_answer', 'lost_request', 'refuse').map((kind) => ({ kind, value: 0 })),
)
const history = fc.array(fc.record({ step, who: fc.nat(2) }), { minLength: 5, maxLength: 30 })

/** One shop with three orders for two keys, and a payer who does anything at any time. */
async function play(
  steps: readonly {
    readonly step: { readonly kind: string; readonly value: number }
    readonly who: number
  }[],
): Promise<void> {
  const fake = createFakePayments(`fake-${database.ctx.newId().slice(-8)}`)
  const services = {
    providers: new Map([[fake.provider.code, fake.provider]]),
    publicUrl: 'https://shop.example',
  }
  let minutes = 0
  const ctx: Ctx = { ...database.ctx, now: () => new Date(Date.now() + minutes * 60_000) }
  const item = await addItem(ctx)
  await stock(ctx, item, 'A', 2)
  const { accountId } = await somebody(ctx, { withPassword: false })
  const orders = [
    await buy(ctx, [{ item }], { accountId }),
    await buy(ctx, [{ item, quantity: 2 }], { accountId }),
    await buy(ctx, [{ item }], { accountId }),
  ]
  const attemptsOf = async (id: string) =>
    (
      await ctx.db
        .selectFrom('payment_attempt')
        .select(['id', 'provider_reference'])
        .where('order_id', '=', id)
        .orderBy('id')
        .execute()
    )
      .filter((row) => row.provider_reference !== null)
      .map((row) => row.id)
  for (const {
    step: { kind, value },
    who,
  } of steps) {
    const order = orders[who] ?? orders[0]
    if (!order) return
    const attempts = await attemptsOf(order.id)
    const attempt = attempts[value % Math.max(1, attempts.length)]
    const act = async () => {
      switch (kind) {
        case 'begin':
          return startPaying(ctx, services, {
            order: order.publicId,
            accountId,
            provider: fake.provider.code,
            method: 'card',
            feeMinor: 0n,
          })
        case 'expire':
          return expireDue(ctx)
        case 'sweep':
          return sweepPayments(ctx, services)
        case 'submit':
          return submitRefunds(ctx, services.providers)
        case 'cancel':
          return cancelUnpaid(ctx, services, accountId, order.publicId)
        case 'cancel_plainly':
          return cancelOrder(ctx, accountId, order.publicId)
        case 'return_held':
          return returnHeldMoney(ctx, order.id, 'money_returned')
        case 'stock':
          return stock(ctx, item, 'B', 1)
        case 'wait':
          return void (minutes += value)
        case 'lost_answer':
        case 'lost_request':
        case 'refuse':
          return void fake.faults.push(kind)
        case 'refund_all':
        case 'refund_one': {
          const units =
            kind === 'refund_all'
              ? null
              : (
                  await ctx.db
                    .selectFrom('order_unit')
                    .select('id')
                    .where('order_id', '=', order.id)
                    .limit(1)
                    .execute()
                ).map(({ id }) => id)
          return requestRefund(ctx, {
            orderId: order.id,
            unitIds: units,
            destination: 'original',
            reason: 'faulty_key',
            requestedBy: 'system',
            approvedBy: 'system',
          })
        }
        default: {
          if (attempt === undefined) return undefined
          if (kind === 'pay')
            fake.pay(attempt, {
              minor: BigInt(value),
              currency: fake.of(attempt).captured?.currency ?? 'USD',
            })
          else if (kind === 'pay_yen')
            fake.pay(attempt, {
              minor: BigInt(value),
              currency: fake.of(attempt).captured?.currency ?? 'JPY',
            })
          else if (kind === 'disputed' || kind === 'undisputed')
            fake.set(attempt, { isDisputed: kind === 'disputed' })
          else if (kind === 'refunds_fail') {
            fake.failRefunds(attempt)
            await lookAtRefunds(ctx, attempt)
          } else if (kind.startsWith('given_back')) {
            const { reversed } = fake.of(attempt)
            if (reversed)
              fake.set(attempt, {
                reversed:
                  kind === 'given_back' || reversed.minor < 2n
                    ? null
                    : { ...reversed, minor: reversed.minor / 2n },
              })
          } else if (kind.startsWith('reversed')) {
            const { captured, reversed } = fake.of(attempt)
            const minor =
              kind === 'reversed' ? (captured?.minor ?? 0n) : (captured?.minor ?? 0n) / 2n
            if (captured && minor > (reversed?.minor ?? 0n))
              fake.set(attempt, {
                isDisputed: false,
                reversed: { minor, currency: captured.currency },
              })
          } else if (fake.of(attempt).captured === null)
            fake.set(attempt, { status: kind as 'failed' | 'seen' | 'expired' })
          return checkPayment(ctx, services, attempt)
        }
      }
    }
    await act().catch((error: unknown) => {
      // What a shopper or an operator may be told, and what a provider's faults do; anything else is a fault of ours.
      const isExpected =
        isAppError(error) ||
        (error instanceof Error &&
          (error.message === 'connection reset' || error.name === 'ProviderRefusal'))
      if (!isExpected) throw error
    })
    const labels = await ctx.db
      .selectFrom('order_label')
      .selectAll()
      .where(
        'id',
        'in',
        orders.map(({ id }) => id),
      )
      .execute()
    for (const { status, label } of labels) expect(status, `after ${kind} ${value}`).toBe(label)
  }
  // At the end the provider answers again, and everything it knows is known here.
  fake.faults.length = 0
  for (const { id } of orders)
    for (const attempt of await attemptsOf(id)) await checkPayment(ctx, services, attempt)
  for (let round = 0; round < 8; round += 1) {
    minutes += 60 * 24
    await submitRefunds(ctx, services.providers)
  }
  const balances = await listBalances(ctx.db)
  for (const currency of ['USD', 'JPY']) {
    const minor = (account: string) =>
      balances.find((balance) => balance.account === account && balance.currency === currency)
        ?.minor ?? 0n
    expect(-minor(`provider:${fake.provider.code}`)).toBe(fake.kept(currency))
    expect(
      balances
        .filter((balance) => balance.currency === currency)
        .reduce((sum, balance) => sum + balance.minor, 0n),
    ).toBe(0n)
    for (const account of ['held', 'orders', 'sales', 'fees'])
      expect(minor(account)).toBeGreaterThanOrEqual(0n)
  }
  expect(await violations(ctx)).toEqual([])
}

test('whatever payers, clocks and lost answers do, no promise is broken and the books say what the provider says', {
  timeout: 600_000,
}, async () => {
  await fc.assert(fc.asyncProperty(history, play), {
    numRuns: Number(process.env['HISTORIES'] ?? 25),
    endOnFailure: false,
  })
})
