import type {
  LookupOutcome,
  LookupRequest,
  PurchaseOutcome,
  QuoteOutcome,
  SupplyCapabilities,
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
  const buy = (reference: string) => bought.set(reference, (bought.get(reference) ?? 0) + 1)
  const nameOf = (reference: string) => `${code}-${reference}`
  const doneOf = (reference: string, minor = cost): LookupOutcome & PurchaseOutcome => ({
    kind: 'done',
    supplierId: nameOf(reference),
    cost: { minor, currency: 'USD' },
  })

  async function purchase(told: SupplyPurchase): Promise<PurchaseOutcome> {
    calls.push(told)
    const { reference } = told
    const answer = script.shift() ?? { kind: 'done' }
    switch (answer.kind) {
      case 'done':
        buy(reference)
        return doneOf(reference, answer.minor)
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
    return bought.has(reference) ? doneOf(reference) : { kind: 'not_found' }
  }

  return {
    bought,
    asked,
    calls,
    next: (...answers) => void script.push(...answers),
    forget: () => void script.splice(0),
    tells: (answer) => (tells = answer),
    costs: (minor) => (cost = minor),
    arrive: (reference) => void buy(reference),
    provider: {
      code,
      capabilities: {
        kinds: ['topup', 'recharge'],
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
      cards: () => Promise.resolve({ kind: 'unknown', why: 'no cards' }),
      balances: () => Promise.resolve([]),
    },
  }
}
