import { dayOf } from '#kernel/day.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import type { NewKey, SealedKey } from './write/stocking.ts'
import { openBatches, registerVaultKeys, sealKeys, storeKeys } from './commands.ts'
import { drawFrom, keyMaker } from './engine/made-up-key.ts'
import type { Vault } from './engine/vault.ts'
import { listLowShelves, listShelves, type Shelf, type Stockable } from './queries.ts'

/** So few that what else the process does, settling payments above all, never waits long for a part. */
const KEYS_AT_ONCE = 250
/** Put onto each shelf before a demo shop opens for the first time. */
const FIRST_KEYS = { hot: 24, other: 4 } as const
/** What a shelf is filled up to, and below which share of it that is done. */
const FULL = { hot: 30, other: 24 } as const
const LOW_SHARE = 0.84
/** A new shop's shelves fill up over some minutes, beside its other work. */
const KEYS_A_RUN = 25_000

/** Something to sell from the demo's first minute on. @returns how many keys were made */
export async function openDemoShelves(ctx: Ctx, vault: Vault): Promise<number> {
  const wishes = (await listShelves(ctx.db, ctx.now())).map((shelf) => ({
    ...shelf,
    count: fullOf(shelf, FIRST_KEYS) - shelf.free,
  }))
  return makeKeys(ctx, vault, wishes)
}

/** The demo never runs dry: shelves that are half empty are filled, the emptiest first. */
export async function restockDemo(ctx: Ctx, vault: Vault): Promise<void> {
  const low = (await listShelves(ctx.db, ctx.now()))
    .map((shelf) => ({ ...shelf, full: fullOf(shelf, FULL) }))
    .filter(({ free, full }) => free < full * LOW_SHARE)
    .toSorted((a, b) => a.free / a.full - b.free / b.full)
  let left = KEYS_A_RUN
  const wishes = low.map((shelf) => {
    const count = Math.min(left, shelf.full - shelf.free)
    left -= count
    return { ...shelf, count }
  })
  const made = await makeKeys(ctx, vault, wishes)
  if (made > 0) ctx.log.info('made keys for the demo', { made })
}

/** Below this many keys a shelf that sells is filled at once, by so many more. */
const BUSY_LOW = 20
const BUSY_MORE = 60

/** What sells faster than the minute's filling follows within seconds. @param fallen items of which something was taken just now */
export async function refillBusyShelves(
  ctx: Ctx,
  vault: Vault,
  fallen: readonly string[],
): Promise<void> {
  const low = fallen.length > 0 ? await listLowShelves(ctx.db, fallen, BUSY_LOW) : []
  if (low.length > 0)
    await makeKeys(
      ctx,
      vault,
      low.map((shelf) => ({ ...shelf, count: BUSY_MORE })),
    )
}

/** What the catalogue says is sold out stays so. */
function fullOf(
  { isHot, planned }: Shelf,
  sizes: { readonly hot: number; readonly other: number },
): number {
  return Math.min(planned ?? sizes.hot, isHot ? sizes.hot : sizes.other)
}

/** Keys that look like those of their brands and redeem nothing. Of formats nobody can make up (a picture) none are made. @returns how many were made */
export async function makeKeys(
  ctx: Ctx,
  vault: Vault,
  wishes: readonly (Stockable & { readonly count: number })[],
): Promise<number> {
  const kekId = await registerVaultKeys(ctx, vault)
  const draw = drawFrom(ctx.random)
  const year = ctx.now().getUTCFullYear()
  let made = 0
  let batches: { id: string; item: string; imported: number }[] = []
  let fresh: NewKey[] = []
  const flush = async () => {
    const rows = await sealKeys(ctx, { vault, kekId }, fresh)
    made += await store(ctx, batches, rows)
    batches = []
    fresh = []
  }
  for (const { count, ...stockable } of wishes) {
    const make = keyMaker(stockable.format, draw, year)
    for (let left = count; left > 0; ) {
      const batch = {
        id: ctx.newId(),
        item: stockable.item,
        imported: Math.min(left, KEYS_AT_ONCE - fresh.length),
      }
      batches.push(batch)
      for (let index = 0; index < batch.imported; index += 1)
        fresh.push({ stocking: { ...stockable, batchId: batch.id }, line: make() })
      left -= batch.imported
      if (fresh.length >= KEYS_AT_ONCE) await flush()
    }
  }
  if (fresh.length > 0) await flush()
  return made
}

function store(
  ctx: Ctx,
  batches: readonly { id: string; item: string; imported: number }[],
  rows: readonly SealedKey[],
): Promise<number> {
  if (batches.length === 0) return Promise.resolve(0)
  return transaction(ctx, async (tx, now) => {
    await openBatches(
      tx,
      ctx,
      batches.map((batch) => ({ ...batch, fileName: `made up ${dayOf(now)}` })),
    )
    return storeKeys(tx, rows)
  })
}
