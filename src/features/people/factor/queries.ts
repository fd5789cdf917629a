import { sql } from 'kysely'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { SEAL } from './rules.ts'

/** Whether signing in with a password asks for a code too. */
export async function hasSecondFactor(db: Db | Tx, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('second_factor')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

export interface SecondFactorState {
  readonly isOn: boolean
  readonly confirmedAt: Date | null
  readonly recoveryCodesLeft: number
}

export async function readSecondFactor(db: Db | Tx, accountId: string): Promise<SecondFactorState> {
  const factor = await db
    .selectFrom('second_factor')
    .select('confirmed_at')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const left = await db
    .selectFrom('recovery_code')
    .select((row) => row.fn.countAll<string>().as('codes'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  const confirmedAt = factor?.confirmed_at ?? null
  return { isOn: confirmedAt !== null, confirmedAt, recoveryCodesLeft: Number(left.codes) }
}

export interface Passkey {
  /** Public id. */
  readonly id: string
  readonly name: string
  /** Kept by a service that copies it to the person's other devices. */
  readonly isBackedUp: boolean
  readonly createdAt: Date
  readonly usedAt: Date | null
}

/** Newest first. */
export async function listPasskeys(db: Db | Tx, accountId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(['public_id', 'name', 'is_backed_up', 'created_at', 'used_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.public_id,
    name: row.name,
    isBackedUp: row.is_backed_up,
    createdAt: row.created_at,
    usedAt: row.used_at,
  }))
}

/** Names and dates; no key, no seed. */
export async function exportFactors(
  db: Db | Tx,
  accountId: string,
): Promise<Record<string, unknown>[]> {
  const passkeys = await listPasskeys(db, accountId)
  const factor = await readSecondFactor(db, accountId)
  return [
    ...passkeys.map((passkey) => ({
      kind: 'passkey',
      name: passkey.name,
      added: passkey.createdAt.toISOString(),
      used: passkey.usedAt?.toISOString() ?? null,
      backed_up: passkey.isBackedUp,
    })),
    ...(factor.isOn
      ? [
          {
            kind: 'authenticator_app',
            added: factor.confirmedAt?.toISOString() ?? null,
            recovery_codes_left: factor.recoveryCodesLeft,
          },
        ]
      : []),
  ]
}

/** What is about to be taken away; ids of rows. */
export interface WayIn {
  readonly passkey?: string
  readonly identity?: string
}

/**
 * Whether the person could still sign in without `taken`: with a password, a linked service or a passkey. Holds the account's
 * row until the transaction ends, so that the last two ways cannot be taken away side by side.
 */
export async function hasOtherWayIn(tx: Tx, accountId: string, taken: WayIn): Promise<boolean> {
  // First the lock, then the question: one statement for both would look at the moment before it waited.
  await sql`select from account where id = ${accountId} for no key update`.execute(tx)
  const { rows } = await sql<{ has_other: boolean }>`select password_hash is not null
      or exists (select from passkey where account_id = account.id and id is distinct from ${taken.passkey ?? null}::uuid)
      or exists (select from linked_identity where account_id = account.id and id is distinct from ${taken.identity ?? null}::uuid) as has_other
    from account where id = ${accountId}`.execute(tx)
  return rows[0]?.has_other ?? false
}

export interface PasskeyOwner {
  /** What authenticators give back when they sign, in base64url. */
  readonly userId: string
  readonly userName: string
  readonly nickname: string
  readonly credentials: readonly { readonly id: Buffer; readonly transports: readonly string[] }[]
}

/** Whom a new passkey is made for, with those they have. */
export async function getPasskeyOwner(db: Db, accountId: string): Promise<PasskeyOwner> {
  const account = await db
    .selectFrom('account')
    .select(['user_id', 'user_name', 'nickname'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const passkeys = await db
    .selectFrom('passkey')
    .select(['credential_id', 'transports'])
    .where('account_id', '=', accountId)
    .execute()
  return {
    userId: account.user_id,
    userName: account.user_name ?? '',
    nickname: account.nickname ?? '',
    credentials: passkeys.map((passkey) => ({
      id: passkey.credential_id,
      transports: passkey.transports,
    })),
  }
}

export interface Credential {
  /** Of its row. */
  readonly id: string
  readonly accountId: string
  readonly userId: string
  readonly publicKey: Buffer
  readonly counter: number
}

/** The passkey that an authenticator names; null for one that is not known here. */
export async function findCredential(db: Db, credentialId: Buffer): Promise<Credential | null> {
  const row = await db
    .selectFrom('passkey')
    .innerJoin('account', 'account.id', 'passkey.account_id')
    .select([
      'passkey.id',
      'passkey.account_id',
      'passkey.public_key',
      'passkey.counter',
      'account.user_id',
    ])
    .where('passkey.credential_id', '=', credentialId)
    .executeTakeFirst()
  return row
    ? {
        id: row.id,
        accountId: row.account_id,
        userId: row.user_id,
        publicKey: row.public_key,
        counter: Number(row.counter),
      }
    : null
}

/** What this key is known by. */
export function checkOfKey(keys: Ctx['keys']): Buffer {
  return keys.mac('program key', 'check')
}

/** What the shop's key is known by; null where that was never noted. */
export async function readCheckValue(db: Db): Promise<Buffer | null> {
  const row = await db.selectFrom('program_key').select('check_value').executeTakeFirst()
  return row?.check_value ?? null
}

/** Whether anything here was sealed with the shop's key, or is recognised by it for good. */
export async function isKeyNeeded(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    needed: boolean
  }>`select exists (select from second_factor) or exists (select from operator_totp) or exists (select from card_key)
    or exists (select from payment_service where sealed is not null) or exists (select from supplier_service where sealed is not null) as needed`.execute(
    db,
  )
  return rows[0]?.needed ?? false
}

/** Seeds of authenticator apps behind `last`, by account. */
export async function listSeeds(
  db: Db,
  last: string,
  limit: number,
): Promise<readonly { readonly accountId: string; readonly sealed: Buffer }[]> {
  return db
    .selectFrom('second_factor')
    .select(['account_id as accountId', 'sealed_seed as sealed'])
    .where('account_id', '>', last)
    .orderBy('account_id')
    .limit(limit)
    .execute()
}

const FIRST = '00000000-0000-0000-0000-000000000000'
const WITNESSES = 500
const WAY_ON =
  'Put back the key from your backup. If it is lost for good, docs/operating/rotate-secrets.md tells the way on.'

/** What is wrong with the shop's key, in a sentence; null where it is the one this shop was made with, or none is needed yet. */
export async function findKeyProblem(
  ctx: Pick<Ctx, 'db'>,
  keys: Ctx['keys'] | null,
): Promise<string | null> {
  if (keys === null)
    return (await isKeyNeeded(ctx.db))
      ? `secret.key is missing in DATA_DIR, and SECRET_KEY is not set: codes of authenticator apps, recovery codes, payment settings entered in the console and the doubles of card keys go by it. ${WAY_ON}`
      : null
  const noted = await readCheckValue(ctx.db)
  if (noted?.equals(checkOfKey(keys))) return null
  // A shop of before the check has noted none, and its seeds are the only witness.
  const isOther = noted === null ? !(await opensASeed(ctx, keys)) : await isKeyNeeded(ctx.db)
  return isOther
    ? `SECRET_KEY, or secret.key in DATA_DIR, is another one than this shop was made with: codes of authenticator apps, recovery codes, payment settings entered in the console and the doubles of card keys go by it. ${WAY_ON}`
    : null
}

async function opensASeed({ db }: Pick<Ctx, 'db'>, keys: Ctx['keys']): Promise<boolean> {
  const seeds = await listSeeds(db, FIRST, WITNESSES)
  return seeds.length === 0 || seeds.some(({ sealed }) => opens(keys, sealed))
}

/** Whether a sealed seed opens under these keys. */
export function opens(keys: Ctx['keys'], sealed: Buffer): boolean {
  try {
    keys.open(SEAL, sealed)
    return true
  } catch {
    return false
  }
}
