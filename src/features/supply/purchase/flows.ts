import { noteCost, noteHealth, noteNotice, restForOurs } from '#features/supply/routing/commands.ts'
import type { Vault } from '#features/buying/vault/engine/vault.ts'
import type { Ctx } from '#platform/ctx.ts'
import { createPace } from '#platform/pace.ts'
import { sweep } from '#platform/sweep.ts'
import {
  SupplyRefusal,
  type LookupOutcome,
  type PurchaseOutcome,
  type SupplyProvider,
  type Suppliers,
} from '#providers/supply/provider.ts'
import {
  askAgain,
  askNoMore,
  deliverFastPath,
  followNotice,
  isHealthy,
  preparePurchase,
  putOffAsk,
  recordOutcome,
  takeDueAsks,
  type Recorded,
  type TakenUnit,
} from './commands.ts'
import { takeCards } from './flow/cards.ts'
import {
  getPurchase,
  isOnHold,
  listUnasked,
  type Purchase,
  type UnaskedPurchase,
} from './queries.ts'
import { isCardKind, isOpenPurchase, nextLook } from './rules.ts'

export { returnCards } from './flow/returning.ts'
export type { Suppliers }

/** Lets calls to a supplier through as fast as it likes. */
export type Pace = (signal?: AbortSignal) => Promise<void>

export const paceOf = ({ capabilities }: SupplyProvider): Pace =>
  createPace(capabilities.limits.perSecond)

const ASKED_AT_ONCE = 8
const ASKS_A_PAGE = 64

/**
 * Buys one queued unit: an attempt is committed, the supplier called outside of any transaction, and what it answers written. Dying
 * between any two of these leaves an attempt that is asked about, never one that is made again. Without a vault no card is kept: it is
 * asked for again.
 * @returns what came of it; null where nothing was to be bought
 */
export async function buyUnit(
  ctx: Ctx,
  provider: SupplyProvider,
  unit: TakenUnit,
  pace: Pace,
  vault: Vault | null = null,
): Promise<Recorded | null> {
  const purchase = await preparePurchase(ctx, unit, provider)
  if (purchase === null) return null
  await pace()
  const answer = await called(ctx, purchase, () => provider.purchase(purchase.told))
  return record(ctx, provider, purchase, answer, vault)
}

/** Asks a supplier about every attempt of its that is due. */
export async function askSupplier(
  ctx: Ctx,
  provider: SupplyProvider,
  pace: Pace,
  signal?: AbortSignal,
  vault: Vault | null = null,
): Promise<number> {
  return sweep<string>(ctx, {
    what: 'a purchase to be asked about',
    tone: 'warn',
    name: (id) => id,
    atOnce: ASKED_AT_ONCE,
    signal,
    next: () => takeDueAsks(ctx, provider.code, provider.capabilities, ASKS_A_PAGE),
    work: async (id) => {
      await pace(signal)
      return askAbout(ctx, provider, await getPurchase(ctx.db, id), vault)
    },
  })
}

/** @returns false where it could not be asked */
async function askAbout(
  ctx: Ctx,
  provider: SupplyProvider,
  purchase: Purchase,
  vault: Vault | null,
): Promise<boolean> {
  if (isOpenPurchase(purchase.status) && mayBuyAgain(ctx, provider, purchase)) {
    await leaveToPerson(ctx, purchase, 'asking now could buy it again')
    return false
  }
  if (!(await mayAsk(ctx, provider, purchase))) {
    if (isOpenPurchase(purchase.status)) await putOffAsk(ctx, purchase.id)
    else await askNoMore(ctx, purchase.id)
    return false
  }
  const answer = await called(ctx, purchase, () =>
    provider.lookup({ purchase: purchase.told, supplierId: purchase.supplierId }),
  )
  const { decision } = await record(ctx, provider, purchase, answer, vault)
  if (decision !== 'none') return true
  await lookAgain(ctx, provider, purchase, answer)
  return true
}

/** There is news of what is over, and it could not be heard, or its cards did not come: that is not the end of it. */
async function lookAgain(
  ctx: Ctx,
  provider: SupplyProvider,
  purchase: Purchase,
  answer: LookupOutcome,
): Promise<void> {
  const isBought = answer.kind === 'done' && purchase.status === 'failed'
  const isUnheard = answer.kind === 'unknown' || isBought
  const again = isUnheard ? nextLook(purchase.asked, ctx.now()) : null
  if (again !== null) return askAgain(ctx, purchase.id, again)
  if (isUnheard)
    ctx.log.error('a supplier has news of a purchase that is over, and cannot be asked about it', {
      supplier: provider.code,
      purchase: purchase.id,
    })
  // It was paid for, and nothing of it can be had: a loss, and a person's matter.
  if (isBought && isCardKind(purchase.told.kind))
    await recordOutcome(ctx, purchase, answer, provider.capabilities, null, [])
  await askNoMore(ctx, purchase.id)
}

/** So long after the attempt that asking is no question any more. */
const mayBuyAgain = (
  ctx: Ctx,
  { capabilities: { lookupMayBuyAfterSeconds: last } }: SupplyProvider,
  { createdAt }: Purchase,
): boolean => last !== null && ctx.now().getTime() >= createdAt.getTime() + last * 1_000

/** Where asking may buy it is done only while the unit is owed, and nothing about its order is being decided. */
async function mayAsk(ctx: Ctx, provider: SupplyProvider, purchase: Purchase): Promise<boolean> {
  if (provider.capabilities.idempotency !== 'same_reference_asks_again') return true
  if (!isOpenPurchase(purchase.status)) return false
  return !(await isOnHold(ctx.db, purchase.orderId))
}

