import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type {
  LookupOutcome,
  PurchaseOutcome,
  SupplyOrder,
  SupplyProvider,
  SupplyPurchase,
} from '#providers/supply/provider.ts'
import { openSupplyClient, type SupplyClient } from '#providers/supply/wire/client.ts'
import { noticeContract } from './supply-notice-contract.ts'
import { reportContract } from './supply-report-contract.ts'
import { SANDBOX_SECRET, startSupplySandbox, type RunningSupplySandbox } from './supply-sandbox.ts'

export interface SupplyContract {
  readonly code: string
  readonly open: (given: {
    readonly origin: string
    readonly secret: string
    readonly client: SupplyClient
  }) => SupplyProvider
  /** What is bought so that the sandbox does as it says of this number. */
  readonly order: (scenario: number) => SupplyOrder
  /** What each refusal is called, where the supplier has a word for it; `unknown` where it has none. */
  readonly refusals: Readonly<Record<9005 | 9006 | 9007 | 9008, readonly string[]>>
  /** There are no notices. */
  readonly hasNoNotices?: true
  /** An order is done or not: nothing is accepted, and nothing taken back. */
  readonly isAtOnce?: true
  /** Answers name the account that was credited. */
  readonly namesAccount?: true
  /** What is bought is handed over. */
  readonly isCards?: true
  /** Answers do not say which product was bought: it is known by our reference alone. */
  readonly namesNoProduct?: true
}

const WAIT_MS = 1_500
const purchaseOf = (order: SupplyOrder, more: Partial<SupplyPurchase> = {}): SupplyPurchase => ({
  ...order,
  reference: randomUUID(),
  maxCost: null,
  token: null,
  buyerAddress: '203.0.113.7',
  ...more,
})

interface Bench {
  readonly sandbox: RunningSupplySandbox
  readonly provider: SupplyProvider
  readonly buy: (scenario: number, more?: Partial<SupplyPurchase>) => Promise<Bought>
  readonly sold: (purchase: SupplyPurchase) => Promise<number>
  readonly look: (bought: Bought) => Promise<LookupOutcome>
}

interface Bought {
  readonly purchase: SupplyPurchase
  readonly outcome: PurchaseOutcome
}

/** Without the cards, which are objects that print as nothing. */
const shown = (outcome: PurchaseOutcome) =>
  outcome.kind === 'done'
    ? [outcome.supplierId, String(outcome.cost?.minor), outcome.cost?.currency]
    : outcome

/** What asking for what was never bought gives: where it is buying, it breaks again. */
const nothingIn = ({ capabilities }: SupplyProvider) =>
  capabilities.notFoundIsFinalAfterSeconds === null ? 'unknown' : 'not_found'

const idOf = (outcome: PurchaseOutcome) =>
  'supplierId' in outcome ? (outcome.supplierId ?? null) : null

/** How every supplier must behave, against the sandbox process over sockets. */
export function supplyContract(name: string, contract: SupplyContract): void {
  describe(`${name} as a supplier`, () => {
    let sandbox: RunningSupplySandbox
    const open = (origin = sandbox.originOf(contract.code), secret = SANDBOX_SECRET) =>
      contract.open({ origin, secret, client: openSupplyClient({ timeoutMs: WAIT_MS }) })
    beforeAll(async () => {
      sandbox = await startSupplySandbox()
    })
    afterAll(() => sandbox.stop())
    const bench = (): Bench => {
      const provider = open()
      return {
        sandbox,
        provider,
        async buy(scenario, more) {
          const order = contract.order(scenario)
          const purchase = purchaseOf(order, { token: await tokenOf(provider, order), ...more })
          return { purchase, outcome: await provider.purchase(purchase) }
        },
        sold: async ({ reference }) =>
          (await sandbox.books()).purchases.filter((sale) => sale.reference === reference).length,
        look: ({ purchase, outcome }) => provider.lookup({ purchase, supplierId: idOf(outcome) }),
      }
    }
    buying(contract, bench)
    refusing(contract, bench, open)
    doubting(contract, bench)
    reading(contract, bench)
    if (!contract.hasNoNotices) noticeContract(contract.code, bench)
  })
}

async function tokenOf(provider: SupplyProvider, order: SupplyOrder): Promise<string | null> {
  const checked = await provider.validateAccount(order)
  return checked.kind === 'valid' ? checked.token : null
}

