import { checkPayment, settleNotice } from '#features/buying/payment/flows.ts'
import { takeQueued } from '#features/supply/purchase/commands.ts'
import { askSupplier, buyUnit } from '#features/supply/purchase/flows.ts'
import { setOffers } from '#features/supply/routing/commands.ts'
import type { Money } from '#kernel/money.ts'
import type { Ctx } from '#platform/ctx.ts'
import { buy, testVault, type TestItem } from './buying.ts'
import { minutesLater } from './clock.ts'
import type { FakePayments } from './fake-payment.ts'
import type { FakeSupplier } from './fake-supplier.ts'
import { beginPaying, paidAt } from './paying.ts'

type Bought = Awaited<ReturnType<typeof buy>>
const atOnce = () => Promise.resolve()

/**
 * What tests of purchases do again and again. @param at the test's context, once there is a database @param item what is sold now
 */
export function supplyHands(at: () => Ctx, fake: FakePayments, item: () => TestItem) {
  const unitsOf = ({ id }: Bought) =>
    at().db.selectFrom('order_unit').selectAll().where('order_id', '=', id).orderBy('id').execute()
  const later = (seconds: number): Ctx => minutesLater(at(), seconds / 60)
  const services = paidAt(fake)
  /** Its payer pays all of it: found by asking, or told by a notice, which is the short way. */
  const payFor = async (order: Bought, { byNotice = false, ctx = at() } = {}): Promise<void> => {
    const { id, reference, amount } = await beginPaying(ctx, services, order)
    fake.pay(id, amount)
    if (byNotice)
      await settleNotice(ctx, services, { provider: 'fake', eventId: `evt_${id}`, reference })
    else await checkPayment(ctx, services, id)
  }
  return {
    later,
    unitsOf,
    payFor,
    statesOf: async (order: Bought) => (await unitsOf(order)).map(({ status }) => status),
    purchasesOf: ({ id }: Bought) =>
      at()
        .db.selectFrom('purchase')
        .selectAll()
        .where('order_id', '=', id)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
    /** Puts the item at a supplier, which calls its account field something else. */
    offer: (
      { provider }: FakeSupplier,
      priority = 0,
      cost = { minor: 700n, currency: 'USD' },
      kind: 'topup' | 'key' = 'topup',
    ) =>
      setOffers(at(), [
        {
          item: item().id,
          supplier: provider.code,
          priority,
          kind,
          product: 'sku-1',
          face: null,
          cost,
          fields: kind === 'topup' ? { user_id: 'userid' } : {},
        },
      ]),
    /** An order of the item that has been paid for. */
    paid: async (
      quantity = 1,
      accountFields: Record<string, string> = { user_id: 'me' },
      delivery: 'card_key' | 'direct_charge' = 'direct_charge',
      amount: Money | null = null,
    ) => {
      const order = await buy(at(), [{ item: item(), quantity, delivery, accountFields, amount }])
      await payFor(order)
      return order
    },
    /** Buys everything that is queued with a supplier at that moment. @returns how many units */
    run: async ({ provider }: FakeSupplier, ctx = at()) => {
      const units = await takeQueued(ctx, provider.code, 100)
      for (const unit of units) await buyUnit(ctx, provider, unit, atOnce, testVault)
      return units.length
    },
    ask: ({ provider }: FakeSupplier, seconds: number) =>
      askSupplier(later(seconds), provider, atOnce, undefined, testVault),
  }
}
