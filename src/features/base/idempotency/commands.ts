import { sql } from 'kysely'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { requestText } from './write/request.ts'

export { answerOnce } from './write/of-operator.ts'
export { requestText }

export interface KeyedRequest {
  readonly accountId: string
  /** The caller's `Idempotency-Key`. */
  readonly key: string
  readonly call: string
  /** The currency the call was sent in: an order in another one is another order. */
  readonly currency: string
  /** What was sent, without the proof of identity: that may be a code for one use. */
  readonly input: unknown
}

/** A key as a running call holds it. Whoever takes it over writes another time, which fences the earlier holder off. */
export interface Claim {
  readonly accountId: string
  readonly key: string
  readonly claimedAt: Date
}

export interface StoredAnswer {
  readonly status: number
  readonly answer: unknown
}

/** A claim whose process died may be taken over by the same request after this long. A process that only slept writes no more. */
const STALE_AFTER_MS = 30_000

/** Envelope code of a call that did what it was asked for. */
const HAPPENED = '1'

interface Row {
  readonly is_mine: boolean
  readonly call: string
  readonly request_hash: Buffer
  readonly status: number | null
  readonly answer: unknown
}

/**
 * Claims a key for a call about to run, or finds what that call answered when it ran before. A refusal kept by a release that kept
 * them counts as none. Throws 'conflict' when the key stands for another request, 'still_running' while this one runs.
 */
export async function claimKey(ctx: Ctx, request: KeyedRequest): Promise<Claim | StoredAnswer> {
  const claimedAt = ctx.now()
  const hash = hashOf(ctx, request)
  const { rows } = await sql<Row>`
    with claimed as (
      insert into idempotency_key (account_id, key, call, request_hash, created_at)
      values (${request.accountId}, ${request.key}, ${request.call}, ${hash}, ${claimedAt})
      on conflict (account_id, key) do update
        set call = excluded.call, request_hash = excluded.request_hash, created_at = excluded.created_at, status = null, answer = null
        where idempotency_key.answer->>'code' <> ${HAPPENED}
          or idempotency_key.status is null and idempotency_key.created_at < ${new Date(claimedAt.getTime() - STALE_AFTER_MS)}
            and idempotency_key.call = excluded.call and idempotency_key.request_hash = excluded.request_hash
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
  if (!found) throw new AppError('still_running')
  if (found.is_mine) return { accountId: request.accountId, key: request.key, claimedAt }
  if (found.call !== request.call || !found.request_hash.equals(hash))
    throw new AppError('conflict')
  if (found.status === null) throw new AppError('still_running')
  return { status: found.status, answer: found.answer }
}

/**
 * Throws 'still_running' when the key was taken over meanwhile; otherwise nobody takes it before this transaction ends. So a call
 * that slept past its claim writes nothing beside the call that runs in its place.
 */
export async function assertClaimed(tx: Tx, { accountId, key, claimedAt }: Claim): Promise<void> {
  const held = await tx
    .selectFrom('idempotency_key')
    .select('key')
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .where('created_at', '=', claimedAt)
    .where('status', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!held) throw new AppError('still_running')
}

/** Keeps what the call answered, for its repetitions; nothing when the key was taken over. */
export async function saveAnswer(
  { db }: Pick<Ctx, 'db'>,
  { accountId, key, claimedAt }: Claim,
  { status, answer }: StoredAnswer,
): Promise<void> {
  await db
    .updateTable('idempotency_key')
    .set({ status, answer: JSON.stringify(answer) })
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .where('created_at', '=', claimedAt)
    .where('status', 'is', null)
    .execute()
}

/** Gives a key back after a call that did nothing, so that the caller may send it again. */
export async function releaseKey(
  { db }: Pick<Ctx, 'db'>,
  { accountId, key, claimedAt }: Claim,
): Promise<void> {
  await db
    .deleteFrom('idempotency_key')
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .where('created_at', '=', claimedAt)
    .where('status', 'is', null)
    .execute()
}

export async function deleteOldKeys(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('idempotency_key').where('created_at', '<', before).execute()
  await db.deleteFrom('operator_answer').where('created_at', '<', before).execute()
}

export async function eraseIdempotencyKeys(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('idempotency_key').where('account_id', '=', accountId).execute()
}

/** Keyed: the input may hold a password, which a plain hash would let anybody with the table guess. */
function hashOf({ keys }: Pick<Ctx, 'keys'>, request: KeyedRequest): Buffer {
  return keys.mac('idempotency', requestText(request))
}
