import { sql } from 'kysely'
import { recordAct } from '#features/base/audit/commands.ts'
import type { PricedLine } from '#features/buying/order/rules.ts'
import { hashOf } from '#features/buying/reseller/commands.ts'
import { secretOf } from '#features/buying/reseller/engine/signature.ts'
import type { WantedGoods } from '#features/buying/reseller/rules.ts'
import { webhookSecret } from '#features/buying/webhook/engine/signed.ts'
import { deliveryAfter, LEASE_MS, type Outcome } from '#features/buying/webhook/rules.ts'
import { getBuyer } from '#features/people/account/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { changesOf } from './engine/standing.ts'
import { findTestOrder, lockTested } from './queries.ts'
import {
  endingOfAccount,
  endingOfReference,
  refusalOf,
  TEST_BALANCE,
  TEST_DAYS,
  TEST_ORDERS_A_DAY,
  TEST_PREFIX,
  TEST_SECRET_PREFIX,
  type TestKey,
  type TestLine,
  type TestOrder,
} from './rules.ts'

const SALT_BYTES = 32
const DAY_MS = 86_400_000

export interface NewTestKey {
  readonly email: string
  readonly name: string
  /** In US cents. */
  readonly orderMax: bigint
  readonly dayMax: bigint
  /** Checked by whoever asks; null: its orders are told of nowhere. */
  readonly webhookUrl: string | null
}

/** A test key with its secrets, which are shown this once. */
export interface MadeTestKey {
  readonly key: string
  readonly secret: string
  readonly webhook_secret?: string
}

/** Makes a test key of a shopper's account. Throws 'not_found' where nobody who may buy has this address. */
export async function createTestKey(ctx: OperatorCtx, asked: NewTestKey): Promise<MadeTestKey> {
  requirePermission(ctx, 'reseller.manage')
  const account = await getBuyer(ctx.db, asked.email)
  const publicId = `${TEST_PREFIX}${newPublicId(ctx)}`
  const salt = Buffer.from(ctx.random(SALT_BYTES))
  await transaction(ctx, async (tx, now) => {
    await tx
      .insertInto('reseller_test_key')
      .values({
        id: ctx.newId(),
        public_id: publicId,
        account_id: account.id,
        name: asked.name,
        salt,
        order_max_minor: asked.orderMax,
        day_max_minor: asked.dayMax,
        webhook_url: asked.webhookUrl,
        created_at: now,
        created_by: ctx.actor,
      })
      .execute()
    await audit(tx, ctx, publicId, 'create', { account: asked.email })
  })
  return {
    key: publicId,
    secret: secretOf(ctx.keys, publicId, salt, TEST_SECRET_PREFIX),
    ...(asked.webhookUrl === null
      ? {}
      : { webhook_secret: webhookSecret(ctx.keys, publicId, salt) }),
  }
}

