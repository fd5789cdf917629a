import { sql } from 'kysely'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { releaseKeys } from '#features/buying/vault/commands.ts'
import { isAppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { sweep } from '#platform/sweep.ts'
import { KEYS_KEPT_HOURS, UNDERPAID_DAYS, WRONG_CURRENCY_HOURS } from '../rules.ts'
import { ACCEPTING } from './recall.ts'
import { returnHeldMoney } from './surplus.ts'

interface HeldOrder {
  readonly id: string
  readonly hold: 'underpaid' | 'wrong_currency'
  readonly isKeysDue: boolean
  readonly isReturnDue: boolean
}

const A_PAGE = 100

/**
 * Ends what waits for money that does not come: a while after the last of it, the keys kept for the order go on to others, and later all
 * that came goes back to where it came from, which its buyer is told. Money that comes in between pays for the order where its goods are
 * still there. @returns for how many orders something was done
 */
export async function endHolds(ctx: Ctx, signal?: AbortSignal): Promise<number> {
  return sweep<HeldOrder>(ctx, {
    what: 'an order that holds money and was not paid by it',
    name: ({ id }) => id,
    signal,
    next: (last) => listDue(ctx, last),
    work: async (held) => {
      if (held.isKeysDue) await freeKeys(ctx, held)
      if (!held.isReturnDue) return true
      return returnHeldMoney(
        ctx,
        held.id,
        held.hold === 'underpaid' ? 'paid_too_little' : 'wrong_currency',
      ).then(
        () => true,
        // It was paid, or given back, a moment ago.
        (error: unknown) => {
          if (isAppError(error) && error.code === 'order_closed') return false
          throw error
        },
      )
    },
  })
}

async function listDue(ctx: Ctx, last: HeldOrder | null): Promise<readonly HeldOrder[]> {
  const now = ctx.now()
  const { rows } = await sql<HeldOrder>`
    with held as (
      select o.id, o.number, o.hold, came.at, came.at < ${now}::timestamptz - make_interval(hours => ${KEYS_KEPT_HOURS}) as is_late from shop_order o
      cross join lateral (select e.at from order_event e where e.order_id = o.id and e.reason in ('underpaid', 'wrong_currency') order by e.seq desc limit 1) as came
      where o.status = 'processing' and o.settled_at is null and o.hold in ('underpaid', 'wrong_currency') and ${last === null ? sql`true` : sql`o.id > ${last.id}`}
    ), due as (
      select h.id, h.hold,
        h.is_late and exists (select from card_key k join order_unit u on u.id = k.unit_id where u.order_id = h.id and k.status = 'claimed') as "isKeysDue",
        h.at < ${now}::timestamptz - case h.hold when 'underpaid' then make_interval(days => ${UNDERPAID_DAYS}) else make_interval(hours => ${WRONG_CURRENCY_HOURS}) end
          and not exists (select from order_event e where e.order_id = h.id and e.reason = 'money_returned' and e.at > h.at)
          and not exists (select from payment_attempt p where p.order_id = h.id and p.is_disputed)
          and not exists (select from operator_act a where a.kind = any(${[...ACCEPTING]}::text[]) and a.subject = h.number and a.status = 'waiting' and a.ends_at > ${now}) as "isReturnDue"
      from held h
    )
    select * from due where "isKeysDue" or "isReturnDue" order by id limit ${A_PAGE}`.execute(
    ctx.db,
  )
  return rows
}

/** The goods stay the order's to have: they are reserved anew when the rest comes. */
async function freeKeys(ctx: Ctx, { id, hold }: HeldOrder): Promise<void> {
  await transaction(ctx, async (tx) => {
    const order = await lockOrderById(tx, id)
    if (order.settledAt !== null || order.hold !== hold) return
    const units = await tx
      .selectFrom('order_unit')
      .select('id')
      .where('order_id', '=', id)
      .where('status', '=', 'queued')
      .where('delivery', '=', 'card_key')
      .execute()
    await releaseKeys(
      tx,
      units.map((unit) => unit.id),
    )
  })
}