function buying(contract: SupplyContract, bench: () => Bench): void {
  test('what is bought is done once, at the price that was quoted, and is found by our reference', async () => {
    const { provider, buy, sold, look } = bench()
    const quoted = await provider.quote(contract.order(9001))
    const before = await provider.balances()
    const bought = await buy(9001)
    expect(bought.outcome).toMatchObject({ kind: 'done', supplierId: expect.any(String) })
    expect(await sold(bought.purchase)).toBe(1)
    const found = await look(bought)
    expect(found).toMatchObject({ kind: 'done', supplierId: idOf(bought.outcome) })
    if (found.kind !== 'done' || bought.outcome.kind !== 'done') return
    expect(found.cost).toEqual(bought.outcome.cost)
    if (quoted.kind === 'quote' && found.cost) expect(quoted.cost).toEqual(found.cost)
    const after = await provider.balances()
    const currency = found.cost?.currency
    const left = (list: typeof before) =>
      list.find(({ available }) => available.currency === currency)?.available.minor ?? 0n
    if (found.cost) expect(left(before) - left(after)).toBe(found.cost.minor)
  })

  test('what is accepted becomes done, or fails', async () => {
    if (contract.isAtOnce) return
    const { buy, look } = bench()
    const [good, bad] = [await buy(9002), await buy(9003)]
    expect([good.outcome.kind, bad.outcome.kind]).toEqual(['accepted', 'accepted'])
    await vi.waitFor(async () => {
      expect([(await look(good)).kind, (await look(bad)).kind]).toEqual(['done', 'failed'])
    }, 10_000)
  })

  test('what was done and is taken back has failed', async () => {
    if (contract.isAtOnce) return
    const { buy, look } = bench()
    const bought = await buy(9004)
    expect(bought.outcome.kind).toBe('done')
    await vi.waitFor(async () => expect((await look(bought)).kind).toBe('failed'), 10_000)
  })

  test('the same reference buys no second time', async () => {
    const { provider, buy, sold } = bench()
    if (provider.capabilities.idempotency === 'lookup') return
    const bought = await buy(9001)
    const again = await provider.purchase(bought.purchase)
    expect(await sold(bought.purchase)).toBe(1)
    if (again.kind !== 'unknown')
      expect(JSON.stringify(shown(again))).toBe(JSON.stringify(shown(bought.outcome)))
    if (provider.capabilities.idempotency === 'same_reference_asks_again')
      expect(again.kind).toBe('done')
  })

  test('many at once are each bought once', async () => {
    const { buy, sold } = bench()
    const all = await Promise.all(Array.from({ length: 12 }, () => buy(9001)))
    expect(new Set(all.map(({ outcome }) => outcome.kind))).toEqual(new Set(['done']))
    for (const { purchase } of all) expect(await sold(purchase)).toBe(1)
  })

  test('cards are exactly as many as were bought, and print as nothing', async () => {
    if (!contract.isCards) return
    const { provider, buy } = bench()
    const quantity = Math.min(3, provider.capabilities.maxQuantity)
    const bought = await buy(9001, { quantity })
    const told = await provider.cards({
      purchase: bought.purchase,
      supplierId: idOf(bought.outcome),
    })
    expect(told.kind).toBe('cards')
    if (told.kind !== 'cards') return
    expect(told.cards).toHaveLength(quantity)
    const codes = told.cards.map(
      ({ code, pin, image }) => code?.reveal() ?? pin?.reveal() ?? image?.type,
    )
    expect(new Set(codes).size).toBe(quantity)
    expect(JSON.stringify(told.cards) + inspect([bought, told], { depth: 9 })).not.toContain(
      'SANDBOX-',
    )
  })
}

function refusing(
  { refusals, order, code }: SupplyContract,
  bench: () => Bench,
  open: (origin?: string, secret?: string) => SupplyProvider,
): void {
  test.each([9005, 9006, 9007, 9008] as const)(
    'refusal %i is whose matter it is, and nothing is bought',
    async (scenario) => {
      const { buy, sold } = bench()
      const { purchase, outcome } = await buy(scenario)
      expect(refusals[scenario]).toContain(outcome.kind === 'failed' ? outcome.class : outcome.kind)
      expect(await sold(purchase)).toBe(0)
    },
  )

  test('a code that is documented nowhere leaves it open', async () => {
    const { provider, buy, look, sold } = bench()
    const bought = await buy(9020)
    expect(bought.outcome.kind).toBe('unknown')
    expect((await look(bought)).kind).toBe(nothingIn(provider))
    expect(await sold(bought.purchase)).toBe(0)
  })

  test('it is not bought above what was allowed', async () => {
    const { provider, buy, sold } = bench()
    const quoted = await provider.quote(order(9001))
    if (quoted.kind !== 'quote') return
    const less = { ...quoted.cost, minor: quoted.cost.minor - 1n }
    const { purchase, outcome } = await buy(9001, { maxCost: less })
    expect(outcome).toMatchObject({ kind: 'failed', class: 'price' })
    expect(await sold(purchase)).toBe(0)
  })

  test('a price that moves after the quote is refused there, or told', async () => {
    const { provider, buy, sold } = bench()
    const quoted = await provider.quote(order(9009))
    const allowed = quoted.kind === 'quote' ? quoted.cost : null
    const { purchase, outcome } = await buy(9009, { maxCost: allowed })
    if (provider.capabilities.enforcesMaxCost) {
      expect(outcome.kind === 'failed' ? outcome.class : outcome.kind).toMatch(
        /^(?:price|unknown)$/,
      )
      expect(await sold(purchase)).toBe(0)
    } else {
      expect(outcome.kind).toBe('done')
      if (outcome.kind === 'done' && outcome.cost && allowed)
        expect(outcome.cost.minor).toBeGreaterThan(allowed.minor)
    }
  })

  test('who is not there is told nothing, and credentials that are wrong buy nothing', async () => {
    const { sold } = bench()
    for (const [provider, expected] of [
      [open('http://127.0.0.1:9'), 'supplier'],
      [open(undefined, 'another-secret-that-is-wrong'), 'ours'],
    ] as const) {
      const purchase = purchaseOf(order(9001), { token: 'none' })
      expect(await provider.purchase(purchase)).toMatchObject({ kind: 'failed', class: expected })
      expect(await sold(purchase)).toBe(0)
    }
  })

  test('a balance that runs out buys nothing', async () => {
    const { sandbox, buy, sold } = bench()
    await sandbox.setBalance(code, 1n)
    try {
      const { purchase, outcome } = await buy(9001)
      expect(refusals[9008]).toContain(outcome.kind === 'failed' ? outcome.class : outcome.kind)
      expect(await sold(purchase)).toBe(0)
    } finally {
      await sandbox.setBalance(code, 5_000_000n)
    }
  })
}

