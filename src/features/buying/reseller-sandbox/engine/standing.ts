import { labelOf, type OrderStatus, type UnitStatus } from '#features/buying/order/rules.ts'
import type { ReferencedOrder, SoldLine } from '#features/buying/reseller/queries.ts'
import { sha256 } from '#platform/secrets.ts'
import type { Ending, TestLine, TestOrder } from '../rules.ts'

interface Step {
  /** Seconds after the order. */
  readonly after: number
  readonly status: UnitStatus
}
const DONE: readonly Step[] = [{ after: 0, status: 'delivered' }]
const GIVEN_BACK: readonly Step[] = [{ after: 0, status: 'refunded' }]
const STEPS: Partial<Record<Ending, readonly Step[]>> = {
  later: [
    { after: 0, status: 'delivering' },
    { after: 20, status: 'delivered' },
  ],
  refunded: [
    { after: 0, status: 'delivering' },
    { after: 10, status: 'refunded' },
  ],
  'taken-back': [
    { after: 0, status: 'delivered' },
    { after: 10, status: 'refunded' },
  ],
  'needs-input': [
    { after: 0, status: 'needs_input' },
    { after: 600, status: 'refunded' },
  ],
}

/** @param number of the unit in its line, from 0: of a line that ends in part every other one is given back. */
const stepsOf = (ending: Ending, number: number): readonly Step[] =>
  ending === 'partial' && number % 2 === 1 ? GIVEN_BACK : (STEPS[ending] ?? DONE)

/** How a test order stands now, as an order of theirs is told: it follows from its lines and its age alone. */
export function standingOf(order: TestOrder, now: Date): ReferencedOrder {
  const { publicId, lines, ...rest } = order
  if (order.refusal !== null) return { ...rest, state: 'refused', order: null }
  const age = ageOf(order, now)
  const priceOf = (line: TestLine, count: number) => BigInt(line.price) * BigInt(count)
  return {
    ...rest,
    state: 'placed',
    order: {
      publicId,
      number: numberOf(publicId),
      status: statusOf(order, now),
      isPaid: true,
      totalMinor: lines.reduce((sum, line) => sum + priceOf(line, line.quantity), 0n),
      refundedMinor: lines.reduce((sum, line) => sum + priceOf(line, countRefunded(line, age)), 0n),
      lines: lines.map((line, position) => soldLine(order, line, position, age)),
    },
  }
}

/** What a test order is called now. */
export const statusOf = (order: Pick<TestOrder, 'lines' | 'createdAt'>, now: Date): OrderStatus =>
  statusAt(order.lines, ageOf(order, now))

/** Looks like no order's number, so that nobody takes it for one. */
export const numberOf = (publicId: string): string =>
  `TEST${String(sha256(publicId).readUInt32BE()).padStart(10, '0')}`

function soldLine(order: TestOrder, line: TestLine, position: number, age: number): SoldLine {
  const { item, quantity, price, delivery, amount = null } = line
  return {
    item,
    quantity,
    amount,
    price,
    units: unitsOf(line, age).map((status, number) => ({
      id: unitId(order.publicId, position, number),
      status,
      delivery,
      deliveredAt: status === 'delivered' ? order.createdAt.toISOString() : null,
    })),
  }
}

const unitId = (order: string, line: number, unit: number): string =>
  sha256(`${order}/${line}/${unit}`).toString('base64url').slice(0, 22)

const ageOf = ({ createdAt }: Pick<TestOrder, 'createdAt'>, now: Date): number =>
  (now.getTime() - createdAt.getTime()) / 1_000

const unitsOf = ({ ending, quantity }: TestLine, age: number): readonly UnitStatus[] =>
  Array.from(
    { length: quantity },
    (_, number) =>
      stepsOf(ending, number).findLast(({ after }) => age >= after)?.status ?? 'delivering',
  )

const countRefunded = (line: TestLine, age: number): number =>
  unitsOf(line, age).filter((status) => status === 'refunded').length

/** The label of a real order whose units stand so. */
function statusAt(lines: readonly TestLine[], age: number): OrderStatus {
  const units = lines.flatMap((line) => unitsOf(line, age))
  const count = (...statuses: UnitStatus[]) =>
    units.filter((status) => statuses.includes(status)).length
  return labelOf({
    capturedMinor: BigInt(units.length),
    refundedMinor: BigInt(count('refunded')),
    hold: null,
    ended: null,
    isSettled: true,
    isPaymentOpen: false,
    isRefundOpen: false,
    units: {
      queued: 0,
      delivering: count('delivering'),
      in_doubt: count('needs_input'),
      delivered: count('delivered'),
      failed: 0,
      refund_due: 0,
      refunded: count('refunded'),
      released: 0,
    },
  })
}

/** What an order becomes, and how many seconds after it was made. */
export function changesOf(
  lines: readonly TestLine[],
): readonly { readonly after: number; readonly status: OrderStatus }[] {
  const moments = new Set(
    lines.flatMap(({ ending }) => stepsOf(ending, 0).map(({ after }) => after)),
  )
  return [0, ...moments]
    .toSorted((a, b) => a - b)
    .map((after) => ({ after, status: statusAt(lines, after) }))
    .filter(({ status }, index, all) => status !== all[index - 1]?.status)
}

/** A code that nobody could take for one. */
export const testCode = (unit: string): string =>
  `TEST-NOT-A-CODE-${sha256(unit).toString('hex').slice(0, 8).toUpperCase()}`
