import type { SentNotices } from '../../src/sandbox/payment/notices.ts'
import { act } from './acts.ts'
import { createChance } from './chance.ts'
import type { FaultShop } from './shop.ts'
import { addShoppers, insist } from './shopper.ts'
import type { Stage } from './stage.ts'
import { findFaults } from './verdict.ts'

export interface Notices extends Stage {
  /** Purchases with faulty notices, and without any. */
  readonly purchases: number
  readonly unnoticed: number
}

export interface NoticeReport {
  readonly delivered: number
  readonly deliveredUnnoticed: number
  readonly sent: SentNotices
  readonly faults: readonly string[]
}

interface NoticeFaults {
  readonly loss: number
  readonly duplication: number
  readonly reordering: number
  readonly forgery: number
}

const FAULTY: NoticeFaults = { loss: 0.1, duplication: 0.3, reordering: 0.5, forgery: 0.05 }
const NONE_COMES: NoticeFaults = { loss: 1, duplication: 0, reordering: 0, forgery: 0 }
const SOUND: NoticeFaults = { loss: 0, duplication: 0, reordering: 0, forgery: 0 }
const AT_ONCE = 16
/** A payment nobody tells of is asked about within two minutes. */
const PATIENCE_MS = 240_000

/** Notices that are lost, doubled, out of order or forged, and then none at all: every paid order completes, nothing else does. */
export async function runNotices({
  shop,
  journal,
  seed,
  purchases,
  unnoticed,
  items,
}: Notices): Promise<NoticeReport> {
  const chance = createChance(seed)
  const shoppers = await addShoppers(shop, AT_ONCE, 'notice')
  const failures: string[] = []
  const buy = async (count: number) => {
    let left = count
    let delivered = 0
    await Promise.all(
      shoppers.map(async (shopper) => {
        while (left > 0) {
          left -= 1
          try {
            const outcome = await act(shopper, 'approve', {
              shop,
              journal,
              item: chance.pick(items),
              quantity: 1,
              patienceMs: PATIENCE_MS,
            })
            if (outcome === 'delivered') delivered += 1
            else failures.push(`a purchase was ${outcome}`)
          } catch (error) {
            failures.push(error instanceof Error ? error.message : String(error))
          }
        }
      }),
    )
    return delivered
  }
  await setFaults(shop, { ...FAULTY, seed })
  const delivered = await buy(purchases)
  await setFaults(shop, { ...NONE_COMES, seed })
  const deliveredUnnoticed = await buy(unnoticed)
  const sent = await setFaults(shop, { ...SOUND, seed })
  if (sent.forged_taken > 0) failures.push(`${sent.forged_taken} forged notices were taken`)
  return {
    delivered,
    deliveredUnnoticed,
    sent,
    faults: [...failures, ...(await shop.withCtx((ctx) => findFaults(ctx, journal)))],
  }
}

/** @returns what the payment service has sent so far */
async function setFaults(
  { address }: FaultShop,
  faults: NoticeFaults & { readonly seed: number },
): Promise<SentNotices> {
  const answer = await insist(async () => {
    const sent = await fetch(`${address}/sandbox/payment/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address },
      body: JSON.stringify(faults),
    })
    return { status: sent.status, body: (await sent.json()) as { sent: SentNotices } }
  }, 10_000)
  if (answer.status !== 200)
    throw new Error(`the payment sandbox refuses its faults: ${answer.status}`)
  return answer.body.sent
}
