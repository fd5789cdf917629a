import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  labelOf,
  mayMove,
  type OrderStatus,
  ORDER_STATUSES,
  requestText,
  UNIT_STATUSES,
  type OrderFacts,
  type UnitStatus,
} from './rules.ts'

const noUnits = Object.fromEntries(UNIT_STATUSES.map((status) => [status, 0])) as Record<
  UnitStatus,
  number
>
const unpaid: OrderFacts = {
  capturedMinor: 0n,
  refundedMinor: 0n,
  hold: null,
  ended: null,
  isSettled: false,
  isPaymentOpen: false,
  isRefundOpen: false,
  units: { ...noUnits, queued: 2 },
}
const paid: OrderFacts = { ...unpaid, capturedMinor: 100n, isSettled: true }
const units = (counts: Partial<Record<UnitStatus, number>>) => ({ ...noUnits, ...counts })

test.each<[string, OrderFacts]>([
  ['pending_payment', unpaid],
  ['waiting_for_payment', { ...unpaid, isPaymentOpen: true }],
  ['cancelled', { ...unpaid, ended: 'cancelled' }],
  ['expired', { ...unpaid, ended: 'expired' }],
  ['processing', { ...unpaid, hold: 'wrong_currency' }],
  ['processing', { ...unpaid, ended: 'expired', capturedMinor: 100n }],
  ['processing', { ...unpaid, capturedMinor: 40n, hold: 'underpaid' }],
  ['waiting_for_shipment', paid],
  ['shipping', { ...paid, units: units({ queued: 1, delivered: 1 }) }],
  ['shipping', { ...paid, units: units({ delivering: 2 }) }],
  ['processing', { ...paid, units: units({ in_doubt: 1, delivered: 1 }) }],
  ['completed', { ...paid, units: units({ delivered: 2 }) }],
  ['completed', { ...paid, refundedMinor: 50n, units: units({ delivered: 1, refunded: 1 }) }],
  [
    'completed',
    { ...paid, capturedMinor: 200n, refundedMinor: 100n, units: units({ delivered: 2 }) },
  ],
  ['processing', { ...paid, isRefundOpen: true, units: units({ delivered: 2 }) }],
  ['processing', { ...paid, hold: 'disputed', units: units({ delivered: 2 }) }],
  ['refunded', { ...paid, refundedMinor: 100n, units: units({ refunded: 2 }) }],
  ['refunded', { ...unpaid, ended: 'expired', capturedMinor: 100n, refundedMinor: 100n }],
])('%s is what the facts say', (label, facts) => {
  expect(labelOf(facts)).toBe(label)
})

const randomFacts: fc.Arbitrary<OrderFacts> = fc.record({
  capturedMinor: fc.bigInt({ min: 0n, max: 3n }),
  refundedMinor: fc.bigInt({ min: 0n, max: 3n }),
  hold: fc.constantFrom(null, 'late', 'underpaid', 'disputed'),
  ended: fc.constantFrom(null, 'cancelled', 'expired'),
  isSettled: fc.boolean(),
  isPaymentOpen: fc.boolean(),
  isRefundOpen: fc.boolean(),
  units: fc.record(
    Object.fromEntries(UNIT_STATUSES.map((status) => [status, fc.nat(2)])) as Record<
      UnitStatus,
      fc.Arbitrary<number>
    >,
  ),
})

test('any facts have a label, and no label promises what the facts do not hold', () => {
  fc.assert(
    fc.property(randomFacts, (facts) => {
      const label = labelOf(facts)
      expect(ORDER_STATUSES).toContain(label)
      if (
        label === 'pending_payment' ||
        label === 'waiting_for_payment' ||
        label === 'cancelled' ||
        label === 'expired'
      )
        expect([facts.capturedMinor, facts.hold]).toEqual([0n, null])
      if (label === 'waiting_for_shipment' || label === 'shipping' || label === 'completed')
        expect([facts.isSettled, facts.hold, facts.isRefundOpen]).toEqual([true, null, false])
      if (label === 'refunded') expect(facts.refundedMinor).toBe(facts.capturedMinor)
      if (label === 'completed')
        expect(
          facts.units.queued +
            facts.units.delivering +
            facts.units.in_doubt +
            facts.units.failed +
            facts.units.refund_due,
        ).toBe(0)
    }),
    { numRuns: 20_000 },
  )
})

test('an order that is over comes back only for money', () => {
  const next = (from: OrderStatus) =>
    ORDER_STATUSES.filter((to) => to !== from && mayMove(from, to))
  expect(next('cancelled')).toEqual(['processing'])
  expect(next('expired')).toEqual(['processing'])
  expect(next('refunded')).toEqual(['waiting_for_shipment', 'shipping', 'processing', 'completed'])
})

test('a request means the same in any order of its fields, and another thing with another quantity', () => {
  const line = {
    item: 'a',
    itemCode: 'a',
    product: 'a',
    goodsType: 2,
    delivery: 'direct_charge',
    productName: 'a',
    itemName: 'a',
    quantity: 1,
    priceMinor: 1n,
    baseMinor: 1n,
    baseCurrency: 'USD',
    amount: null,
  } as const
  const text = (quantity: number, accountFields: Record<string, string>) =>
    requestText({ currency: 'USD', lines: [{ ...line, quantity, accountFields }] })
  expect(text(1, { zone: '2', id: '1' })).toBe(text(1, { id: '1', zone: '2' }))
  expect(text(2, { id: '1', zone: '2' })).not.toBe(text(1, { id: '1', zone: '2' }))
  const of = (minor: bigint) =>
    requestText({
      currency: 'USD',
      lines: [{ ...line, accountFields: {}, amount: { minor, currency: 'INR' } }],
    })
  expect(of(100n)).not.toBe(of(200n))
  expect(of(100n)).not.toBe(text(1, {}))
})
