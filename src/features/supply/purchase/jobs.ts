import { setTimeout as sleep } from 'node:timers/promises'
import type { Vault } from '#features/buying/vault/engine/vault.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { SupplyProvider, Suppliers } from '#providers/supply/provider.ts'
import { measureSuppliers } from '#features/supply/routing/commands.ts'
import { findPlaces } from '#features/supply/routing/queries.ts'
import {
  expireInputs,
  giveToShelf,
  refundTakenBack,
  takeQueued,
  type TakenUnit,
} from './commands.ts'
import { askSupplier, buyUnit, leaveUnaskable, paceOf, type Pace } from './flows.ts'

/** How often it is looked whether something was paid that nobody in this process knows of. */
const LOOKED_EVERY_MS = 250
/** Purchases of one supplier that are under way at once, whatever it allows. */
const LANES_MOST = 32
/** How long purchases that are under way are waited for at the end. */
const LEFT_AFTER_MS = 8_000

export interface Supplying {
  /** Something was paid: it is looked at once. */
  readonly soon: () => void
  /** Asks that supplier about what is due; for the schedule. */
  readonly ask: (supplier: string, signal?: AbortSignal) => Promise<number>
  /** Resolves when nothing is under way any more. */
  readonly stop: () => Promise<void>
}

/**
 * Buys what is queued, with each supplier at its own pace and in places of its own, so that one that hangs keeps up none of the others.
 * @param onBought something has become of a unit @param vault keeps the cards that are bought @param onChange calls what it is given
 * whenever suppliers have come, gone or changed
 */
export function startSupplying(
  ctx: Ctx,
  suppliers: Suppliers,
  onBought: () => void,
  vault: Vault | null = null,
  onChange: (then: () => void) => void = () => {},
): Supplying {
  const open = new Map<string, { readonly shop: Shop; readonly buyer: Buyer }>()
  const leaving = new Set<Promise<void>>()
  let isStopped = false

  /** Whose settings are others is another: what is under way with the one before ends with it. */
  const renew = () => {
    for (const [code, { shop, buyer }] of open) {
      if (isStopped || suppliers.get(code) === shop.provider) continue
      open.delete(code)
      const left = buyer.stop().finally(() => leaving.delete(left))
      leaving.add(left)
    }
    for (const [code, provider] of suppliers) {
      if (isStopped || open.has(code)) continue
      const shop = { provider, pace: paceOf(provider), vault }
      open.set(code, { shop, buyer: startBuyer(ctx, shop, onBought) })
    }
  }
  renew()
  onChange(renew)
  return {
    soon: () => {
      for (const { buyer } of open.values()) buyer.soon()
    },
    async ask(supplier, signal) {
      const shop = open.get(supplier)?.shop
      return shop ? askSupplier(ctx, shop.provider, shop.pace, signal, vault) : 0
    },
    async stop() {
      isStopped = true
      await Promise.all([...[...open.values()].map(({ buyer }) => buyer.stop()), ...leaving])
    },
  }
}

interface Buyer {
  readonly soon: () => void
  readonly stop: () => Promise<void>
}

interface Shop {
  readonly provider: SupplyProvider
  readonly pace: Pace
  readonly vault: Vault | null
}

function startBuyer(ctx: Ctx, { provider, pace, vault }: Shop, onBought: () => void): Buyer {
  const lanes = Math.min(LANES_MOST, provider.capabilities.limits.concurrent)
  const running = new Set<Promise<void>>()
  let isStopped = false
  let heard = Promise.withResolvers<void>()

  const buy = async (unit: TakenUnit) => {
    try {
      if ((await buyUnit(ctx, provider, unit, pace, vault)) !== null) onBought()
    } catch (error) {
      ctx.log.error('a purchase was left as it is', { unit: unit.unitId, error })
    }
  }
  const turn = async (): Promise<number> => {
    const places = await findPlaces(ctx.db, provider.code, lanes, ctx.now())
    const free = places - running.size
    if (free <= 0) return 0
    const units = await takeQueued(ctx, provider.code, free)
    for (const unit of units) {
      const lane = buy(unit).finally(() => {
        running.delete(lane)
        heard.resolve()
      })
      running.add(lane)
    }
    return units.length
  }
  const follow = async () => {
    while (!isStopped) {
      heard = Promise.withResolvers()
      const word = heard.promise
      const taken = await turn().catch((error: unknown) => {
        ctx.log.warn('what waits for a supplier could not be looked for', { error })
        return 0
      })
      if (taken === 0) await pause(word)
    }
  }
  const following = follow()
  return {
    soon: () => heard.resolve(),
    async stop() {
      isStopped = true
      heard.resolve()
      await following
      // Who hangs is left: the attempt is asked about by whoever comes next.
      await Promise.race([Promise.all(running), sleep(LEFT_AFTER_MS, undefined, { ref: false })])
    },
  }
}

/** Over at a word, or after a while. */
async function pause(word: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, LOOKED_EVERY_MS)
  await Promise.race([word, promise])
  clearTimeout(timer)
}

/**
 * Every minute: what waits for its buyer's correction too long goes back, and by rule what a supplier has taken back; cards that nobody buys wait for stock, and what none of the
 * shop's suppliers can be asked about is left to a person.
 */
export async function tendSupply(ctx: Ctx, suppliers: Suppliers): Promise<void> {
  await expireInputs(ctx)
  await giveToShelf(ctx)
  await refundTakenBack(ctx)
  await leaveUnaskable(ctx, [...suppliers.keys()])
  await measureSuppliers(ctx)
}
