import { sql } from 'kysely'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { sha256 } from '#platform/secrets.ts'

export interface KeyedRequest {
  readonly accountId: string
  /** The caller's `Idempotency-Key`. */
  readonly key: string
  readonly call: string
  readonly input: unknown
}

export interface KeyedAnswer {
  readonly status: number
  readonly answer: unknown
}

/** A claim whose process died is free again after this long: no call lasts so long, as all that it asks of others ends sooner. */
const STALE_AFTER_MS = 30_000

/**
 * Claims a key for a call about to run: null when it is the first, the earlier answer when it ran before.
 * Throws AppError `conflict` when the key stands for another request, or that one is still running.
 */
export async function claimKey(ctx: Ctx, request: KeyedRequest): Promise<KeyedAnswer | null> {
  const now = ctx.now()
  const { rows } = await sql<{
    is_mine: boolean
    call: string
    request_hash: Buffer
    status: number | null
    answer: unknown
  }>`
    with claimed as (
      insert into idempotency_key (account_id, key, call, request_hash, created_at)
      values (${request.accountId}, ${request.key}, ${request.call}, ${hashOf(ctx, request)}, ${now})
      on conflict (account_id, key) do update set call = excluded.call, request_hash = excluded.request_hash, created_at = excluded.created_at
        where idempotency_key.status is null and idempotency_key.created_at < ${new Date(now.getTime() - STALE_AFTER_MS)}
      returning true as is_mine, call, request_hash, status, answer
    )
    select * from claimed
    union all
    select false, call, request_hash, status, answer from idempotency_key
    where account_id = ${request.accountId} and key = ${request.key} and not exists (select from claimed)`.execute(
    ctx.db,
  )
  const found = rows[0]
  // Nothing was claimed and nothing is there: the other claim was made after this statement began.
  if (!found) throw new AppError('conflict')
  if (found.is_mine) return null
  if (
    found.call !== request.call ||
    !found.request_hash.equals(hashOf(ctx, request)) ||
    found.status === null
  )
    throw new AppError('conflict')
  return { status: found.status, answer: found.answer }
}

/** Keeps what the call answered, for its repetitions. */
export async function keepAnswer(
  ctx: Ctx,
  request: Pick<KeyedRequest, 'accountId' | 'key'>,
  { status, answer }: KeyedAnswer,
): Promise<void> {
  await ctx.db
    .updateTable('idempotency_key')
    .set({ status, answer: JSON.stringify(answer) })
    .where('account_id', '=', request.accountId)
    .where('key', '=', request.key)
    .execute()
}

/** Gives a key back after a fault of ours, so that the caller may try again. */
export async function releaseKey(
  ctx: Ctx,
  request: Pick<KeyedRequest, 'accountId' | 'key'>,
): Promise<void> {
  await ctx.db
    .deleteFrom('idempotency_key')
    .where('account_id', '=', request.accountId)
    .where('key', '=', request.key)
    .where('status', 'is', null)
    .execute()
}

export async function deleteOldKeys(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('idempotency_key').where('created_at', '<', before).execute()
}

export async function eraseIdempotencyKeys(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('idempotency_key').where('account_id', '=', accountId).execute()
}

/** Keyed: the input may hold a password, which a plain hash would let anybody with the table guess. */
function hashOf({ keys }: Pick<Ctx, 'keys'>, { input }: KeyedRequest): Buffer {
  // A file counts by its hash: as JSON its bytes would take many times the room.
  return keys.mac(
    'idempotency',
    JSON.stringify(input ?? null, (_, value: unknown) =>
      value instanceof Uint8Array ? sha256(value).toString('hex') : value,
    ),
  )
}
