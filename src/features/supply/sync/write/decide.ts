import { countPrices } from '#features/goods/price/commands.ts'
import { setCosts } from '#features/supply/routing/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { audit, codesListed, lockListing, textOf, update, type Named } from './listing.ts'

/** A cost that jumped, as whoever decides was shown it. */
export interface SeenCost extends Named {
  readonly cost: Money
}

/** Takes a cost that jumped as it is now. Throws 'not_found' where none waits, and 'forbidden' as `acceptCosts` does. */
export async function acceptCost(ctx: OperatorCtx, named: Named): Promise<void> {
  requirePermission(ctx, 'price.change')
  await transaction(ctx, async (tx, now) =>
    countPrices(tx, ctx, now, await codesListed(tx, [named]), () =>
      take(tx, ctx, now, named, null),
    ),
  )
}

/**
 * Takes several that jumped, all or none. Throws 'not_found' where one waits no more, 'changed_meanwhile' where another sync has found
 * another cost since they were shown, 'forbidden' where prices made of them move further than who takes them may: they go on waiting, for
 * somebody who may.
 */
export async function acceptCosts(ctx: OperatorCtx, seen: readonly SeenCost[]): Promise<number> {
  requirePermission(ctx, 'price.change')
  return transaction(ctx, async (tx, now) => {
    await countPrices(tx, ctx, now, await codesListed(tx, seen), async () => {
      for (const each of inOrder(seen)) await take(tx, ctx, now, each, each.cost)
    })
    return seen.length
  })
}

/** Leaves costs that jumped as they are; they are not asked about again as long as they are listed like this. Throws as `acceptCosts` does. */
export async function refuseCosts(ctx: OperatorCtx, seen: readonly SeenCost[]): Promise<number> {
  requirePermission(ctx, 'price.change')
  return transaction(ctx, async (tx, now) => {
    for (const each of inOrder(seen)) {
      const held = await lockHeld(tx, each, each.cost)
      await update(tx, each, {
        ...NOT_HELD,
        refused_minor: held.minor,
        refused_currency: held.currency,
      })
      await audit(tx, ctx, now, 'refuse_cost', textOf(each), {
        cost_minor: held.minor.toString(),
        currency: held.currency,
      })
    }
    return seen.length
  })
}

/** Says of items that were found by their names that they are the right ones. @returns how many */
export async function confirmMatches(
  ctx: OperatorCtx,
  listings: readonly (Named & { readonly item: string })[],
): Promise<number> {
  requirePermission(ctx, 'product.change')
  return transaction(ctx, async (tx, now) => {
    for (const each of inOrder(listings)) {
      const row = await lockListing(tx, each)
      const item = await tx
        .selectFrom('item')
        .select('id')
        .where('code', '=', each.item)
        .executeTakeFirst()
      // Another sync or another person has found something else.
      if (!item || row.item !== item.id) throw new AppError('changed_meanwhile')
      await update(tx, each, { matched_by: 'hand', score: null })
      await audit(tx, ctx, now, 'confirm_match', textOf(each), { item: each.item })
    }
    return listings.length
  })
}

const NOT_HELD = { held_minor: null, held_currency: null, held_at: null } as const

/** Two who decide about the same at once wait for each other, never crosswise. */
const inOrder = <Each extends Named>(all: readonly Each[]): readonly Each[] =>
  all.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1))

async function lockHeld(tx: Tx, named: Named, seen: Money | null) {
  const row = await lockListing(tx, named)
  const { item, held_minor: minor, held_currency: currency } = row
  if (item === null || minor === null || currency === null) throw new AppError('not_found')
  const cost = { minor: BigInt(minor), currency }
  if (seen !== null && (seen.minor !== cost.minor || seen.currency !== currency))
    throw new AppError('changed_meanwhile')
  return { ...cost, item, isRange: row.range_min_minor !== null }
}

async function take(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  named: Named,
  seen: Money | null,
): Promise<void> {
  const { item, isRange, ...cost } = await lockHeld(tx, named, seen)
  const [amount = '', faceCurrency = ''] = named.face.split(' ')
  const face = isRange
    ? await faceOf(tx, named.supplier, item)
    : named.face === ''
      ? null
      : { minor: BigInt(amount), currency: faceCurrency }
  await setCosts(tx, now, named.supplier, [{ item, product: named.product, face, cost }])
  await update(tx, named, NOT_HELD)
  await audit(tx, ctx, now, 'accept_cost', textOf(named), {
    cost_minor: cost.minor.toString(),
    currency: cost.currency,
  })
}

/** Of what is sold at any amount: the amount that its cost is for. */
async function faceOf(tx: Tx, supplier: string, item: string): Promise<Money | null> {
  const offer = await tx
    .selectFrom('supplier_offer')
    .select(['face_minor', 'face_currency'])
    .where('supplier', '=', supplier)
    .where('item', '=', item)
    .executeTakeFirst()
  const { face_minor: minor = null, face_currency: currency = null } = offer ?? {}
  return minor === null || currency === null ? null : { minor: BigInt(minor), currency }
}
