import { createHash } from 'node:crypto'
import {
  tryTrial,
  type SoldUnits,
  type Trial,
  type Tried,
} from '#features/goods/price/engine/trial.ts'
import { isFurther } from '#features/goods/price/commands.ts'
import {
  lockPrices,
  readPriceVersion,
  readPricing,
  readSoldUnits,
  readWorld,
  type PriceWorld,
} from '#features/goods/price/queries.ts'
import type { Pricing } from '#features/goods/price/rules.ts'
import { holdPriceEffect, takePriceEffect } from '#features/goods/price-limit/commands.ts'
import { readReach } from '#features/goods/price-limit/queries.ts'
import { isBeyond } from '#features/goods/price-limit/rules.ts'
import { doWaitingSupply, SUPPLY_PATH } from '#features/supply/routing/commands.ts'
import { doWaitingWithdrawal, WITHDRAWAL_PATH } from '#features/supply/sync/commands.ts'
import { inTurn, requireAsker, type Turn } from '#features/team/approval/commands.ts'
import { findByPublicId } from '#features/team/approval/queries.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { priceLimitOf, requirePermission } from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { priceChange, type PriceChange } from './schema.ts'
import type { MadeChange, TriedChange } from './views.ts'
import { applyChange, type Applied } from './write/apply.ts'
import { GOODS_PATH, makeWaitingGoods } from './write/goods.ts'
import { subjectOf } from './write/subject.ts'
import { afterOwn } from './write/turns.ts'

export { holdGoodsPrices, tryWaitingGoods } from './write/goods.ts'

/** Whose deed a change is that waits (`details.path`). */
const OWN_PATH = 'prices'
/** Times that a change is worked out anew where something else has moved prices meanwhile. */
const TRIES = 3

const NOTHING: Promise<readonly SoldUnits[]> = Promise.resolve([])

/** Ends a transaction that only looked. */
class TakenBack extends Error {}

interface Worked extends Tried {
  readonly world: PriceWorld
  readonly applied: Applied
  readonly seen: string
}

/**
 * What a change of prices would do to the whole catalogue, with nothing changed: it is made in a transaction that is taken back, and worked out
 * behind it on every item and currency. One at a time for each operator: a trial holds a connection and the whole catalogue. Throws as `applyChange` does.
 */
export function tryPrices(ctx: OperatorCtx, change: PriceChange): Promise<TriedChange> {
  return afterOwn(ctx.actor, () => tryNow(ctx, change))
}

async function tryNow(ctx: OperatorCtx, change: PriceChange): Promise<TriedChange> {
  requirePermission(ctx, 'price.change')
  const limit = priceLimitOf(ctx.operator)
  const sold = readSoldUnits(ctx.db, ctx.now())
  // It is asked beside the rest, which may be refused before it is waited for.
  sold.catch(() => {})
  const worked = await workOut(ctx, change, { collects: limit !== null, sold })
  const reach = await readReach(ctx.db, ctx.actor, worked.moved, ctx.now())
  return {
    effect: worked.effect,
    reach,
    limit,
    needsAnother: isBeyond(reach, limit),
    rate: worked.applied.rate,
    seen: worked.seen,
  }
}

/** What a change that waits would do as of now. Throws 'not_found' for one that waits no more, and as `tryPrices` does. */
export async function tryWaiting(ctx: OperatorCtx, publicId: string): Promise<TriedChange> {
  const act = await findByPublicId(ctx.db, publicId)
  const parsed = priceChange.safeParse(act?.details['change'])
  if (act?.kind !== 'price_change' || act.status !== 'waiting' || !parsed.success)
    throw new AppError('not_found')
  return tryPrices(ctx, sinceThen(parsed.data, ctx.now()))
}

/**
 * Makes a change of prices, or has it wait for another person where it moves prices by more than its asker may within seven days. Throws as
 * `applyChange` does, and 'changed_meanwhile' where it does something else by now than what its asker has seen.
 * @param seen of what was tried; null for a terminal, where nobody has seen anything
 */
export async function changePrices(
  ctx: OperatorCtx,
  change: PriceChange,
  seen: string | null,
): Promise<MadeChange> {
  requirePermission(ctx, 'price.change')
  const collects = priceLimitOf(ctx.operator) !== null
  for (let left = TRIES; left > 0; left -= 1) {
    // Without a limit and with nothing seen there is nothing to hold it against.
    const worked =
      collects || seen !== null ? await workOut(ctx, change, { collects, sold: NOTHING }) : null
    if (seen !== null && worked?.seen !== seen) throw new AppError('changed_meanwhile')
    const made = await inTurn(ctx, (tx, now) => make(tx, ctx, now, change, worked))
    if (made) return made
  }
  throw new AppError('changed_meanwhile')
}

async function make(
  tx: Turn,
  ctx: OperatorCtx,
  now: Date,
  change: PriceChange,
  worked: Worked | null,
): Promise<MadeChange | null> {
  await lockPrices(tx)
  if (worked && (await readPriceVersion(tx)) !== worked.world.version) return null
  const waits = worked
    ? await holdPriceEffect(tx, ctx, now, {
        moves: worked.moved,
        subject: subjectOf(change),
        details: { path: OWN_PATH, change, moves: worked.effect.moves },
      })
    : null
  if (waits !== null) return { waits, undo: null, rate: null, rule: null }
  return { waits, ...(await applyChange(tx, ctx, now, change, false)) }
}

