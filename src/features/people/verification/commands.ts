import { sql } from 'kysely'
import { giveShareBack, takeShare } from '#features/base/limit/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { newCode, newSecret, sha256 } from '#platform/secrets.ts'
import { securityEvent } from '#platform/security-log.ts'
import { toVerification, VERIFICATION_COLUMNS, type SecretQuery } from './queries.ts'
import {
  CODE_LIFE_MS,
  CODE_TRIES,
  isSecret,
  placeOf,
  SECRET_LIFE_MS,
  STRANGERS_CODES,
  STRANGERS_CODES_OF_ALL,
  USED_KEPT_MS,
  type CheckedCode,
  type CodeOwner,
  type Typing,
  type Verification,
  type VerificationPurpose,
} from './rules.ts'

export interface NewVerification {
  readonly purpose: VerificationPurpose
  readonly accountId: string | null
  /** Address or number the code is sent to; empty (any number may live side by side) where there is none. */
  readonly target: string
  readonly withCode: boolean
  readonly withSecret: boolean
  /** Plain JSON, given back at use. */
  readonly data?: Readonly<Record<string, unknown>>
  /** See `CodeOwner`. */
  readonly asker?: string | undefined
  /** Milliseconds; otherwise what the purpose is given. A code lives no longer than ten minutes. */
  readonly ttl?: number
}

/**
 * Makes a code, a secret, or both for one use. It takes the place of the one living for the same purpose, target and
 * account, whose code and secret are worth nothing from then on.
 */
export async function issueVerification(
  tx: Tx,
  ctx: Ctx,
  wanted: NewVerification,
): Promise<{ code?: string; secret?: string }> {
  const life = wanted.ttl ?? (wanted.withSecret ? SECRET_LIFE_MS[wanted.purpose] : CODE_LIFE_MS)
  const code = wanted.withCode ? newCode(ctx) : undefined
  const secret = wanted.withSecret ? newSecret(ctx) : undefined
  await writeLiving(tx, ctx, {
    ...wanted,
    life,
    codeHash: code === undefined ? null : codeHash(ctx, wanted, code),
    secretHash: secret === undefined ? null : sha256(secret),
  })
  return { ...(code === undefined ? {} : { code }), ...(secret === undefined ? {} : { secret }) }
}

/**
 * What stands where a code was asked for and none may be sent: nothing that can be typed fits it. A try is counted as with
 * one that was sent, so that how long a wrong one takes does not tell who has an account.
 */
export async function issueDecoy(tx: Tx, ctx: Ctx, owner: CodeOwner): Promise<void> {
  await writeLiving(tx, ctx, {
    ...owner,
    life: CODE_LIFE_MS,
    codeHash: Buffer.from(ctx.random(32)),
    secretHash: null,
  })
}

type Living = CodeOwner &
  Pick<NewVerification, 'data'> & {
    readonly life: number
    readonly codeHash: Buffer | null
    readonly secretHash: Buffer | null
  }

async function writeLiving(tx: Tx, ctx: Ctx, living: Living): Promise<void> {
  const now = ctx.now()
  await sql`
    insert into verification (id, purpose, account_id, target, code_hash, code_expires_at, secret_hash, expires_at, data, created_at)
    values (${ctx.newId()}, ${living.purpose}, ${living.accountId}, ${placeOf(living)},
      ${living.codeHash},
      ${living.codeHash === null ? null : new Date(now.getTime() + Math.min(living.life, CODE_LIFE_MS))},
      ${living.secretHash}, ${new Date(now.getTime() + living.life)},
      ${JSON.stringify(living.data ?? {})}::jsonb, ${now})
    on conflict (purpose, target, coalesce(account_id, '00000000-0000-0000-0000-000000000000')) where used_at is null and target <> ''
    do update set id = excluded.id, code_hash = excluded.code_hash, code_expires_at = excluded.code_expires_at, tries = 0,
      secret_hash = excluded.secret_hash, expires_at = excluded.expires_at, data = excluded.data, created_at = excluded.created_at
  `.execute(tx)
}

function codeHash({ keys }: Pick<Ctx, 'keys'>, owner: CodeOwner, code: string): Buffer {
  return keys.mac(
    'verification code',
    JSON.stringify([owner.purpose, owner.target, owner.accountId, code]),
  )
}

/**
 * Compares a code and counts a wrong one, at once and for good: in a statement of its own, before the caller opens its
 * transaction (one that waits inside another for a connection stops the pool). The right code is used up by `consumeCode`,
 * so that whatever else fails in that transaction leaves it living. Throws `check_fields` with `code_wrong`, the same for
 * a wrong, an old, a used and an absent one.
 * @param typing for a code that anybody may have asked for. A browser that asked spends the tries of its own code; others may
 * type any that was mailed, and their wrong tries, counted aside, spend nobody's: `too_many_requests` after a few
 */
export async function checkCode(
  ctx: Pick<Ctx, 'db' | 'now' | 'keys' | 'isLimited' | 'log'>,
  wanted: CodeOwner & { readonly code: string; readonly field?: string },
  typing?: Typing,
): Promise<CheckedCode> {
  const own = typing ? { ...wanted, asker: typing.device ?? '-' } : wanted
  const found = await tryOwnCode(ctx, own, wanted.code.trim())
  if (found?.isRight) return { verificationId: found.id }
  const id = typing && !found ? await tryAnyCode(ctx, wanted, typing) : null
  if (id === null) {
    securityEvent(ctx.log, 'code.refused', {
      purpose: wanted.purpose,
      ...(wanted.accountId === null ? {} : { account: wanted.accountId }),
    })
    throw fieldError(wanted.field ?? 'code', 'code_wrong')
  }
  return { verificationId: id }
}

