import { sql } from 'kysely'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { Keys } from '#platform/keys.ts'
import { mayBeOther, openValues, type AccountChange } from '../engine/settings.ts'

const DAY_MS = 86_400_000
/** A process that has not heard of the new settings yet begins payments with the old ones for some seconds. */
const AT_LEAST_MS = DAY_MS
/** A bank may dispute a payment for months; longer than this nothing is kept. */
export const FORMER_DAYS = 180

/**
 * What holds until now is kept where money goes to another account from now on, for payments that were begun at the old one. Keys that are
 * replaced by others of the same account are not: they may be replaced because somebody else has them.
 */
export async function keepFormer(
  tx: Tx,
  keys: Keys,
  now: Date,
  code: string,
  accounts: AccountChange,
): Promise<void> {
  if (!mayBeOther(accounts)) return
  const row = await tx
    .selectFrom('payment_service')
    .select(['version', 'sealed'])
    .where('code', '=', code)
    .executeTakeFirst()
  if (!row?.sealed || openValues(keys, code, row.sealed) === null) return
  await tx
    .insertInto('payment_service_former')
    .values({
      code,
      version: row.version,
      sealed: row.sealed,
      account_id: accounts.before?.id ?? null,
      account_name: accounts.before?.name ?? null,
      replaced_at: now,
    })
    .execute()
}

/** Who takes a service's settings away takes away all that is kept of it. */
export async function forgetFormerOf(tx: Tx, code: string): Promise<void> {
  await tx.deleteFrom('payment_service_former').where('code', '=', code).execute()
}

/** Keys of a replaced account go once none of its payments is open, given back or disputed, or holds money of an order that it has not paid; and in the end in any case. */
export async function forgetFormer({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const at = now().getTime()
  await sql`
    delete from payment_service_former f where f.replaced_at < ${new Date(at - FORMER_DAYS * DAY_MS)} or (f.replaced_at < ${new Date(at - AT_LEAST_MS)}
      and not exists (select from payment_attempt p where p.provider = f.code and p.check_at is not null
        and p.status in ('created', 'requires_action', 'seen', 'authorised') and p.created_at < f.replaced_at + interval '1 minute')
      and not exists (select from payment_attempt p where p.provider = f.code and p.is_disputed and p.created_at < f.replaced_at + interval '1 minute')
      and not exists (select from refund r join payment_attempt p on p.id = r.attempt_id where p.provider = f.code
        and r.status in ('requested', 'approved', 'submitted', 'unknown') and p.created_at < f.replaced_at + interval '1 minute')
      and not exists (select from payment_attempt p join shop_order o on o.id = p.order_id where p.provider = f.code and p.status = 'captured'
        and o.settled_at is null and (o.captured_minor > o.refunded_minor or o.hold = 'wrong_currency') and p.created_at < f.replaced_at + interval '1 minute'))`.execute(
    db,
  )
}
