import { sql } from 'kysely'
import { refundUnits } from '#features/buying/fulfilment/commands.ts'
import { changeOrder, moveUnits, setLineFields } from '#features/buying/order/commands.ts'
import { lockOrder } from '#features/buying/order/queries.ts'
import { readFields } from '#features/buying/offer/queries.ts'
import { findProduct } from '#features/goods/browse/queries.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { sweep } from '#platform/sweep.ts'

export interface Correction {
  readonly accountId: string
  /** Public id of the order. */
  readonly order: string
  /** Public id of a unit; all of its line that wait are meant. */
  readonly unit: string
  readonly fields: Readonly<Record<string, string>>
}

/**
 * A buyer has corrected what their line needs: its units are bought again, for the same money. Throws 'not_found' for what is not theirs,
 * 'order_closed' where nothing of the line waits for that, 'check_fields' for what cannot be right either.
 */
export async function correctUnits(
  ctx: Ctx,
  shop: ShopSnapshot,
  { accountId, order: publicId, unit: named, fields }: Correction,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const order = await lockOrder(tx, accountId, publicId)
    const units = await tx
      .selectFrom('order_unit as u')
      .innerJoin('order_line as l', 'l.id', 'u.line_id')
      .select(['u.id', 'l.id as line_id', 'l.position', 'l.product', 'l.account_fields'])
      .where('u.order_id', '=', order.id)
      .where('u.line_id', '=', ({ selectFrom }) =>
        selectFrom('order_unit')
          .select('line_id')
          .where('public_id', '=', named)
          .where('order_id', '=', order.id),
      )
      .where('u.status', '=', 'needs_input')
      .orderBy('u.id')
      .forNoKeyUpdate('u')
      .execute()
    const [first] = units
    if (!first) throw new AppError('order_closed')
    await setLineFields(tx, first.line_id, readCorrection(shop, first, fields))
    const ids = units.map(({ id }) => id)
    await moveUnits(tx, order.id, 'needs_input', 'queued', ids)
    await changeOrder(
      tx,
      ctx,
      order,
      {},
      { reason: 'input_corrected', details: { line: first.position, units: ids.length } },
    )
  })
}

/** By the rules of the product, as when it was bought; of one that is sold no more, what it asked for then. */
function readCorrection(
  shop: ShopSnapshot,
  line: { readonly product: string; readonly account_fields: unknown },
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const product = findProduct(shop, line.product)
  if (product === null) {
    const asked = Object.keys(line.account_fields as object)
    const missing = asked.filter((key) => !given[key]?.trim())
    if (missing.length > 0) throw fieldError(`fields.${missing[0]}`, 'required')
    return Object.fromEntries(asked.map((key) => [key, given[key]?.trim() ?? '']))
  }
  const read = readFields(shop, product, given)
  if ('values' in read) return read.values
  throw new AppError(
    'check_fields',
    {},
    {
      fields: read.problems.map(({ key, ...problem }) => ({ field: `fields.${key}`, ...problem })),
    },
  )
}

const A_PAGE = 200

interface ExpiredInput {
  readonly unitId: string
  readonly orderId: string
  readonly until: string
}

/** Gives the price back of what nobody has corrected in time. @returns how many units that were */
export async function expireInputs(ctx: Ctx): Promise<number> {
  return sweep<ExpiredInput>(ctx, {
    what: 'a unit that waits for its buyer',
    name: ({ unitId }) => unitId,
    next: async (last) => {
      const { rows } = await sql<ExpiredInput>`
        select id as "unitId", order_id as "orderId", input_until::text as until from order_unit
        where status = 'needs_input' and input_until <= ${ctx.now()} and (input_until, id) > (${last?.until ?? '-infinity'}::timestamptz, ${last?.unitId ?? '00000000-0000-0000-0000-000000000000'}::uuid)
        order by input_until, id limit ${A_PAGE}`.execute(ctx.db)
      return rows
    },
    work: ({ orderId, unitId }) => refundUnits(ctx, orderId, [unitId], 'not_delivered'),
  })
}
