import { z } from 'zod'
import { recordAudit } from '#features/base/audit/commands.ts'
import { countWaiting, holdPrices } from '#features/goods/price/commands.ts'
import { holdPriceEffect, takePriceEffect } from '#features/goods/price-limit/commands.ts'
import { ALL_PRICES, type PriceMove } from '#features/goods/price-limit/rules.ts'
import { inTurn, type Turn, type Waits } from '#features/team/approval/commands.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import { readRouting } from '../read/route.ts'
import { ROUTE_CRITERIA, type RouteCriterion, type SupplyKind } from '../rules.ts'
import { routeRule } from '../schema.ts'
import { setOffers } from './offers.ts'

/** Whose deed a change of where something is bought is that waits (`details.path`). */
export const SUPPLY_PATH = 'supply'

const ONE_HUNDRED_PERCENT = 10_000

const heldMoney = z.object({ minor: z.string().transform(BigInt), currency: z.string() })
const heldOffer = z.object({
  item: z.string(),
  supplier: z.string(),
  priority: z.int(),
  product: z.string(),
  face: heldMoney.nullable(),
  cost: heldMoney,
})
const heldRoute = z.object({
  item: z.string(),
  rule: routeRule.nullable(),
  lossBasisPoints: z.int().nullable(),
})

const textsOf = ({ minor, currency }: Money) => ({ minor: minor.toString(), currency })

interface OfferAt {
  /** Code of the item. */
  readonly item: string
  readonly supplier: string
  readonly priority: number
  /** The supplier's name for it. */
  readonly product: string
  readonly face: Money | null
  readonly cost: Money
}

/**
 * Says that an item is bought at a supplier from now on: what is credited to an account, and cards as their source says; what is paid
 * already stays where it waits. Margin rules make its prices of what it costs, so that it counts against its operator's limit of prices, and waits above it.
 * Throws 'not_found' for a supplier the shop has not, 'check_fields' for an item that there is none of.
 */
export async function setOffer(ctx: OperatorCtx, offer: OfferAt): Promise<Waits> {
  requirePermission(ctx, 'price.change')
  const { item, supplier, face, cost } = offer
  const kept = { ...offer, face: face && textsOf(face), cost: textsOf(cost) }
  const held = {
    touched: [item],
    subject: `offer ${item} ${supplier}`,
    details: { path: SUPPLY_PATH, offer: kept },
  }
  return inTurn(ctx, (tx, now) =>
    holdPrices(tx, ctx, now, held, () => writeOffer(tx, ctx, now, offer)),
  )
}

async function writeOffer(tx: Tx, ctx: OperatorCtx, now: Date, offer: OfferAt): Promise<void> {
  const item = await tx
    .selectFrom('item as i')
    .innerJoin('product as p', 'p.code', 'i.product')
    .innerJoin('brand as b', 'b.code', 'p.brand')
    .select(['i.id', 'i.kind', 'b.kind as brandKind', 'b.recharge', 'b.delivery'])
    .where('i.code', '=', offer.item)
    .executeTakeFirst()
  if (!item) throw fieldError('item', 'not_sold')
  const known = await tx
    .selectFrom('supplier')
    .select('code')
    .where('code', '=', offer.supplier)
    .executeTakeFirst()
  if (!known) throw new AppError('not_found')
  const { country } = (item.recharge ?? {}) as { readonly country?: string }
  await setOffers({ ...ctx, db: tx }, [
    {
      ...offer,
      item: item.id,
      kind: supplyKindOf(item),
      fields: {},
      fixed: country === undefined ? {} : { country: country.toUpperCase() },
    },
  ])
  await recordAudit(tx, ctx, now, [
    {
      action: 'offer_set',
      subject: 'supplier',
      subjectCode: offer.supplier,
      before: null,
      after: {
        item: offer.item,
        product: offer.product,
        priority: offer.priority,
        cost_minor: offer.cost.minor.toString(),
        currency: offer.cost.currency,
      },
    },
  ])
}

/** As what an item is bought. */
function supplyKindOf(item: {
  readonly kind: string | null
  readonly brandKind: string
  readonly delivery: string
}): SupplyKind {
  if (item.delivery === 'card_key') return item.brandKind === 'game_key' ? 'key' : 'giftcard'
  if (item.brandKind !== 'recharge') return 'topup'
  return item.kind === 'data' ? 'data' : 'recharge'
}

interface ItemRoute {
  /** Code of the item. */
  readonly item: string
  /** Null: the shop's setting holds. */
  readonly rule: readonly RouteCriterion[] | null
  readonly lossBasisPoints: number | null
}

