import { expect, test } from 'vitest'
import {
  atProvider,
  balanceChanges,
  deliveredUnit,
  FEES,
  HELD,
  isGuarded,
  movement,
  ORDERS,
  SALES,
  storeCreditOf,
  undone,
  type Posting,
} from '#features/base/ledger/rules.ts'
import {
  labelOf,
  mayMove,
  UNIT_STATUSES,
  type OrderFacts,
  type OrderStatus,
  type UnitStatus,
} from '#features/buying/order/rules.ts'
import {
  refundPostings,
  reversalParts,
  reversalPostings,
  type Refund,
} from '#features/buying/refund/rules.ts'
import { dispose } from './rules.ts'

const STEPS = 1_000_000
/** Orders that live at once; a step happens to one of them, which is replaced once it has gone through enough. */
const ORDERS_AT_ONCE = 200
const STEPS_AN_ORDER = 40
const PROVIDER = atProvider('model')
const ACCOUNT = '0198c0de'
const CREDIT = storeCreditOf(ACCOUNT)
const START = Date.UTC(2027, 0, 1)

/** Numbers below a bound, the same for the same seed (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

interface ModelUnit {
  readonly id: string
  readonly priceMinor: bigint
  status: UnitStatus
  wasDelivered: boolean
}
interface ModelAttempt {
  readonly id: string
  readonly amountMinor: bigint
  captured: bigint
  captures: number
  /** Given back, or promised to be. */
  asked: bigint
  forGoods: bigint
  reversed: bigint
  isApplied: boolean
}
interface ModelRefund {
  readonly refund: Refund
  readonly attempt: ModelAttempt
  readonly units: readonly ModelUnit[]
}
interface ModelOrder {
  readonly id: string
  readonly goodsMinor: bigint
  readonly feeMinor: bigint
  readonly units: readonly ModelUnit[]
  readonly attempts: ModelAttempt[]
  refunds: ModelRefund[]
  /** Sent out; each may come back. */
  done: ModelRefund[]
  captured: bigint
  refunded: bigint
  hold: OrderFacts['hold']
  ended: OrderFacts['ended']
  isSettled: boolean
  isOpen: boolean
  status: OrderStatus
  steps: number
}

