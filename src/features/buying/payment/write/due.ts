import { sql, type Selectable } from 'kysely'
import { expireTogether, lockExpiring } from '#features/buying/order/commands.ts'
import { STORE_CREDIT } from '#features/goods/pay-method/rules.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { PaymentAttemptTable } from '#platform/tables.ts'
import { attemptOf, type Attempt } from '../queries.ts'
import { endsByItself, isOpen, nextCheck, type PaymentStatus } from '../rules.ts'

/** Longer than a question to a provider takes: whoever has a payment for so long has died. */
const LEASE_MS = 60_000
/** Until a payment that may still bring money is asked about again after its provider did not answer. A breaker spares the provider. */
const NO_ANSWER_MS = 45_000

/**
 * Payments about which their provider is to be asked now; nobody else gets them meanwhile. Those that may still bring money come first:
 * half of them due longest, half of them only just, whose payers wait, whatever has piled up before them. Late looks at those that came
 * to nothing have what room is left.
 */
export async function takeDueAttempts(
  ctx: Ctx,
  provider: string,
  limit: number,
): Promise<Attempt[]> {
  const now = ctx.now()
  const open = sql`provider = ${provider} and check_at <= ${now} and status in ('created', 'requires_action', 'seen', 'authorised')`
  const { rows } = await sql<Selectable<PaymentAttemptTable>>`
    with newest as materialized (
      select id from payment_attempt where ${open} order by check_at desc limit ${Math.ceil(limit / 2)} for no key update skip locked
    ), oldest as materialized (
      select id from payment_attempt where ${open} order by check_at limit ${limit} for no key update skip locked
    ), late as materialized (
      select id from payment_attempt where provider = ${provider} and check_at <= ${now} and status not in ('created', 'requires_action', 'seen', 'authorised')
      order by check_at limit greatest(0, ${limit} - (select count(*) from oldest)) for no key update skip locked
    )
    update payment_attempt set check_at = ${new Date(now.getTime() + LEASE_MS)}
    where id in (select id from newest union (select id from oldest limit ${limit} - (select count(*) from newest)) union select id from late) returning payment_attempt.*`.execute(
    ctx.db,
  )
  return rows.map(attemptOf)
}

/** Puts the question to a provider off: it could not be asked. */
export async function postponeCheck(ctx: Ctx, attempt: Attempt): Promise<void> {
  const now = ctx.now()
  await ctx.db
    .updateTable('payment_attempt')
    .set(
      isOpen(attempt.status)
        ? { check_at: new Date(now.getTime() + NO_ANSWER_MS) }
        : {
            checks: sql`least(checks + 1, 32000)`,
            check_at: nextCheck(attempt.status, attempt.checks, attempt.createdAt, now),
          },
    )
    .where('id', '=', attempt.id)
    .execute()
}

/** Has a sweep ask about a payment of which something has become known, whatever becomes of who does it now. */
export async function askSoon(tx: Tx, ctx: Pick<Ctx, 'now'>, attemptId: string): Promise<void> {
  await tx
    .updateTable('payment_attempt')
    .set({ check_at: ctx.now() })
    .where('id', '=', attemptId)
    .execute()
}

/** Credit was taken for an attempt `p`, as the books say: it is not over, whatever was noted of it. */
const IS_TAKEN = sql`exists (select from ledger_transfer t where t.source = 'spend' and t.source_id = p.id)`

export interface Overdue {
  readonly orderId: string
  /** To the last digit, as the page after it begins there. */
  readonly expiresAt: string
}

/** Orders past their time whose open payment ends by itself, behind `last`, as `endsByItself` has it. */
export async function listEndingByThemselves(
  db: Db,
  now: Date,
  last: Overdue | null,
  limit: number,
): Promise<Overdue[]> {
  const { rows } = await sql<Overdue>`
    select o.id as "orderId", o.expires_at::text as "expiresAt" from shop_order o
    join payment_attempt p on p.order_id = o.id and p.status in ('created', 'requires_action', 'seen', 'authorised')
    where o.status in ('pending_payment', 'waiting_for_payment') and o.status = 'waiting_for_payment' and o.expires_at <= ${now}
      and (o.expires_at, o.id) > (${last?.expiresAt ?? '-infinity'}::timestamptz, ${last?.orderId ?? '00000000-0000-0000-0000-000000000000'}::uuid)
      and ((p.status = 'created' and p.provider_reference is null) or (p.status in ('created', 'requires_action') and o.expires_at <= ${endsByItself(now)}))
      and not (p.provider = ${STORE_CREDIT} and ${IS_TAKEN})
    order by o.expires_at, o.id limit ${limit}`.execute(db)
  return rows
}