/**
 * Takes in what a supplier has sent us: nothing of it is believed, the purchase is asked about. Answers what the supplier wants to hear;
 * null for what is not its own, or no notice at all.
 */
export async function receiveSupplyNotice(
  ctx: Ctx,
  provider: SupplyProvider,
  { body, headers }: { readonly body: Uint8Array; readonly headers: Headers },
): Promise<NonNullable<SupplyProvider['noticeAnswer']> | null> {
  if (!provider.readNotice) return null
  try {
    const notice = await provider.readNotice(body, headers, ctx.now())
    await noteNotice(ctx, provider.code)
    await followNotice(ctx, provider, notice)
    return provider.noticeAnswer ?? { status: 204, body: '' }
  } catch (error) {
    if (error instanceof SupplyRefusal) return null
    throw error
  }
}

/** Calls never throw for what a supplier answers; one that throws all the same has told nothing. */
async function called<Answer extends PurchaseOutcome | LookupOutcome>(
  ctx: Ctx,
  purchase: Purchase,
  call: () => Promise<Answer>,
): Promise<Answer | { readonly kind: 'unknown'; readonly why: string }> {
  try {
    return await call()
  } catch (error) {
    ctx.log.error('a supplier could not be asked', {
      supplier: purchase.supplier,
      purchase: purchase.id,
      error,
    })
    return { kind: 'unknown', why: 'the call failed within the shop' }
  }
}

async function record(
  ctx: Ctx,
  provider: SupplyProvider,
  purchase: Purchase,
  answer: LookupOutcome,
  vault: Vault | null,
): Promise<Recorded> {
  const heard = isOpenPurchase(purchase.status)
    ? await withConsequences(ctx, provider, purchase, answer)
    : answer
  const { said, keys } = await takeCards(ctx, provider, purchase, heard, vault)
  const recorded: Recorded =
    said.kind === 'done' && keys === null && (await deliverFastPath(ctx, purchase, said))
      ? { decision: 'deliver', status: 'done' }
      : await recordOutcome(ctx, purchase, said, provider.capabilities, null, keys)
  const healthy = isHealthy(answer)
  if (isWorthNoting(ctx, provider, healthy) && (await noteHealth(ctx, provider.code, healthy)))
    ctx.log.warn('a supplier rests, as purchases fail there', { supplier: provider.code })
  if (recorded.status === 'doubt') warnOfDoubt(ctx, purchase)
  return recorded
}

/** What is asked about no more. */
const ASKED_NO_MORE = {
  idempotency: 'lookup',
  notFoundIsFinalAfterSeconds: null,
  lookupMayBuyAfterSeconds: 0,
} as const

/** It is not asked about any more: a person decides. */
async function leaveToPerson(
  ctx: Ctx,
  purchase: Pick<Purchase, 'id' | 'orderId' | 'supplier'>,
  why: string,
): Promise<void> {
  const { status } = await recordOutcome(ctx, purchase, { kind: 'unknown', why }, ASKED_NO_MORE)
  if (status === 'doubt') warnOfDoubt(ctx, purchase)
}

/**
 * Leaves to a person what would be asked about, but whose supplier this shop runs no more: its settings were taken away.
 * @returns how many those are
 */
export async function leaveUnaskable(ctx: Ctx, suppliers: readonly string[]): Promise<number> {
  return sweep<UnaskedPurchase>(ctx, {
    what: 'a purchase whose supplier is not set',
    name: ({ id }) => id,
    next: (last) => listUnasked(ctx.db, suppliers, ctx.now(), last),
    work: async (purchase) => {
      await leaveToPerson(ctx, purchase, 'its supplier is not set any more')
      await askNoMore(ctx, purchase.id)
    },
  })
}

function warnOfDoubt(ctx: Ctx, { id, supplier }: Pick<Purchase, 'id' | 'supplier'>): void {
  ctx.log.warn('a purchase needs a person: nobody could find out about it', {
    purchase: id,
    supplier,
  })
}

const NOTED_EVERY_MS = 1_000
const notedAt = new WeakMap<SupplyProvider, number>()

/** Each failure counts; that all is well is said once a second at most, however many purchases show it. */
function isWorthNoting(
  ctx: Ctx,
  provider: SupplyProvider,
  healthy: boolean | null,
): healthy is boolean {
  if (healthy === null) return false
  const now = ctx.now().getTime()
  const isDue = !healthy || now - (notedAt.get(provider) ?? 0) >= NOTED_EVERY_MS
  // After a failure the next success is worth a word.
  if (isDue) notedAt.set(provider, healthy ? now : 0)
  return isDue
}

/** What a refusal means for the supplier, beyond this purchase: it rests, or its price is another. */
async function withConsequences(
  ctx: Ctx,
  provider: SupplyProvider,
  purchase: Purchase,
  answer: LookupOutcome,
): Promise<LookupOutcome> {
  if (answer.kind !== 'failed') return answer
  if (answer.class === 'ours') {
    ctx.log.error('a supplier refuses the shop: its balance or account there needs an operator', {
      supplier: provider.code,
      code: answer.code,
    })
    return { ...answer, until: await restForOurs(ctx, provider.code, answer.code) }
  }
  if (answer.class === 'price') {
    const quoted = await provider.quote(purchase.told).catch(() => null)
    const { face } = purchase.told
    if (quoted?.kind === 'quote')
      await noteCost(ctx, purchase.item, provider.code, { cost: quoted.cost, face })
  }
  return answer
}
