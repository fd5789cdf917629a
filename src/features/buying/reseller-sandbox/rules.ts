import { labelOf, type OrderStatus, type UnitStatus } from '#features/buying/order/rules.ts'
import type { ReferencedOrder, SoldLine } from '#features/buying/reseller/queries.ts'
import type { Scope } from '#features/buying/reseller/rules.ts'
import { sha256 } from '#platform/secrets.ts'

/** How the ids of test keys and of what they order begin: nothing real is called so. */
export const TEST_PREFIX = 'test_'
export const TEST_KEY = /^test_[\w-]{22}$/
/** How a secret of a test key begins. */
export const TEST_SECRET_PREFIX = 'lukado-test-'
/** What a test key may be used for; programs that act for a person have no sandbox. */
export const TEST_SCOPES: readonly Scope[] = ['browse', 'order', 'reveal']
/** What a test key has to spend, in US cents; it does not get less. */
export const TEST_BALANCE = 1_000_000n
/** Orders of one test key within a day. */
export const TEST_ORDERS_A_DAY = 1_000
/** Test orders are known for so long, and keys after they were revoked. */
export const TEST_DAYS = 30
/** What a supplier would call any player. */
export const TEST_PLAYER = 'Test Player'

export interface TestKey {
  readonly id: string
  readonly publicId: string
  readonly accountId: string
  readonly roleId: number
  readonly salt: Buffer
  /** In US cents. */
  readonly orderMax: bigint
  readonly dayMax: bigint
}

/**
 * How a line ends: asked for by the end of an account field, as in the sandbox of suppliers, or by the last word of the order's reference,
 * after a point, for all its lines. docs/selling/testing.md tells them.
 */
export const ENDINGS = [
  { word: 'done', number: '9001' },
  { word: 'later', number: '9002' },
  { word: 'refunded', number: '9003' },
  { word: 'taken-back', number: '9004' },
  { word: 'out-of-stock', number: '9007' },
  { word: 'no-balance', number: '9008' },
  { word: 'needs-input', number: '9022' },
  { word: 'partial', number: '9023' },
] as const
export type Ending = (typeof ENDINGS)[number]['word']

/** The end of an account that nobody has. */
export const NO_ACCOUNT = '9005'

/** What the end of an account field asks for; null for nothing. */
export function endingOfAccount(fields: Readonly<Record<string, string>>): Ending | null {
  for (const value of Object.values(fields)) {
    const asked = ENDINGS.find(({ number }) => value.endsWith(number))
    if (asked) return asked.word
  }
  return null
}

/** What the end of a reference asks for; null for nothing. */
export function endingOfReference(reference: string): Ending | null {
  const asked = reference.split('.').slice(1).at(-1)
  return ENDINGS.find(({ word }) => word === asked)?.word ?? null
}

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

/** Why an order with such an ending is refused; null where it is taken. */
export function refusalOf(endings: readonly Ending[]) {
  if (endings.includes('out-of-stock')) return 'out_of_stock' as const
  return endings.includes('no-balance') ? ('insufficient_credit' as const) : null
}

export interface TestLine {
  readonly item: string
  readonly quantity: number
  /** Of one, in minor units. */
  readonly price: string
  readonly delivery: string
  readonly ending: Ending
}

/** A test order as it is kept. */
export interface TestOrder {
  readonly id: string
  readonly publicId: string
  readonly reference: string
  readonly requestHash: Buffer
  readonly currency: string
  readonly lines: readonly TestLine[]
  readonly refusal: string | null
  readonly createdAt: Date
}

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
  const { item, quantity, price, delivery } = line
  return {
    item,
    quantity,
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
