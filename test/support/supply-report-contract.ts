import { expect, test } from 'vitest'
import type {
  PurchaseOutcome,
  ReportedPurchase,
  SupplyProvider,
  SupplyPurchase,
} from '#providers/supply/provider.ts'

interface Bench {
  readonly provider: SupplyProvider
  readonly buy: (
    scenario: number,
  ) => Promise<{ readonly purchase: SupplyPurchase; readonly outcome: PurchaseOutcome }>
}

const MORE_THAN_A_PAGE = 104
const AT_ONCE = 8

/** What holds of every supplier's report. */
export function reportContract(bench: () => Bench): void {
  test('its report tells each purchase as it was, where it has one', async () => {
    const { provider, buy } = bench()
    if (!provider.report) return
    const from = new Date(Date.now() - 60_000)
    const [done, failed] = [await buy(9001), await buy(9005)]
    const seen = new Map<string | null, ReportedPurchase>()
    let cursor: string | null = null
    do {
      const page = await provider.report(from, new Date(Date.now() + 60_000), cursor)
      expect(page.unread).toBe(0)
      for (const purchase of page.purchases) seen.set(purchase.reference, purchase)
      cursor = page.next
    } while (cursor !== null)
    const { outcome } = done
    expect(outcome.kind).toBe('done')
    if (outcome.kind !== 'done') return
    expect(seen.get(done.purchase.reference)).toMatchObject({
      supplierId: outcome.supplierId,
      state: 'done',
      cost: outcome.cost,
    })
    expect(seen.has(failed.purchase.reference)).toBe(false)
    // What was bought before it is not in it.
    const none = await provider.report(new Date(0), new Date(86_400_000), null)
    expect(none.purchases).toEqual([])
  })

  test('its report goes on from page to page until each purchase was told once, also what is on its way', async () => {
    const { provider, buy } = bench()
    if (!provider.report) return
    const from = new Date(Date.now() - 60_000)
    const bought: (string | undefined)[] = []
    for (let round = 0; round < MORE_THAN_A_PAGE; round += AT_ONCE) {
      const some = await Promise.all(Array.from({ length: AT_ONCE }, () => buy(9001)))
      bought.push(...some.map(({ purchase }) => purchase.reference))
    }
    const later = await buy(9002)
    const told = new Map<string | null, ReportedPurchase[]>()
    let [cursor, pages]: [string | null, number] = [null, 0]
    do {
      const page = await provider.report(from, new Date(Date.now() + 60_000), cursor)
      pages += page.purchases.length > 0 ? 1 : 0
      for (const each of page.purchases)
        told.set(each.reference, [...(told.get(each.reference) ?? []), each])
      cursor = page.next
    } while (cursor !== null)
    expect(bought.map((reference) => told.get(reference ?? '')?.length)).toEqual(
      bought.map(() => 1),
    )
    if (provider.code !== 'reloadly' && provider.code !== 'hook') expect(pages).toBeGreaterThan(1)
    if (later.outcome.kind === 'accepted')
      expect(told.get(later.purchase.reference)?.[0]?.state).not.toBe('failed')
  }, 60_000)
}