/** A shop of orders whose money moves by the rules alone, and what its provider and its books hold. */
function createModel(random: (below: number) => number) {
  const balances = new Map<string, bigint>()
  const total = { taken: 0n, given: 0n, spendable: 0n }
  let serial = 0
  const id = () => `model-${(serial += 1)}`

  function post(postings: readonly Posting[]): void {
    for (const { account, changeMinor } of balanceChanges(postings)) {
      const balance = (balances.get(account) ?? 0n) + changeMinor
      if (isGuarded(account) && balance < 0n) throw new Error(`${account} falls below zero`)
      balances.set(account, balance)
    }
  }
  const balance = (account: string) => balances.get(account) ?? 0n

  function place(): ModelOrder {
    const prices = Array.from({ length: 1 + random(3) }, () => BigInt(1 + random(5_000)))
    return {
      id: id(),
      goodsMinor: prices.reduce((sum, price) => sum + price, 0n),
      feeMinor: BigInt(random(2) * random(90)),
      attempts: [],
      refunds: [],
      done: [],
      captured: 0n,
      refunded: 0n,
      hold: null,
      ended: null,
      isSettled: false,
      isOpen: false,
      status: 'pending_payment',
      steps: 0,
      units: prices.map((priceMinor) => ({
        id: id(),
        priceMinor,
        status: 'queued',
        wasDelivered: false,
      })),
    }
  }

  function label(order: ModelOrder): void {
    const units = Object.fromEntries(
      UNIT_STATUSES.map((status) => [
        status,
        order.units.filter((unit) => unit.status === status).length,
      ]),
    ) as Record<UnitStatus, number>
    const next = labelOf({
      capturedMinor: order.captured,
      refundedMinor: order.refunded,
      hold: order.hold,
      ended: order.ended,
      isSettled: order.isSettled,
      isPaymentOpen: order.isOpen,
      isRefundOpen: order.refunds.some(({ refund }) => refund.purpose === 'goods'),
      units,
    })
    if (!mayMove(order.status, next)) throw new Error(`${order.status} to ${next}`)
    order.status = next
  }

  const restOf = (attempt: ModelAttempt) => attempt.captured - attempt.asked

  function ask(
    order: ModelOrder,
    attempt: ModelAttempt,
    part: {
      readonly purpose: 'goods' | 'surplus'
      readonly amountMinor: bigint
      readonly feeMinor: bigint
      readonly units: readonly ModelUnit[]
    },
  ): void {
    attempt.asked += part.amountMinor
    if (part.purpose === 'goods') attempt.forGoods += part.amountMinor
    order.refunds.push({
      attempt,
      units: part.units,
      refund: {
        id: id(),
        orderId: order.id,
        attemptId: attempt.id,
        purpose: part.purpose,
        destination: part.purpose === 'goods' && random(3) === 0 ? 'store_credit' : 'original',
        status: 'submitted',
        isApproved: true,
        currency: 'USD',
        amountMinor: part.amountMinor,
        feeMinor: part.feeMinor,
        restMinor: 0n,
        provider: 'model',
        checks: 0,
        request: null,
        updatedAt: new Date(START),
      },
    })
  }

  function deliver(order: ModelOrder, units: readonly ModelUnit[]): void {
    post(units.map((unit) => deliveredUnit(unit.id, 'USD', unit.priceMinor)))
    for (const unit of units) Object.assign(unit, { status: 'delivered', wasDelivered: true })
    label(order)
  }

  function pay(order: ModelOrder): void {
    const attempt = order.attempts[random(order.attempts.length)]
    if (!attempt) return
    const minor =
      [
        attempt.amountMinor,
        attempt.amountMinor,
        attempt.amountMinor - 1n,
        attempt.amountMinor + BigInt(1 + random(500)),
        BigInt(1 + random(3_000)),
      ][random(5)] ?? 1n
    const arrived = minor > 0n ? minor : 1n
    total.taken += arrived
    attempt.captured += arrived
    post([
      {
        source: 'capture',
        sourceId: attempt.id,
        leg: attempt.captures++,
        debit: PROVIDER,
        credit: HELD,
        currency: 'USD',
        amountMinor: arrived,
      },
    ])
    const decision = dispose(
      {
        capturedMinor: restOf(attempt),
        capturedCurrency: 'USD',
        amountMinor: attempt.amountMinor,
        currency: 'USD',
        isSettled: order.isSettled,
        isRefunded: order.captured > 0n && order.captured === order.refunded,
        ended: order.ended,
        expiresAt: new Date(START),
      },
      new Date(START + random(3) * 3_600_000),
    )
    order.captured += arrived
    order.isOpen = false
    if (decision.kind === 'hold') order.hold ??= decision.hold
    else if (decision.kind === 'return')
      ask(order, attempt, { purpose: 'surplus', amountMinor: arrived, feeMinor: 0n, units: [] })
    else settle(order, attempt, decision.surplusMinor)
    label(order)
  }

  function settle(order: ModelOrder, attempt: ModelAttempt, surplusMinor: bigint): void {
    if (surplusMinor > 0n)
      ask(order, attempt, {
        purpose: 'surplus',
        amountMinor: surplusMinor,
        feeMinor: 0n,
        units: [],
      })
    Object.assign(attempt, { isApplied: true })
    // The label of an expired order goes through the decision, as the late hold makes it do.
    if (order.ended !== null) order.status = 'processing'
    Object.assign(order, { isSettled: true, hold: null, ended: null })
    for (const unit of order.units) if (unit.status === 'released') unit.status = 'queued'
    post([
      {
        source: 'settle',
        sourceId: order.id,
        debit: HELD,
        credit: ORDERS,
        currency: 'USD',
        amountMinor: order.goodsMinor,
      },
      ...movement({
        source: 'settle',
        sourceId: order.id,
        leg: 1,
        debit: HELD,
        credit: FEES,
        currency: 'USD',
        amountMinor: attempt.amountMinor - order.goodsMinor,
      }),
    ])
  }

  function askForGoods(order: ModelOrder): void {
    const attempt = order.attempts.find(({ isApplied }) => isApplied)
    const left = order.units.filter(
      ({ status }) => status !== 'refund_due' && status !== 'refunded',
    )
    const chosen = left.filter(() => random(2) === 0)
    if (
      !attempt ||
      chosen.length === 0 ||
      order.refunds.some(({ refund }) => refund.purpose === 'goods')
    )
      return
    const feeMinor = chosen.length === left.length ? attempt.amountMinor - order.goodsMinor : 0n
    const amountMinor = chosen.reduce((sum, { priceMinor }) => sum + priceMinor, feeMinor)
    if (amountMinor > restOf(attempt)) return
    for (const unit of chosen) unit.status = 'refund_due'
    ask(order, attempt, { purpose: 'goods', amountMinor, feeMinor, units: chosen })
    label(order)
  }

  function answer(order: ModelOrder): void {
    const found = order.refunds.pop()
    if (!found) return
    const { refund, units, attempt } = found
    post(refundPostings(refund, units, ACCOUNT))
    if (refund.destination === 'original') total.given += refund.amountMinor
    else total.spendable += refund.amountMinor
    order.refunded += refund.amountMinor
    for (const unit of units) unit.status = 'refunded'
    if (!order.isSettled && restOf(attempt) === 0n && order.refunded === order.captured)
      order.hold = null
    order.done.push(found)
    label(order)
  }

  /** A refund that was sent out comes back, or is asked for anew after that. */
  function comeBack(order: ModelOrder): void {
    const place = order.done.findIndex(
      ({ refund, attempt }) => refund.destination === 'original' && attempt.reversed === 0n,
    )
    const [found] = place < 0 ? [] : order.done.splice(place, 1)
    if (!found) return
    const { refund, units, attempt } = found
    post(
      undone(
        refundPostings(refund, units, ACCOUNT).map((posting) => ({ ...posting, source: 'refund' })),
      ),
    )
    total.given -= refund.amountMinor
    attempt.asked -= refund.amountMinor
    if (refund.purpose === 'goods') attempt.forGoods -= refund.amountMinor
    order.refunded -= refund.amountMinor
    for (const unit of units) unit.status = 'refund_due'
    if (!order.isSettled) order.ended ??= 'cancelled'
    label(order)
    if (random(2) === 0) return
    ask(order, attempt, {
      purpose: refund.purpose === 'goods' ? 'goods' : 'surplus',
      amountMinor: refund.amountMinor,
      feeMinor: refund.feeMinor,
      units,
    })
    label(order)
  }

  function reverse(order: ModelOrder): void {
    const attempt = order.attempts.find(({ captured, reversed }) => captured > reversed)
    if (!attempt) return
    const minor =
      random(2) === 0
        ? attempt.captured - attempt.reversed
        : 1n + (attempt.captured - attempt.reversed) / 3n
    const paidMinor = attempt.amountMinor - attempt.forGoods
    const rest = restOf(attempt)
    const waiting = attempt.isApplied ? order.units.filter(({ status }) => status === 'queued') : []
    const parts = reversalParts({
      minor,
      restMinor: rest,
      goodsMinor: !attempt.isApplied || paidMinor <= 0n ? 0n : paidMinor < rest ? paidMinor : rest,
      undeliveredMinor: waiting.reduce((sum, { priceMinor }) => sum + priceMinor, 0n),
    })
    const booked = parts.heldMinor + parts.ordersMinor + parts.lossMinor - parts.sparedMinor
    expect(booked + parts.beyondMinor).toBe(minor)
    post(
      reversalPostings(
        { id: id(), attemptId: attempt.id, provider: 'model', currency: 'USD', accountId: ACCOUNT },
        parts,
        0,
      ),
    )
    total.given += minor
    attempt.reversed += minor
    attempt.asked += booked
    attempt.forGoods += booked
    order.refunded += booked
    if (parts.ordersMinor > 0n) for (const unit of waiting) unit.status = 'refunded'
    if (!order.isSettled && order.refunded === order.captured) order.hold = null
    label(order)
  }

  function step(order: ModelOrder): void {
    order.steps += 1
    switch (random(9)) {
      case 0:
        if (order.isOpen || order.isSettled || order.ended !== null || order.captured > 0n) return
        order.attempts.push({
          id: id(),
          amountMinor: order.goodsMinor + order.feeMinor,
          captured: 0n,
          captures: 0,
          asked: 0n,
          forGoods: 0n,
          reversed: 0n,
          isApplied: false,
        })
        order.isOpen = true
        return label(order)
      case 1:
      case 2:
        return pay(order)
      case 3: {
        const queued = order.units.filter(({ status }) => status === 'queued')
        return order.isSettled && order.hold === null && queued.length > 0
          ? deliver(order, queued.slice(0, 1 + random(queued.length)))
          : undefined
      }
      case 4:
        return askForGoods(order)
      case 5:
        return answer(order)
      case 6:
        return random(4) === 0 ? reverse(order) : undefined
      case 7:
        return random(3) === 0 ? comeBack(order) : undefined
      default:
        if (random(6) > 0 || order.status !== 'pending_payment') return
        order.ended = random(2) === 0 ? 'cancelled' : 'expired'
        for (const unit of order.units) unit.status = 'released'
        label(order)
    }
  }

  return { place, step, balance, balances, total }
}