async function tryOwnCode(
  ctx: Pick<Ctx, 'db' | 'now' | 'keys'>,
  owner: CodeOwner,
  code: string,
): Promise<{ readonly id: string; readonly isRight: boolean } | undefined> {
  const hash = codeHash(ctx, owner, code)
  const { rows } = await sql<{ id: string; isRight: boolean }>`
    update verification set tries = tries + (code_hash <> ${hash})::int
    where purpose = ${owner.purpose} and target = ${placeOf(owner)} and target <> '' and account_id is not distinct from ${owner.accountId}::uuid
      and used_at is null and code_expires_at > ${ctx.now()} and tries < ${CODE_TRIES}
    returning id, code_hash = ${hash} as "isRight"
  `.execute(ctx.db)
  return rows[0]
}

/** One of the codes mailed to the address, whoever asked: it was read in the owner's mailbox. */
async function tryAnyCode(
  ctx: Pick<Ctx, 'db' | 'now' | 'keys' | 'isLimited'>,
  owner: CodeOwner & { readonly code: string },
  { network }: Typing,
): Promise<string | null> {
  const shares = [
    { ...STRANGERS_CODES, key: `${owner.purpose} ${owner.target} ${network}` },
    { ...STRANGERS_CODES_OF_ALL, key: `${owner.purpose} ${owner.target}` },
  ]
  for (const [index, share] of shares.entries()) {
    const taken = await takeShare(ctx, share)
    if (taken.ok) continue
    for (const earlier of shares.slice(0, index)) await giveShareBack(ctx, earlier)
    throw new AppError('too_many_requests', { seconds: taken.seconds })
  }
  const row = await ctx.db
    .selectFrom('verification')
    .select('id')
    .where('code_hash', '=', codeHash(ctx, owner, owner.code.trim()))
    .where('purpose', '=', owner.purpose)
    .where('used_at', 'is', null)
    .where('code_expires_at', '>', ctx.now())
    .where('tries', '<', CODE_TRIES)
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  for (const share of shares) await giveShareBack(ctx, share)
  return row.id
}

/** Uses a checked code up, once: of many at the same time one gets it, the others `code_wrong`. */
export async function consumeCode(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  checked: CheckedCode,
  field = 'code',
): Promise<Verification> {
  const row = await tx
    .updateTable('verification')
    .set({ used_at: ctx.now() })
    .where('id', '=', checked.verificationId)
    .where('used_at', 'is', null)
    .returning(VERIFICATION_COLUMNS)
    .executeTakeFirst()
  if (!row) throw fieldError(field, 'code_wrong')
  return toVerification(row)
}

/** Uses a link or a ticket up, once. Throws `link_expired` for one that is old, used, or never was. */
export async function consumeSecret(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  query: SecretQuery,
): Promise<Verification> {
  const row = isSecret(query.secret)
    ? await tx
        .updateTable('verification')
        .set({ used_at: ctx.now() })
        .where('secret_hash', '=', sha256(query.secret))
        .where('purpose', '=', query.purpose)
        .where('used_at', 'is', null)
        .where('expires_at', '>', ctx.now())
        .returning(VERIFICATION_COLUMNS)
        .executeTakeFirst()
    : undefined
  if (!row) throw new AppError('link_expired')
  return toVerification(row)
}

/**
 * Counts a try with a ticket that something else must be typed for, in a statement of its own. Null when the ticket has
 * expired, was used, or has no tries left.
 */
export async function countTry(
  ctx: Pick<Ctx, 'db' | 'now'>,
  query: SecretQuery,
): Promise<Verification | null> {
  if (!isSecret(query.secret)) return null
  const row = await ctx.db
    .updateTable('verification')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('secret_hash', '=', sha256(query.secret))
    .where('purpose', '=', query.purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', ctx.now())
    .where('tries', '<', CODE_TRIES)
    .returning(VERIFICATION_COLUMNS)
    .executeTakeFirst()
  return row ? toVerification(row) : null
}

/** Uses a ticket up that was found before. @returns false where somebody else has */
export async function useUp(tx: Tx, ctx: Pick<Ctx, 'now'>, id: string): Promise<boolean> {
  const used = await tx
    .updateTable('verification')
    .set({ used_at: ctx.now() })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return used.numUpdatedRows > 0n
}

/** What has expired, and what was used a day ago. */
export async function forgetRunOut({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const usedBefore = new Date(now().getTime() - USED_KEPT_MS)
  await db
    .deleteFrom('verification')
    .where((row) => row.or([row('expires_at', '<=', now()), row('used_at', '<=', usedBefore)]))
    .execute()
}

/** Everything still open for an account stops working. */
export async function eraseVerification(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('verification').where('account_id', '=', accountId).execute()
}

/** An old link or code for one purpose is worth nothing any more. */
export async function withdrawVerifications(
  tx: Tx,
  accountId: string,
  purpose: VerificationPurpose,
): Promise<void> {
  await tx
    .deleteFrom('verification')
    .where('account_id', '=', accountId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute()
}
