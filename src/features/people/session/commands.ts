import { sql } from 'kysely'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { deviceOf } from '#platform/http/device-name.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { newPublicId, newSecret, sha256 } from '#platform/secrets.ts'
import {
  ABSOLUTE_MS,
  IDLE_MS,
  KNOWN_DEVICE_MS,
  KNOWN_DEVICES_MAX,
  SESSIONS_MAX,
  type Person,
  type SessionSecrets,
} from './rules.ts'

export interface NewSession {
  readonly accountId: string
  readonly visitor: Visitor
  /** The session the caller came with: it ends, whoever's it was, so that nobody can plant one. */
  readonly replaces?: string | null
  /** False when signing in says nothing about who sits there now (another service remembered them): no sensitive action yet. */
  readonly proved?: boolean
}

export interface StartedSession extends SessionSecrets {
  readonly sessionId: string
  /** The account was used before, but never from this browser, system and network. */
  readonly onNewDevice: boolean
}

/** Starts a session with a token and a handle never used before. Of both, only the hashes are kept. */
export async function startSession(tx: Tx, ctx: Ctx, wanted: NewSession): Promise<StartedSession> {
  const now = ctx.now()
  const device = deviceOf(wanted.visitor.userAgent)
  const secrets = newSecrets(ctx)
  const sessionId = ctx.newId()
  if (wanted.replaces) await endSession(tx, wanted.replaces)
  await tx
    .insertInto('session')
    .values({
      id: sessionId,
      public_id: newPublicId(ctx),
      account_id: wanted.accountId,
      token_hash: sha256(secrets.token),
      handle_hash: sha256(secrets.handle),
      ...device,
      network: wanted.visitor.network,
      created_at: now,
      seen_at: now,
      handle_seen_at: now,
      expires_at: new Date(now.getTime() + ABSOLUTE_MS),
      proved_at: wanted.proved === false ? new Date(0) : now,
    })
    .execute()
  const onNewDevice = await isNewDevice(
    tx,
    wanted.accountId,
    fingerprintOf(ctx, wanted, device),
    now,
  )
  await keepNewest(tx, wanted.accountId)
  return { ...secrets, sessionId, onNewDevice }
}

/** Ends an account's oldest sessions and forgets its oldest devices beyond what one person may have. */
async function keepNewest(tx: Tx, accountId: string): Promise<void> {
  await sql`
    with ended as (
      delete from session where id in (select id from session where account_id = ${accountId} order by seen_at desc, id desc offset ${SESSIONS_MAX}::integer)
    )
    delete from known_device where account_id = ${accountId} and fingerprint in (
      select fingerprint from known_device where account_id = ${accountId} order by seen_at desc offset ${KNOWN_DEVICES_MAX}::integer)`.execute(
    tx,
  )
}

function fingerprintOf(
  ctx: Pick<Ctx, 'keys'>,
  wanted: NewSession,
  device: ReturnType<typeof deviceOf>,
): Buffer {
  return ctx.keys.mac(
    'known device',
    JSON.stringify([wanted.accountId, device.browser, device.system, wanted.visitor.network]),
  )
}

/** Of an account that knows no device yet, the first one is no news. */
async function isNewDevice(
  tx: Tx,
  accountId: string,
  fingerprint: Buffer,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ known: boolean; others: boolean }>`
    with before as (
      select coalesce(bool_or(fingerprint = ${fingerprint}), false) as known, count(*) > 0 as others from known_device where account_id = ${accountId}
    ), noted as (
      insert into known_device (account_id, fingerprint, seen_at) values (${accountId}, ${fingerprint}, ${now})
      on conflict (account_id, fingerprint) do update set seen_at = excluded.seen_at
    )
    select known, others from before
  `.execute(tx)
  return rows[0]?.others === true && !rows[0].known
}

/** The session goes on under a new token and handle; the old ones are dead at once. */
export async function rotateSession(
  tx: Tx,
  ctx: Pick<Ctx, 'random'>,
  sessionId: string,
): Promise<SessionSecrets> {
  const secrets = newSecrets(ctx)
  await tx
    .updateTable('session')
    .set({ token_hash: sha256(secrets.token), handle_hash: sha256(secrets.handle) })
    .where('id', '=', sessionId)
    .execute()
  return secrets
}

/** Notes that the person at this session has just proved to be its owner; token and handle change. */
export async function recordProof(
  tx: Tx,
  ctx: Pick<Ctx, 'random' | 'now'>,
  sessionId: string,
): Promise<SessionSecrets> {
  await tx
    .updateTable('session')
    .set({ proved_at: ctx.now() })
    .where('id', '=', sessionId)
    .execute()
  return rotateSession(tx, ctx, sessionId)
}

export async function endSession(tx: Tx, sessionId: string): Promise<void> {
  await tx.deleteFrom('session').where('id', '=', sessionId).execute()
}

/** Ends one of the account's own sessions by its public id. False when it has no such session. */
export async function endListedSession(
  tx: Tx,
  person: Pick<Person, 'accountId'>,
  publicId: string,
): Promise<boolean> {
  const ended = await tx
    .deleteFrom('session')
    .where('account_id', '=', person.accountId)
    .where('public_id', '=', publicId)
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

/** Ends every session of an account, or every one but the given. Returns how many. */
export async function endSessions(
  tx: Tx,
  accountId: string,
  exceptSessionId?: string,
): Promise<number> {
  const ended = await tx
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .$if(exceptSessionId !== undefined, (query) => query.where('id', '!=', exceptSessionId ?? ''))
    .returning('id')
    .execute()
  return ended.length
}

/** Ends every session of everybody. Returns how many. */
export async function endAllSessions({ db }: Pick<Ctx, 'db'>): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('session').executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Sessions that nobody can use any more, and devices not seen for long. */
export async function forgetEndedSessions({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const before = (milliseconds: number) => new Date(now().getTime() - milliseconds)
  await db
    .deleteFrom('session')
    .where((session) =>
      session.or([session('expires_at', '<=', now()), session('seen_at', '<=', before(IDLE_MS))]),
    )
    .execute()
  await db.deleteFrom('known_device').where('seen_at', '<=', before(KNOWN_DEVICE_MS)).execute()
}

/** Nothing is left of where the person signed in. */
export async function eraseSession(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('session').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('known_device').where('account_id', '=', accountId).execute()
}

function newSecrets(ctx: Pick<Ctx, 'random'>): SessionSecrets {
  return { token: newSecret(ctx), handle: newSecret(ctx) }
}