test('over a million random steps no money appears, none is lost, and every account means what it says', {
  timeout: 600_000,
}, () => {
  const random = randomOf(20_270_101)
  const model = createModel(random)
  const orders = Array.from({ length: ORDERS_AT_ONCE }, model.place)
  /** What orders that are not looked at any more still stand for. */
  const gone = { held: 0n, owed: 0n }
  const heldBy = (order: ModelOrder) =>
    order.attempts.reduce(
      (sum, attempt) =>
        sum + (attempt.isApplied ? attempt.captured - attempt.amountMinor : attempt.captured),
      0n,
    )
  const owedBy = (order: ModelOrder) =>
    order.isSettled
      ? order.units
          .filter(({ status, wasDelivered }) => !wasDelivered && status !== 'refunded')
          .reduce((sum, { priceMinor }) => sum + priceMinor, 0n)
      : 0n
  const check = () => {
    expect([...model.balances.values()].reduce((sum, minor) => sum + minor, 0n)).toBe(0n)
    expect(-model.balance(PROVIDER)).toBe(model.total.taken - model.total.given)
    expect(model.balance(CREDIT)).toBe(model.total.spendable)
    expect(model.balance(ORDERS)).toBe(
      orders.reduce((sum, order) => sum + owedBy(order), gone.owed),
    )
    for (const account of [HELD, ORDERS, SALES, FEES])
      expect(model.balance(account) >= 0n, account).toBe(true)
    // What is held is at most what came and paid for nothing.
    expect(
      model.balance(HELD) <= orders.reduce((sum, order) => sum + heldBy(order), gone.held),
    ).toBe(true)
    for (const order of orders) expect(order.refunded <= order.captured).toBe(true)
  }
  for (let count = 0; count < STEPS; count += 1) {
    const place = random(ORDERS_AT_ONCE)
    const order = orders[place] ?? model.place()
    model.step(order)
    if (order.steps >= STEPS_AN_ORDER) {
      gone.held += heldBy(order)
      gone.owed += owedBy(order)
      orders[place] = model.place()
    }
    if (count % 1_000 === 0) check()
  }
  check()
})
