import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import {
  SupplyRefusal,
  type LookupOutcome,
  type PurchaseOutcome,
  type SupplyProvider,
  type SupplyPurchase,
} from '#providers/supply/provider.ts'
import type { RunningSupplySandbox } from './supply-sandbox.ts'

interface Bought {
  readonly purchase: SupplyPurchase
  readonly outcome: PurchaseOutcome
}

interface Bench {
  readonly sandbox: RunningSupplySandbox
  readonly provider: SupplyProvider
  readonly buy: (scenario: number) => Promise<Bought>
  readonly look: (bought: Bought) => Promise<LookupOutcome>
}

/** What holds of every supplier's notices. */
export function noticeContract(code: string, bench: () => Bench): void {
  const sent = async ({ sandbox }: Bench, reference: string) =>
    (await sandbox.books()).notices.filter(
      ({ supplier, body }) => supplier === code && body.includes(reference),
    )
  const bytes = (body: string) => new TextEncoder().encode(body)

  test('notices come twice and out of order: each says where to look, and no more', async () => {
    const made = bench()
    const bought = await made.buy(9021)
    expect(bought.outcome.kind).toBe('accepted')
    const { reference } = bought.purchase
    await vi.waitFor(async () => expect((await sent(made, reference)).length).toBe(6), 10_000)
    const read = await Promise.all(
      (await sent(made, reference)).map(({ body, headers }) =>
        Promise.resolve(made.provider.readNotice?.(bytes(body), new Headers(headers), new Date())),
      ),
    )
    expect(new Set(read.map((notice) => notice?.eventId)).size).toBe(2)
    for (const notice of read) expect(notice?.reference ?? notice?.supplierId).toBeTruthy()
    expect((await made.look(bought)).kind).toBe('done')
  })

  test('a notice that is not theirs is refused', async () => {
    const made = bench()
    const { purchase } = await made.buy(9001)
    const [notice] = await sent(made, purchase.reference)
    expect(notice).toBeDefined()
    if (!notice) return
    const { readNotice } = made.provider
    const forged = notice.body.replace(purchase.reference, randomUUID())
    const bare = new Headers({ 'content-type': 'application/json' })
    await expect(
      Promise.resolve(readNotice?.(bytes(notice.body), new Headers(notice.headers), new Date())),
    ).resolves.toBeTruthy()
    // A secret that is sent along signs nothing: what matters is that it is there.
    if ('x-event-secret' in notice.headers || 'authorization' in notice.headers)
      await expect(readNotice?.(bytes(notice.body), bare, new Date())).rejects.toThrow(
        SupplyRefusal,
      )
    else
      await expect(
        readNotice?.(bytes(forged), new Headers(notice.headers), new Date()),
      ).rejects.toThrow(SupplyRefusal)
    await expect(readNotice?.(bytes('{}'), bare, new Date())).rejects.toThrow(SupplyRefusal)
  })
}
