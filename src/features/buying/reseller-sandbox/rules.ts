import type { Scope } from '#features/buying/reseller/rules.ts'

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

/** Why an order with such an ending is refused; null where it is taken. */
export function refusalOf(endings: readonly Ending[]) {
  if (endings.includes('out-of-stock')) return 'out_of_stock' as const
  return endings.includes('no-balance') ? ('insufficient_credit' as const) : null
}

export interface TestLine {
  readonly item: string
  readonly quantity: number
  /** Of goods that are sold at any amount; absent for others. */
  readonly amount?: { readonly minor: string; readonly currency: string }
  /** Of one, in minor units. */
  readonly price: string
  readonly delivery: string
  readonly ending: Ending
}

/** A test order as it is kept. */
export interface TestOrder {
  readonly id: string
  readonly publicId: string
  readonly keyId: string
  readonly reference: string
  readonly requestHash: Buffer
  readonly currency: string
  readonly lines: readonly TestLine[]
  readonly refusal: string | null
  readonly createdAt: Date
}
