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
}