/** Makes a change and takes it back, and works out what it did. */
async function workOut(
  ctx: OperatorCtx,
  change: PriceChange,
  wanted: { readonly collects: boolean; readonly sold: Promise<readonly SoldUnits[]> },
): Promise<Worked> {
  for (let left = TRIES; left > 0; left -= 1) {
    const world = await readWorld(ctx.db, itemsOf(change), { all: wanted.collects })
    const { version, applied, after, items } = await tryApplied(ctx, change)
    // Something else has moved prices between the two.
    if (version !== world.version) continue
    const sold = await wanted.sold
    const trial = trialOf(change, world, { after, items, sold })
    const tried = await tryTrial(trial, wanted.collects)
    return { ...tried, world, applied, seen: seenOf(change, applied, tried) }
  }
  throw new AppError('changed_meanwhile')
}

interface TriedIn {
  /** Of what was there before. */
  readonly version: string
  readonly applied: Applied
  readonly after: Pricing
  readonly items: PriceWorld['items']
}

async function tryApplied(ctx: OperatorCtx, change: PriceChange): Promise<TriedIn> {
  let tried: TriedIn | null = null
  await transaction(ctx, async (tx, now) => {
    const version = await readPriceVersion(tx)
    const applied = await applyChange(tx, ctx, now, change, true)
    tried = { version, applied, ...(await readAfter(tx, now, change)) }
    throw new TakenBack()
  }).catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error
  })
  return present<TriedIn>(tried, 'what was tried')
}

/** What prices are made of once a change is made; items where it changes one of them itself. */
async function readAfter(
  tx: Tx,
  now: Date,
  change: PriceChange,
): Promise<Pick<TriedIn, 'after' | 'items'>> {
  const after = await readPricing(tx, now)
  const codes = itemsOf(change)
  return { after, items: codes === null ? [] : (await readWorld(tx, codes)).items }
}

const itemsOf = (change: PriceChange): readonly string[] | null =>
  'item' in change ? [change.item] : null

function trialOf(
  change: PriceChange,
  { pricing, items, currencies }: PriceWorld,
  { after, items: own, sold }: Pick<TriedIn, 'after' | 'items'> & Pick<Trial, 'sold'>,
): Trial {
  // What is said of one currency moves the prices of that one alone; a rate those of all.
  const only = change.path !== 'rate' && 'currency' in change ? change.currency : null
  return {
    // Rules that begin and rates that age between the two readings are no part of the change.
    before: { ...pricing, at: after.at },
    after,
    items,
    changed: new Map(own.map((item) => [item.id, item])),
    currencies: only === null ? currencies : currencies.filter((code) => code === only),
    level: 'level' in change ? change.level : 0,
    sold,
  }
}

/** Names what was tried with what it would do: anything else that comes of it has another one. */
function seenOf(change: PriceChange, { undo, rate }: Applied, { effect }: Tried): string {
  // The id of a rule that was made and taken back is another each time.
  const former = undo && { ...undo, id: null, replaces: null }
  const text = JSON.stringify([change, former, rate, effect.hash])
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/**
 * What approving a change of prices does: exactly what was asked for, with what that does as of now. Throws 'changed_meanwhile' where its asker may do it no
 * more, where it cannot be done any more, or where it would move prices further than was asked; 'forbidden' where that is more than its approver may.
 */
export async function changeWaitingPrices(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  const { path, change: asked, moves } = act.details
  const isOfGoods = path === GOODS_PATH
  await requireAsker(tx, act, ['price.change', ...(isOfGoods ? ['product.change' as const] : [])])
  if (isOfGoods) return makeWaitingGoods(tx, ctx, act)
  if (path === SUPPLY_PATH) return doWaitingSupply(tx, ctx, act)
  if (path === WITHDRAWAL_PATH) return doWaitingWithdrawal(tx, ctx, act)
  const parsed = priceChange.safeParse(asked)
  if (path !== OWN_PATH || !parsed.success) throw new AppError('changed_meanwhile')
  const now = ctx.now()
  await lockPrices(tx)
  const change = sinceThen(parsed.data, now)
  const world = await readWorld(tx, itemsOf(change), { all: true })
  await applyChange(tx, ctx, now, change, false)
  const trial = trialOf(change, world, { ...(await readAfter(tx, now, change)), sold: [] })
  const { effect, moved } = await tryTrial(trial, true)
  if (effect.moves && isFurther(effect.moves, moves)) throw new AppError('changed_meanwhile')
  await takePriceEffect(tx, ctx, now, moved)
}

/** A rule that was to begin meanwhile begins now. */
function sinceThen(change: PriceChange, now: Date): PriceChange {
  if (change.path !== 'rule' || change.valid_from === null) return change
  return new Date(change.valid_from) < now ? { ...change, valid_from: null } : change
}
