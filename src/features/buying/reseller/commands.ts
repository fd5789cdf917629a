import { sql } from 'kysely'
import { recordAct } from '#features/base/audit/commands.ts'
import { getBuyer } from '#features/people/account/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, type ErrorCode } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId, sha256 } from '#platform/secrets.ts'
import { secretOf } from './engine/signature.ts'
import { findReferenced, lockSpent, type ReferencedOrder } from './queries.ts'
import {
  ABANDONED_MS,
  CONTRACT,
  NONCE_KEPT_MS,
  REFUSED_DAYS,
  ROTATION_HOURS,
  wantedText,
  type ResellerKey,
  type Scope,
  type WantedGoods,
} from './rules.ts'

const SALT_BYTES = 32
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

export interface NewKey {
  readonly email: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** In US cents. */
  readonly orderMax: bigint
  readonly dayMax: bigint
  readonly agentMax: bigint | null
  readonly networks: readonly string[]
}

/** A key with its secret, which is shown this once. */
export interface MadeKey {
  readonly key: string
  readonly secret: string
}

/** Makes a key of a shopper's account. Throws 'not_found' where nobody who may buy has this address. */
export async function createKey(ctx: OperatorCtx, asked: NewKey): Promise<MadeKey> {
  requirePermission(ctx, 'reseller.manage')
  const account = await getBuyer(ctx.db, asked.email)
  const [publicId, salt] = [newPublicId(ctx), Buffer.from(ctx.random(SALT_BYTES))]
  await transaction(ctx, async (tx, now) => {
    await tx
      .insertInto('reseller_key')
      .values({
        id: ctx.newId(),
        public_id: publicId,
        account_id: account.id,
        name: asked.name,
        scopes: [...asked.scopes],
        salt,
        order_max_minor: asked.orderMax,
        day_max_minor: asked.dayMax,
        agent_max_minor: asked.agentMax,
        networks: [...asked.networks],
        contract: CONTRACT,
        created_at: now,
        created_by: ctx.actor,
      })
      .execute()
    await audit(tx, ctx, publicId, 'create', {
      account: asked.email,
      scopes: asked.scopes.join(' '),
      order_max_usd_minor: asked.orderMax.toString(),
      day_max_usd_minor: asked.dayMax.toString(),
    })
  })
  return { key: publicId, secret: secretOf(ctx.keys, publicId, salt) }
}