/** Ends a test key at once. Throws 'not_found'. */
export async function revokeTestKey(ctx: OperatorCtx, publicId: string): Promise<void> {
  requirePermission(ctx, 'reseller.manage')
  await transaction(ctx, async (tx, now) => {
    const { numUpdatedRows } = await tx
      .updateTable('reseller_test_key')
      .set({ revoked_at: now })
      .where('public_id', '=', publicId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('not_found')
    await audit(tx, ctx, publicId, 'revoke', {})
  })
}

const audit = (
  tx: Tx,
  ctx: OperatorCtx,
  subjectCode: string,
  action: string,
  after: Readonly<Record<string, string>>,
): Promise<void> => recordAct(tx, ctx, { subject: 'reseller_test_key', subjectCode, action, after })

export interface TestWish extends Pick<WantedGoods, 'reference' | 'lines' | 'currency'> {
  /** The same goods, priced. */
  readonly priced: readonly PricedLine[]
  /** In US cents. */
  readonly usdMinor: bigint
}

/**
 * Makes a test order within the limits of its key, or notes why there is none; for a reference that is taken it gives what was made for it.
 * Throws 'over_limit', 'unauthorised' for a key that was revoked meanwhile.
 */
export async function placeTestOrder(ctx: Ctx, key: TestKey, wish: TestWish): Promise<TestOrder> {
  return transaction(ctx, async (tx, now) => {
    const used = await lockTested(tx, key.id, now)
    if (!used) throw new AppError('unauthorised')
    const known = await findTestOrder(tx, key.accountId, wish)
    if (known) return known
    const isOver = wish.usdMinor > key.orderMax || used.usdMinor + wish.usdMinor > key.dayMax
    if (isOver || used.orders >= TEST_ORDERS_A_DAY) throw new AppError('over_limit')
    const order = orderOf(ctx, key, wish, now)
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('reseller_test_order')
      .values({
        id: order.id,
        public_id: order.publicId,
        account_id: key.accountId,
        key_id: key.id,
        reference: order.reference,
        request_hash: order.requestHash,
        currency: order.currency,
        usd_minor: wish.usdMinor,
        lines: JSON.stringify(order.lines),
        refusal: order.refusal,
        created_at: now,
      })
      .onConflict((conflict) => conflict.columns(['account_id', 'reference']).doNothing())
      .executeTakeFirst()
    // Another key of the account took it meanwhile.
    if (numInsertedOrUpdatedRows === 0n) throw new AppError('still_running')
    if (used.webhookUrl !== null && order.refusal === null)
      await queueDeliveries(tx, ctx, key.id, order)
    return order
  })
}

function orderOf(
  ctx: Ctx,
  { id: keyId }: TestKey,
  { priced, usdMinor, ...wanted }: TestWish,
  now: Date,
): TestOrder {
  const { reference, currency } = wanted
  const lines = priced.map(
    ({ itemCode, quantity, priceMinor, delivery, accountFields, amount }): TestLine => ({
      item: itemCode,
      quantity,
      ...(amount ? { amount: { ...amount, minor: amount.minor.toString() } } : {}),
      price: priceMinor.toString(),
      delivery,
      ending: endingOfAccount(accountFields) ?? endingOfReference(reference) ?? 'done',
    }),
  )
  const asked = refusalOf(lines.map(({ ending }) => ending))
  return {
    id: ctx.newId(),
    publicId: `${TEST_PREFIX}${newPublicId(ctx)}`,
    keyId,
    reference,
    requestHash: hashOf(wanted),
    currency: currency.code,
    lines,
    refusal: asked ?? (usdMinor > TEST_BALANCE ? 'insufficient_credit' : null),
    createdAt: now,
  }
}

async function queueDeliveries(tx: Tx, ctx: Ctx, keyId: string, order: TestOrder): Promise<void> {
  const { createdAt } = order
  await tx
    .insertInto('reseller_test_delivery')
    .values(
      changesOf(order.lines).map(({ after, status }) => ({
        id: ctx.newId(),
        public_id: newPublicId(ctx),
        key_id: keyId,
        order_id: order.id,
        order_status: status,
        due_at: new Date(createdAt.getTime() + after * 1_000),
        created_at: new Date(createdAt.getTime() + after * 1_000),
      })),
    )
    .execute()
}

/** What is to be told of a test order. */
export interface TakenTestDelivery {
  readonly id: string
  readonly attempts: number
  readonly publicId: string
  readonly createdAt: Date
  readonly order: string
  readonly orderedAt: Date
  readonly lines: readonly TestLine[]
  readonly reference: string
  readonly key: string
  readonly salt: Buffer
  readonly url: string
}

/** Takes what is due of a test key first, for nobody else while the lease lasts; null for nothing. */
export async function takeTestDelivery(ctx: Ctx, keyId: string): Promise<TakenTestDelivery | null> {
  const now = ctx.now()
  const { rows } = await sql<TakenTestDelivery>`
    with due as (
      select d.id from reseller_test_delivery d join reseller_test_key k on k.id = d.key_id join account a on a.id = k.account_id
      where d.key_id = ${keyId} and d.state = 'waiting' and d.due_at <= ${now} and k.revoked_at is null and a.status = 'active'
      order by d.due_at limit 1 for update of d skip locked
    ), taken as (
      update reseller_test_delivery d set attempts = attempts + 1, due_at = ${new Date(now.getTime() + LEASE_MS)} from due where d.id = due.id
      returning d.id, d.public_id, d.attempts, d.created_at, d.order_id
    ), touched as (
      update reseller_test_key set last_attempt_at = ${now} where id = ${keyId} and exists (select from taken)
    )
    select t.id, t.attempts, t.public_id as "publicId", t.created_at as "createdAt", o.public_id as "order", o.reference,
      o.created_at as "orderedAt", o.lines, k.public_id as key, k.salt, k.webhook_url as url
    from taken t join reseller_test_order o on o.id = t.order_id join reseller_test_key k on k.id = ${keyId}`.execute(
    ctx.db,
  )
  return rows[0] ?? null
}

/** Notes what came of telling. */
export async function recordTestAttempt(
  ctx: Ctx,
  { id, attempts }: Pick<TakenTestDelivery, 'id' | 'attempts'>,
  outcome: Outcome,
): Promise<void> {
  await ctx.db
    .updateTable('reseller_test_delivery')
    .set(deliveryAfter(attempts, outcome, ctx.now()))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', attempts)
    .execute()
}

/** What was tried long ago, and keys that are over. */
export async function forgetOldTests({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const until = new Date(now().getTime() - TEST_DAYS * DAY_MS)
  await db.deleteFrom('reseller_test_order').where('created_at', '<', until).execute()
  await db.deleteFrom('reseller_test_key').where('revoked_at', '<', until).execute()
}

/** Part of erasing a person. */
export async function eraseResellerSandbox(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('reseller_test_order').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('reseller_test_key').where('account_id', '=', accountId).execute()
}
