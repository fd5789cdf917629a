import { lockOrderById, type LockedOrder } from '#features/buying/order/queries.ts'
import { replaceKey } from '#features/buying/vault/commands.ts'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import {
  askLeave,
  weighAct,
  type Turn,
  type Waits,
  type Weighed,
} from '#features/team/approval/commands.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import { noteStep } from './step.ts'

interface Delivered {
  readonly order: LockedOrder
  readonly unit: {
    readonly id: string
    readonly publicId: string
    readonly status: 'delivered'
    readonly priceMinor: bigint
    readonly line: number
    readonly item: string
  }
}

/**
 * An operator gives another key of the shop's own for one that does not work; it counts as what the unit costs. Throws 'not_found',
 * 'order_closed' for what holds no key, was bought at a supplier, or is being given back, 'out_of_stock' where no other key is free.
 * @returns the act that waits for another person; null where the key is replaced
 */
export async function replaceKeyInTurn(
  tx: Turn,
  ctx: OperatorCtx,
  publicId: string,
  reason: string,
): Promise<Waits> {
  requirePermission(ctx, 'order.refund')
  const found = await lockDelivered(tx, publicId)
  await requireStock(tx, found.unit.item)
  const waits = await askLeave(tx, ctx, {
    kind: 'replacement',
    ...(await counted(tx, found)),
    details: { reason, key: await keyOf(tx, found.unit.id) },
  })
  if (waits === null) await replace(tx, ctx, found, reason)
  return waits
}

/** What `replaceKeyInTurn` would do; nothing is changed. Throws as it does. */
export async function previewReplacement(
  tx: Tx,
  ctx: OperatorCtx,
  publicId: string,
): Promise<{ readonly priceMinor: bigint; readonly currency: string; readonly weighed: Weighed }> {
  requirePermission(ctx, 'order.refund')
  const found = await lockDelivered(tx, publicId)
  await requireStock(tx, found.unit.item)
  const weighed = await weighAct(tx, ctx, {
    kind: 'replacement',
    ...(await counted(tx, found)),
  })
  return { priceMinor: found.unit.priceMinor, currency: found.order.currency, weighed }
}

/** What approving it does. Throws 'changed_meanwhile' where the unit holds another key by now, and as asking for it does. */
export async function replaceWaitingKey(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  const found = await lockDelivered(tx, act.subject)
  if ((await keyOf(tx, found.unit.id)) !== act.details['key'])
    throw new AppError('changed_meanwhile')
  await replace(tx, ctx, found, String(act.details['reason']))
}

async function counted(tx: Tx, { order, unit }: Delivered) {
  const money = { minor: unit.priceMinor, currency: order.currency }
  return {
    subject: unit.publicId,
    accountId: order.accountId,
    orderId: order.id,
    money,
    usdMinor: await readUsdMinor(tx, money),
  }
}

async function lockDelivered(tx: Tx, publicId: string): Promise<Delivered> {
  const known = await tx
    .selectFrom('order_unit')
    .select('order_id')
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  if (!known) throw new AppError('not_found')
  const order = await lockOrderById(tx, known.order_id)
  const row = await tx
    .selectFrom('order_unit as u')
    .innerJoin('order_line as l', 'l.id', 'u.line_id')
    .select(['u.id', 'u.item', 'u.status', 'u.delivery', 'u.to_order', 'u.price_minor'])
    .select('l.position')
    .where('u.public_id', '=', publicId)
    .forNoKeyUpdate('u')
    .executeTakeFirstOrThrow()
  const { status, item } = row
  // A key that was bought belongs to its purchase: its supplier is asked for another, or its price goes back.
  if (status !== 'delivered' || row.delivery !== 'card_key' || row.to_order || item === null)
    throw new AppError('order_closed')
  return {
    order,
    unit: {
      id: row.id,
      publicId,
      status,
      priceMinor: BigInt(row.price_minor),
      line: row.position,
      item,
    },
  }
}

async function keyOf(tx: Tx, unitId: string): Promise<string> {
  const key = await tx
    .selectFrom('card_key')
    .select('id')
    .where('unit_id', '=', unitId)
    .where('status', '=', 'delivered')
    .executeTakeFirst()
  if (!key) throw new AppError('order_closed')
  return key.id
}

async function requireStock(tx: Tx, item: string): Promise<void> {
  const free = await tx
    .selectFrom('card_key')
    .select('id')
    .where('item', '=', item)
    .where('status', '=', 'free')
    .limit(1)
    .executeTakeFirst()
  if (!free) throw new AppError('out_of_stock')
}

async function replace(
  tx: Tx,
  ctx: OperatorCtx,
  { order, unit }: Delivered,
  reason: string,
): Promise<void> {
  await replaceKey(tx, ctx, { unitId: unit.id, reason })
  await noteStep(tx, ctx, ctx.now(), {
    order,
    unit,
    to: 'delivered',
    reason: 'key_replaced',
    details: { line: unit.line, units: 1 },
    isToTell: true,
  })
}