/** Gives a key a new secret; the one before holds for a day. Throws 'not_found'. */
export async function rotateKey(ctx: OperatorCtx, publicId: string): Promise<MadeKey> {
  requirePermission(ctx, 'reseller.manage')
  const salt = Buffer.from(ctx.random(SALT_BYTES))
  await transaction(ctx, async (tx, now) => {
    const changed = await tx
      .updateTable('reseller_key')
      .set({
        former_salt: sql`salt`,
        former_until: new Date(now.getTime() + ROTATION_HOURS * HOUR_MS),
        salt,
      })
      .where('public_id', '=', publicId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw new AppError('not_found')
    await audit(tx, ctx, publicId, 'rotate', {})
  })
  return { key: publicId, secret: secretOf(ctx.keys, publicId, salt) }
}

/** Ends a key at once. Throws 'not_found'. */
export async function revokeKey(ctx: OperatorCtx, publicId: string): Promise<void> {
  requirePermission(ctx, 'reseller.manage')
  await transaction(ctx, async (tx, now) => {
    const changed = await tx
      .updateTable('reseller_key')
      .set({ revoked_at: now })
      .where('public_id', '=', publicId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw new AppError('not_found')
    await audit(tx, ctx, publicId, 'revoke', {})
  })
}

const audit = (
  tx: Tx,
  ctx: OperatorCtx,
  subjectCode: string,
  action: string,
  after: Readonly<Record<string, string>>,
): Promise<void> => recordAct(tx, ctx, { subject: 'reseller_key', subjectCode, action, after })

/**
 * Takes a nonce, once; a signed request that comes again finds it taken. It does not wait for the disk: a request that a crash of the
 * server lets in twice still buys nothing twice, as a reference buys once. @returns false where it was taken before
 */
export async function takeNonce(ctx: Ctx, keyId: string, nonce: string): Promise<boolean> {
  const now = ctx.now()
  const { rows } = await sql`
    with used as (
      update reseller_key set last_used_at = ${now} where id = ${keyId} and (last_used_at is null or last_used_at < ${new Date(now.getTime() - MINUTE_MS)})
    )
    insert into reseller_nonce (key_id, nonce, at) values (${keyId}, ${nonce}, ${now}) on conflict do nothing
    returning set_config('synchronous_commit', 'off', true)`.execute(ctx.db)
  return rows.length > 0
}

/** Notes that a key was used that sends no nonce. */
export async function noteUse(ctx: Ctx, keyId: string): Promise<void> {
  const now = ctx.now()
  await ctx.db
    .updateTable('reseller_key')
    .set({ last_used_at: now })
    .where('id', '=', keyId)
    .where((row) =>
      row.or([
        row('last_used_at', 'is', null),
        row('last_used_at', '<', new Date(now.getTime() - MINUTE_MS)),
      ]),
    )
    .execute()
}

export interface PricedWish extends Pick<WantedGoods, 'reference' | 'lines' | 'currency'> {
  readonly amountMinor: bigint
  /** In US cents. */
  readonly usdMinor: bigint
}

export const hashOf = (wanted: Pick<WantedGoods, 'lines' | 'currency'>): Buffer =>
  sha256(wantedText(wanted))

/**
 * Commits a reference before anything is bought under it, within the limits of its key. Throws 'over_limit', 'unauthorised' for a key
 * that was revoked meanwhile. @returns null where the reference is taken
 */
export async function claimReference(
  ctx: Ctx,
  key: ResellerKey,
  wish: PricedWish,
): Promise<string | null> {
  return transaction(ctx, async (tx, now) => {
    const spent = await lockSpent(tx, key.id, now)
    if (spent === null) throw new AppError('unauthorised')
    if (await findReferenced(tx, key.accountId, wish)) return null
    if (wish.usdMinor > key.orderMax || spent + wish.usdMinor > key.dayMax)
      throw new AppError('over_limit')
    const id = ctx.newId()
    const made = await tx
      .insertInto('reseller_order')
      .values({
        id,
        account_id: key.accountId,
        key_id: key.id,
        reference: wish.reference,
        request_hash: hashOf(wish),
        currency: wish.currency.code,
        amount_minor: wish.amountMinor,
        usd_minor: wish.usdMinor,
        created_at: now,
      })
      .onConflict((conflict) => conflict.columns(['account_id', 'reference']).doNothing())
      .executeTakeFirst()
    return made.numInsertedOrUpdatedRows === 1n ? id : null
  })
}

/** Ties a reference to the order made for it. @returns false where it was given up meanwhile */
export async function tieOrder(ctx: Ctx, id: string, publicId: string): Promise<boolean> {
  const tied = await sql`
    update reseller_order r set state = 'placed', order_id = o.id from shop_order o
    where r.id = ${id} and r.state = 'open' and o.public_id = ${publicId} and o.account_id = r.account_id`.execute(
    ctx.db,
  )
  return tied.numAffectedRows === 1n
}

/** Nothing was bought under a reference, and nothing will be. What was paid for it stays as it is. */
export async function refuseReference(ctx: Ctx, id: string, refusal: ErrorCode): Promise<void> {
  await sql`
    update reseller_order r set state = 'refused', refusal = ${refusal}
    where r.id = ${id} and r.state <> 'refused' and not exists (select from shop_order o where o.id = r.order_id and o.settled_at is not null)`.execute(
    ctx.db,
  )
}

/** Gives a reference up that somebody began to order under and did not go on with: the process died. */
export async function abandonOld(
  ctx: Ctx,
  { id, state, createdAt }: Pick<ReferencedOrder, 'id' | 'state' | 'createdAt'>,
): Promise<boolean> {
  if (state !== 'open' || ctx.now().getTime() - createdAt.getTime() < ABANDONED_MS) return false
  const given = await ctx.db
    .updateTable('reseller_order')
    .set({ state: 'refused', refusal: 'still_running' })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return given.numUpdatedRows === 1n
}

/** What no request can come under again, and what came to nothing long ago. */
export async function forgetOldRequests(ctx: Ctx): Promise<void> {
  const now = ctx.now().getTime()
  await ctx.db
    .deleteFrom('reseller_nonce')
    .where('at', '<', new Date(now - NONCE_KEPT_MS))
    .execute()
  await ctx.db
    .deleteFrom('reseller_order')
    .where('created_at', '<', new Date(now - REFUSED_DAYS * 24 * HOUR_MS))
    .where('order_id', 'is', null)
    .execute()
}

/** Part of erasing a person: their keys end, and what they called their orders goes. */
export async function eraseReseller(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  accountId: string,
): Promise<void> {
  await tx
    .updateTable('reseller_key')
    .set({ name: 'erased', networks: [], revoked_at: sql`coalesce(revoked_at, ${ctx.now()})` })
    .where('account_id', '=', accountId)
    .execute()
  await tx
    .updateTable('reseller_order')
    .set({ reference: sql<string>`id::text` })
    .where('account_id', '=', accountId)
    .execute()
}