function doubting(
  { namesAccount, namesNoProduct, order }: SupplyContract,
  bench: () => Bench,
): void {
  test.skipIf(!namesAccount)('what was credited to another account is not ours', async () => {
    const { provider, buy } = bench()
    const { purchase, outcome } = await buy(9001)
    const other = { ...purchase, fields: order(9002).fields }
    expect(outcome.kind).toBe('done')
    expect((await provider.lookup({ purchase: other, supplierId: null })).kind).toBe('unknown')
  })

  test('a connection that breaks before anything was bought leaves it open, and there is nothing', async () => {
    const { provider, buy, sold, look } = bench()
    const bought = await buy(9010)
    expect(bought.outcome.kind).toBe('unknown')
    expect(await sold(bought.purchase)).toBe(0)
    expect((await look(bought)).kind).toBe(nothingIn(provider))
  })

  test.each([
    [9011, 'a connection that breaks'],
    [9012, 'an answer that is late'],
    [9013, 'a fault of theirs'],
    [9014, 'garbage'],
    [9015, 'one byte a second'],
    [9016, 'a gigabyte'],
    [9017, 'another amount or product'],
    [9018, "another order's reference"],
    [9019, 'an answer that contradicts itself'],
  ])('%i: after %s it is not known, and asking finds the one purchase', async (scenario) => {
    const { buy, sold, look } = bench()
    const bought = await buy(scenario)
    expect(bought.outcome.kind).toBe('unknown')
    expect((await look(bought)).kind).toBe('done')
    expect(await sold(bought.purchase)).toBe(1)
  })

  test('what a crash of theirs forgets nothing of is found afterwards', async () => {
    const { sandbox, buy } = bench()
    const bought = await buy(9011)
    await sandbox.crash()
    const { look, sold } = bench()
    expect((await look(bought)).kind).toBe('done')
    expect(await sold(bought.purchase)).toBe(1)
  })

  test('what they accepted under another id is not ours', async () => {
    const { provider, buy } = bench()
    const { purchase } = await buy(9001)
    expect((await provider.lookup({ purchase, supplierId: '1' })).kind).toBe('unknown')
  })

  test('an answer about something else than was bought says nothing', async () => {
    if (namesNoProduct) return
    const { provider, buy } = bench()
    const { purchase } = await buy(9001)
    const other = { ...purchase, product: `${purchase.product}1` }
    expect((await provider.lookup({ purchase: other, supplierId: null })).kind).toBe('unknown')
  })
}

function reading({ order, isCards }: SupplyContract, bench: () => Bench): void {
  reportContract(bench)
  test('the catalogue comes in pages to its end, and holds what can be bought', async () => {
    const { provider } = bench()
    const seen = new Set<string>()
    const unread: string[] = []
    let [cursor, pages]: [string | null, number] = [null, 0]
    do {
      const page = await provider.catalogue(cursor)
      for (const { id } of page.products) seen.add(id)
      unread.push(...page.unread)
      cursor = page.next
    } while (cursor !== null && ++pages < 2_000)
    expect({ cursor, unread }).toEqual({ cursor: null, unread: [] })
    expect(seen).toContain(order(9001).product)
  }, 60_000)

  test('an account that is wrong is told before it is bought for, where it can be', async () => {
    const { provider } = bench()
    if (isCards) return
    const [good, bad] = [
      await provider.validateAccount(order(9001)),
      await provider.validateAccount(order(9005)),
    ]
    if (!provider.capabilities.checksAccounts) return expect(good.kind).toBe('unchecked')
    if (good.kind !== 'unchecked') expect(bad.kind).toBe('invalid')
  })
}
