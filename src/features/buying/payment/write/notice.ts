import { sql } from 'kysely'
import type { Ctx } from '#platform/ctx.ts'
import { notifySoon } from '#platform/notifications.ts'
import { batchWrites } from '#platform/batched-writes.ts'
import { currentRequest } from '#platform/request-scope.ts'
import type { Notice } from '#providers/payment/provider.ts'
import { noticeDueAgain } from '../rules.ts'

/** Workers listen here for notices that have come. */
export const NOTICES_CHANNEL = 'payment_notices'

const TAKEN_MS = 30_000

const NOTICES_A_TRIP = 32

/**
 * Stores a verified notice before it is answered, and tells the workers. The stored row alone is the work: a word that is lost
 * delays it by a second. Notices that come at the same time are stored together. @returns false for one that came before
 */
export async function recordNotice(
  ctx: Ctx,
  provider: string,
  { eventId, kind, paymentReference }: Notice,
  body: Uint8Array,
): Promise<boolean> {
  const isNew = await storeNotice(ctx.db, {
    provider,
    eventId,
    kind,
    paymentReference,
    body: Buffer.from(body),
    at: ctx.now(),
    request: currentRequest()?.id ?? null,
  })
  if (isNew) notifySoon(ctx, NOTICES_CHANNEL)
  return isNew
}

interface StoredNotice extends Notice {
  readonly provider: string
  readonly body: Buffer
  readonly at: Date
  readonly request: string | null
}

const storeNotice = batchWrites(
  NOTICES_A_TRIP,
  async (db, notices: readonly StoredNotice[]): Promise<boolean[]> => {
    const column = <Name extends keyof StoredNotice>(name: Name) =>
      notices.map((notice) => notice[name])
    const { rows } = await sql<{ name: string }>`
    insert into provider_event (provider, event_id, kind, provider_reference, body, received_at, request_id)
    select * from unnest(${column('provider')}::text[], ${column('eventId')}::text[], ${column('kind')}::text[], ${column('paymentReference')}::text[], ${column('body')}::bytea[], ${column('at')}::timestamptz[], ${column('request')}::text[])
    on conflict (provider, event_id) do nothing returning provider || ' ' || event_id as name`.execute(
      db,
    )
    // Of two that are the same the first was stored.
    const stored = new Set(rows.map(({ name }) => name))
    return notices.map(({ provider, eventId }) => stored.delete(`${provider} ${eventId}`))
  },
)

export interface TakenNotice {
  readonly provider: string
  readonly eventId: string
  /** The provider's name for the payment it is about; null where it is about none. */
  readonly reference: string | null
  /** How often it could not be worked off. */
  readonly tries: number
  /** Id of the request that brought it. */
  readonly request: string | null
}

/**
 * Notices of a provider to be worked off, oldest first, that nobody else has; they are the caller's for half a minute. The claim does not wait for
 * the disk: should the server's machine fail, a claim that is lost leaves a notice to be taken again, and settling twice changes nothing.
 */
export async function takeNotices(
  ctx: Ctx,
  provider: string,
  limit: number,
): Promise<TakenNotice[]> {
  const now = ctx.now()
  const { rows } = await sql<TakenNotice>`
    with waiting as materialized (
      select provider, event_id from provider_event where provider = ${provider} and processed_at is null and due_at <= ${now} and (taken_until is null or taken_until <= ${now})
      order by due_at, received_at limit ${limit} for update skip locked
    )
    update provider_event set taken_until = ${new Date(now.getTime() + TAKEN_MS)} from waiting
    where provider_event.provider = waiting.provider and provider_event.event_id = waiting.event_id
    returning provider_event.provider, provider_event.event_id as "eventId", provider_event.provider_reference as reference, provider_event.tries, provider_event.request_id as request,
      set_config('synchronous_commit', 'off', true)`.execute(ctx.db)
  return rows.map(({ provider, eventId, reference, tries, request }) => ({
    provider,
    eventId,
    reference,
    tries,
    request,
  }))
}

/** A notice that could not be worked off moves behind the others of its provider, further each time. */
export async function putOffNotice(
  ctx: Ctx,
  { provider, eventId, tries }: TakenNotice,
): Promise<void> {
  await ctx.db
    .updateTable('provider_event')
    .set({
      taken_until: null,
      tries: Math.min(tries + 1, 1_000),
      due_at: noticeDueAgain(tries, ctx.now()),
    })
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .where('processed_at', 'is', null)
    .execute()
}

export async function closeNotice(
  ctx: Ctx,
  {
    provider,
    eventId,
    outcome,
  }: { readonly provider: string; readonly eventId: string; readonly outcome: string },
): Promise<void> {
  await ctx.db
    .updateTable('provider_event')
    .set({ processed_at: ctx.now(), outcome })
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .where('processed_at', 'is', null)
    .execute()
}

const REMOVED_AT_ONCE = 5_000

/** Takes away what is left of notices that were worked off and have lost their text: no service sends one again after so long. */
export async function removeOldNotices(
  { db }: Pick<Ctx, 'db'>,
  before: Date,
  signal?: AbortSignal,
): Promise<void> {
  for (let gone = 1n; gone > 0n && !signal?.aborted; ) {
    const { numAffectedRows = 0n } = await sql`delete from provider_event where ctid in (
      select ctid from provider_event where received_at < ${before} and processed_at is not null and body = '' limit ${REMOVED_AT_ONCE})`.execute(
      db,
    )
    gone = numAffectedRows
  }
}
