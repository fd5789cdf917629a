import { createHash } from 'node:crypto'
import { secret } from '#platform/secret.ts'
import type {
  LookupOutcome,
  LookupRequest,
  PurchaseOutcome,
  QuoteOutcome,
  SupplyCapabilities,
  SupplyCard,
  SupplyFailure,
  SupplyProvider,
  SupplyPurchase,
} from '#providers/supply/provider.ts'

export interface FakeSupplier {
  readonly provider: SupplyProvider
  /** What the next purchase does; those after it are done at once. */
  readonly next: (...answers: Answer[]) => void
  /** What the next ones were to do is forgotten. */
  readonly forget: () => void
  /** What a purchase is answered when it is asked about; without one, how it really stands. */
  readonly tells: (answer: ((request: LookupRequest) => LookupOutcome) | null) => void
  /** What a quote costs, in the purchase's currency. */
  readonly costs: (minor: bigint) => void
  /** How often something was really bought, by reference. */
  readonly bought: ReadonlyMap<string, number>
  readonly asked: readonly string[]
  readonly calls: readonly SupplyPurchase[]
  /** What the cards of a purchase say, in place of codes nobody else has. */
  readonly gives: (codes: ((purchase: SupplyPurchase) => readonly string[]) | null) => void
  /** So many of what is bought next never come. */
  readonly misses: (count: number) => void
  /** Cards are told of only when they are asked for, and from when they are ready; null: with the answer. */
  readonly cardsAreReady: (ready: boolean | null) => void
  /** A purchase that went out of sight arrives there now. */
  readonly arrive: (reference: string) => void
}

type Answer =
  | { readonly kind: 'done'; readonly minor?: bigint }
  | { readonly kind: 'accepted' }
  /** It is bought, and nobody hears of it. */
  | { readonly kind: 'lost_answer' }
  /** It never arrives, and nobody knows. */
  | { readonly kind: 'lost_call' }
  | { readonly kind: 'failed'; readonly class: SupplyFailure['class']; readonly code?: string }
  /** What the process does that dies within the call. */
  | { readonly kind: 'throws' }

/** A supplier in this process that does what tests ask for, and knows what it has really sold. */
export function createFakeSupplier(
  code: string,
  capabilities: Partial<SupplyCapabilities> = {},
): FakeSupplier {
  const script: Answer[] = []
  const bought = new Map<string, number>()
  const asked: string[] = []
  const calls: SupplyPurchase[] = []
  let tells: ((request: LookupRequest) => LookupOutcome) | null = null
  let cost = 700n
  let codes: ((purchase: SupplyPurchase) => readonly string[]) | null = null
  let missing = 0
  const take = () => {
    const count = missing
    missing = 0
    return count
  }
  /** Null: with the answer. */
  let areReady: boolean | null = null
  const cardsOf = (told: SupplyPurchase): SupplyCard[] =>
    (codes ?? codesOf)(told).map((code, at) => ({
      id: `${told.reference}-${at}`,
      code: secret(code),
      pin: null,
      serial: null,
      url: null,
      image: null,
      expiresOn: null,
    }))
  const buy = (reference: string) => bought.set(reference, (bought.get(reference) ?? 0) + 1)
  const nameOf = (reference: string) => `${code}-${reference}`
  const doneOf = (
    told: SupplyPurchase,
    minor = cost * BigInt(told.quantity),
  ): LookupOutcome & PurchaseOutcome => ({
    kind: 'done',
    supplierId: nameOf(told.reference),
    cost: { minor, currency: 'USD' },
    ...(told.kind === 'key' && areReady === null ? { cards: cardsOf(told) } : {}),
    ...(missing > 0 ? { missing: take() } : {}),
  })

  async function purchase(told: SupplyPurchase): Promise<PurchaseOutcome> {
    calls.push(told)
    const { reference } = told
    const answer = script.shift() ?? { kind: 'done' }
    switch (answer.kind) {
      case 'done':
        buy(reference)
        return doneOf(told, answer.minor)
      case 'accepted':
        buy(reference)
        return { kind: 'accepted', supplierId: nameOf(reference) }
      case 'lost_answer':
        buy(reference)
        return { kind: 'unknown', why: 'no answer came' }
      case 'lost_call':
        return { kind: 'unknown', why: 'no answer came' }
      case 'failed':
        return {
          kind: 'failed',
          class: answer.class,
          code: answer.code ?? 'E1',
          text: 'no',
        }
      case 'throws':
        throw new Error('the process is gone')
      default:
        return answer satisfies never
    }
  }

  async function lookup(request: LookupRequest): Promise<LookupOutcome> {
    const { reference } = request.purchase
    asked.push(reference)
    if (tells) return tells(request)
    if (capabilities.idempotency === 'same_reference_asks_again' && !bought.has(reference))
      buy(reference)
    return bought.has(reference) ? doneOf(request.purchase) : { kind: 'not_found' }
  }

  return {
    bought,
    asked,
    calls,
    next: (...answers) => void script.push(...answers),
    forget: () => void script.splice(0),
    tells: (answer) => (tells = answer),
    costs: (minor) => (cost = minor),
    misses: (count) => (missing = count),
    gives: (said) => (codes = said),
    cardsAreReady: (ready) => (areReady = ready),
    arrive: (reference) => void buy(reference),
    provider: {
      code,
      capabilities: {
        kinds: ['topup', 'recharge', 'key'],
        idempotency: 'reference',
        notFoundIsFinalAfterSeconds: 60,
        lookupMayBuyAfterSeconds: null,
        checksAccounts: false,
        sendsNotices: false,
        enforcesMaxCost: false,
        needsBuyerAddress: false,
        maxQuantity: 1,
        limits: { concurrent: 8, perSecond: 1_000 },
        answersWithinSeconds: 30,
        ...capabilities,
      },
      catalogue: () => Promise.resolve({ products: [], unread: [], next: null }),
      quote: (): Promise<QuoteOutcome> =>
        Promise.resolve({ kind: 'quote', cost: { minor: cost, currency: 'USD' } }),
      validateAccount: () => Promise.resolve({ kind: 'unchecked', why: 'a test' }),
      purchase,
      lookup,
      cards: ({ purchase: told }) =>
        Promise.resolve(
          areReady ? { kind: 'cards', cards: cardsOf(told) } : { kind: 'unknown', why: 'no cards' },
        ),
      balances: () => Promise.resolve([]),
    },
  }
}

/** Codes of 12 letters and digits that follow from the reference. */
const codesOf = ({ reference, quantity }: SupplyPurchase): string[] =>
  Array.from({ length: quantity }, (_, at) =>
    createHash('sha256').update(`${reference} ${at}`).digest('hex').slice(0, 12).toUpperCase(),
  )