/**
 * Ends orders past their time without their provider: it never told of the payment, so that nobody was ever sent there, or it has
 * been away so long that the goods go back to the shelf. Of the latter it is still asked. Money that comes nevertheless is late money.
 * What has taken credit is left to be booked.
 */
export async function endTogether(ctx: Ctx, orderIds: readonly string[]): Promise<number> {
  return transaction(ctx, async (tx, now) => {
    const locked = await lockExpiring(tx, ctx, orderIds, 'waiting_for_payment')
    // A statement of its own: what the books say is read once nobody can take any more.
    const { rows: open } = await sql<{ id: string }>`
      select id from payment_attempt where order_id = any(${locked}::uuid[]) and status in ('created', 'requires_action') order by order_id for no key update`.execute(
      tx,
    )
    const { rows } = await sql<{ orderId: string }>`
      with attempt as materialized (
        select p.id, p.order_id, p.status = 'created' and p.provider_reference is null as is_unheard, o.expires_at from payment_attempt p join shop_order o on o.id = p.order_id
        where p.id = any(${open.map(({ id }) => id)}::uuid[]) and not (p.provider = ${STORE_CREDIT} and ${IS_TAKEN})
      ), ended as (
        update payment_attempt p set status = 'expired', failure = 'never begun at its provider', check_at = null, updated_at = ${now} from attempt where p.id = attempt.id and attempt.is_unheard
      )
      select order_id as "orderId" from attempt where is_unheard or expires_at <= ${endsByItself(now)}`.execute(
      tx,
    )
    await expireTogether(
      tx,
      ctx,
      rows.map(({ orderId }) => orderId),
    )
    return rows.length
  })
}

/** Such an order alone. @returns false where there was nothing to end */
export const endByItself = async (ctx: Ctx, orderId: string): Promise<boolean> =>
  (await endTogether(ctx, [orderId])) > 0

/** A payment past its time that its provider has ended, with no money in it. */
export interface EndedUnpaid {
  readonly attemptId: string
  readonly orderId: string
  readonly reference: string
  readonly status: Extract<PaymentStatus, 'failed' | 'voided' | 'expired'>
  readonly failure: string | null
  readonly checkAt: Date | null
}

/**
 * Closes payments past their time whose provider has ended them, and their orders with them, several in one transaction.
 * @returns of those that could be; the rules decide the others
 */
export async function closeEnded(
  ctx: Ctx,
  ended: readonly EndedUnpaid[],
): Promise<ReadonlySet<string>> {
  return transaction(ctx, async (tx, now) => {
    const locked = new Set(
      await lockExpiring(
        tx,
        ctx,
        ended.map(({ orderId }) => orderId),
        'waiting_for_payment',
      ),
    )
    const mine = JSON.stringify(ended.filter(({ orderId }) => locked.has(orderId)))
    const { rows } = await sql<{ id: string; orderId: string }>`
      with told as (select * from jsonb_to_recordset(${mine}::jsonb) as t ("attemptId" uuid, reference text, status text, failure text, "checkAt" timestamptz))
      update payment_attempt p set status = told.status, failure = left(told.failure, 200), checks = least(p.checks + 1, 32000), check_at = told."checkAt", updated_at = ${now}
      from told where p.id = told."attemptId" and p.provider_reference = told.reference and p.captured_minor = 0 and p.status in ('created', 'requires_action')
      returning p.id, p.order_id as "orderId"`.execute(tx)
    await expireTogether(
      tx,
      ctx,
      rows.map(({ orderId }) => orderId),
    )
    return new Set(rows.map(({ id }) => id))
  })
}