interface RouteSet extends Omit<ItemRoute, 'item'> {
  readonly waits: Waits
}

/**
 * Says by what the suppliers of one item are put in order, and how far it is bought at a loss; where neither is said, the shop's setting
 * holds again. The order moves no price, as prices are made of the cost at the supplier of the first place. What may be lost more is as if the item cost so
 * much less, and counts so against its operator's limit of prices; above it, it waits.
 * Throws 'check_fields' for an item that is none. @returns what was said of it before, by which it is taken back
 */
export async function setItemRoute(ctx: OperatorCtx, route: ItemRoute): Promise<RouteSet> {
  requirePermission(ctx, 'price.change')
  return inTurn(ctx, async (tx, now) => {
    const before = await lockRoute(tx, route.item)
    const waits = await holdPriceEffect(tx, ctx, now, {
      moves: lossMoves(before, route),
      subject: `route ${route.item}`,
      details: { path: SUPPLY_PATH, route: { ...route, rule: route.rule && [...route.rule] } },
    })
    if (waits === null) await writeRoute(tx, ctx, now, before, route)
    return { rule: before.rule, lossBasisPoints: before.lossBasisPoints, waits }
  })
}

interface RouteBefore extends Omit<ItemRoute, 'item'> {
  /** Of the item. */
  readonly id: string
  readonly isSaid: boolean
  /** What the shop says where an item says nothing. */
  readonly shopLoss: number
}

async function lockRoute(tx: Tx, code: string): Promise<RouteBefore> {
  const item = await tx
    .selectFrom('item')
    .select('id')
    .where('code', '=', code)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!item) throw fieldError('item', 'not_sold')
  const row = await tx
    .selectFrom('item_route')
    .select(['rule', 'loss_basis_points'])
    .where('item', '=', item.id)
    .executeTakeFirst()
  const known = ROUTE_CRITERIA.filter((one) => row?.rule?.includes(one))
  return {
    id: item.id,
    isSaid: row !== undefined,
    rule: row?.rule?.flatMap((name) => known.filter((one) => one === name)) ?? null,
    lossBasisPoints: row?.loss_basis_points ?? null,
    shopLoss: (await readRouting(tx)).lossBasisPoints,
  }
}

/** Less that may be lost costs nobody anything. */
function lossMoves(
  { id, lossBasisPoints, shopLoss }: RouteBefore,
  wanted: Pick<ItemRoute, 'lossBasisPoints'>,
): PriceMove[] {
  const [before, after] = [lossBasisPoints, wanted.lossBasisPoints].map((loss) =>
    BigInt(Math.max(1, ONE_HUNDRED_PERCENT - (loss ?? shopLoss))),
  ) as [bigint, bigint]
  return after < before ? [{ item: id, price: ALL_PRICES, before, after }] : []
}

async function writeRoute(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  before: RouteBefore,
  { item: code, rule, lossBasisPoints }: ItemRoute,
): Promise<void> {
  const row = {
    rule: rule === null ? null : [...rule],
    loss_basis_points: lossBasisPoints,
    updated_at: now,
  }
  if (rule === null && lossBasisPoints === null)
    await tx.deleteFrom('item_route').where('item', '=', before.id).execute()
  else
    await tx
      .insertInto('item_route')
      .values({ item: before.id, ...row })
      .onConflict((conflict) => conflict.column('item').doUpdateSet(row))
      .execute()
  const told = (one: Omit<ItemRoute, 'item'>) => ({
    rule: one.rule?.join(', ') ?? null,
    loss_basis_points: one.lossBasisPoints,
  })
  await recordAudit(tx, ctx, now, [
    {
      action: 'route_set',
      subject: 'item',
      subjectCode: code,
      before: before.isSaid ? told(before) : null,
      after: told({ rule, lossBasisPoints }),
    },
  ])
}

/** What approving a change of where something is bought does: as it was asked for, counted as its approver's. Throws as `countWaiting` does. */
export async function doWaitingSupply(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  const now = ctx.now()
  const { offer, route, moves: asked } = act.details
  const held = { offer: heldOffer.safeParse(offer), route: heldRoute.safeParse(route) }
  if (held.offer.success) {
    const wanted = held.offer.data
    await countWaiting(tx, ctx, now, { touched: [wanted.item], asked }, () =>
      writeOffer(tx, ctx, now, wanted),
    )
  } else if (held.route.success) {
    const before = await lockRoute(tx, held.route.data.item)
    await takePriceEffect(tx, ctx, now, lossMoves(before, held.route.data))
    await writeRoute(tx, ctx, now, before, held.route.data)
  } else throw new AppError('changed_meanwhile')
}
