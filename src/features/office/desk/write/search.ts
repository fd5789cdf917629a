import { recordAct } from '#features/base/audit/commands.ts'
import { findOrderNumbers } from '#features/buying/order/queries.ts'
import { findUnitsOfCode } from '#features/buying/vault/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { mayDo, requirePermission } from '#features/team/operator/rules.ts'
import { transaction } from '#platform/ctx.ts'

const PURPOSE = 'order search'
/** So long a search can be gone back to. */
const KEPT_MS = 12 * 3_600_000

/** Orders that a text leads to, newest first: a person or a code only for whoever may look for those. */
export async function findOrdersOf(ctx: OperatorCtx, text: string): Promise<string[]> {
  requirePermission(ctx, 'order.read')
  const units = mayDo(ctx.operator, 'key.read')
    ? await findUnitsOfCode(ctx.db, (identity) => ctx.keys.mac('card key', identity), text)
    : []
  return findOrderNumbers(ctx.db, text, units, mayDo(ctx.operator, 'shopper.read'))
}

interface OrderSearch {
  /** Stands for what was looked for in an address: it tells nobody else what that was, and opens for nobody else. */
  readonly handle: string
  readonly numbers: readonly string[]
}

/** Looks for orders, and writes down that somebody did, and how many were shown; never what was typed. */
export async function searchOrders(ctx: OperatorCtx, text: string): Promise<OrderSearch> {
  const numbers = await findOrdersOf(ctx, text)
  await transaction(ctx, (tx) =>
    recordAct(tx, ctx, {
      action: 'orders_sought',
      subject: 'shop_order',
      subjectCode: '',
      after: { found: String(numbers.length) },
    }),
  )
  const sought = JSON.stringify([ctx.operator.id, ctx.now().getTime(), text])
  return {
    handle: ctx.keys.seal(PURPOSE, Buffer.from(sought)).toString('base64url'),
    numbers,
  }
}

/** What was looked for; null for a handle that is somebody else's, too old or none. */
export function openSearch(ctx: OperatorCtx, handle: string): string | null {
  const told = readHandle(ctx, handle)
  if (!Array.isArray(told)) return null
  const [operatorId, at, text] = told
  const isOwn = operatorId === ctx.operator.id && typeof at === 'number'
  return isOwn && ctx.now().getTime() - at < KEPT_MS && typeof text === 'string' ? text : null
}

function readHandle(ctx: OperatorCtx, handle: string): unknown {
  try {
    return JSON.parse(ctx.keys.open(PURPOSE, Buffer.from(handle, 'base64url')).toString())
  } catch {
    return null
  }
}
