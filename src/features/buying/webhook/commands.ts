import { sql } from 'kysely'
import { recordAct } from '#features/base/audit/commands.ts'
import { getBuyer } from '#features/people/account/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { webhookSecret } from './engine/signed.ts'
import { deliveryAfter, LEASE_MS, WEBHOOK_DAYS, type Outcome } from './rules.ts'

const SALT_BYTES = 32
const DAY_MS = 86_400_000

export interface Endpoint {
  readonly endpoint: string
  readonly secret: string
}

interface AskedEndpoint {
  readonly email: string
  readonly url: string
}

/** Has an account told of its orders at an address, which was checked by whoever asks. Throws 'not_found'. */
export async function createEndpoint(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  { email, url }: AskedEndpoint,
): Promise<Endpoint> {
  requirePermission(ctx, 'reseller.manage')
  const account = await getBuyer(tx, email)
  const [publicId, salt] = [newPublicId(ctx), Buffer.from(ctx.random(SALT_BYTES))]
  await tx
    .insertInto('webhook_endpoint')
    .values({
      id: ctx.newId(),
      public_id: publicId,
      account_id: account.id,
      url,
      salt,
      created_at: now,
      created_by: ctx.actor,
    })
    .execute()
  await audit(tx, ctx, publicId, 'create', { account: email, host: new URL(url).host })
  return { endpoint: publicId, secret: webhookSecret(ctx.keys, publicId, salt) }
}

/** Tells an endpoint nothing more; what waits for it is given up. Throws 'not_found'. */
export async function disableEndpoint(ctx: OperatorCtx, publicId: string): Promise<void> {
  requirePermission(ctx, 'reseller.manage')
  await transaction(ctx, async (tx, now) => {
    const off = await tx
      .updateTable('webhook_endpoint')
      .set({ status: 'off' })
      .where('public_id', '=', publicId)
      .where('status', '=', 'on')
      .returning('id')
      .executeTakeFirst()
    if (!off) throw new AppError('not_found')
    await tx
      .updateTable('webhook_delivery')
      .set({ state: 'given_up', ended_at: now, answer: 'the endpoint was disabled' })
      .where('endpoint_id', '=', off.id)
      .where('state', '=', 'waiting')
      .execute()
    await audit(tx, ctx, publicId, 'disable', {})
  })
}

/**
 * Tells something again: one delivery by its name, or all that was given up of an endpoint that is on, by the endpoint's. Throws 'not_found'.
 * @returns how many those are
 */
export async function replayDeliveries(ctx: OperatorCtx, name: string): Promise<number> {
  requirePermission(ctx, 'reseller.manage')
  return transaction(ctx, async (tx, now) => {
    const { rows } = await sql`
      update webhook_delivery d set state = 'waiting', attempts = 0, due_at = ${now}, ended_at = null from webhook_endpoint e
      where e.id = d.endpoint_id and e.status = 'on' and (d.public_id = ${name} or (e.public_id = ${name} and d.state = 'given_up')) returning d.id`.execute(
      tx,
    )
    if (rows.length === 0) throw new AppError('not_found')
    await audit(tx, ctx, name, 'replay', { deliveries: String(rows.length) })
    return rows.length
  })
}

const audit = (
  tx: Tx,
  ctx: OperatorCtx,
  subjectCode: string,
  action: string,
  after: Readonly<Record<string, string>>,
): Promise<void> => recordAct(tx, ctx, { subject: 'webhook_endpoint', subjectCode, action, after })

/** A delivery that is ours to make, and no more than once while the lease lasts. */
export interface TakenDelivery {
  readonly id: string
  readonly publicId: string
  readonly attempts: number
  readonly endpoint: string
  readonly salt: Buffer
  readonly url: string
  readonly createdAt: Date
  readonly order: string
  readonly orderNumber: string
  readonly status: string
  /** The reseller's own name of the order; null for one made otherwise. */
  readonly reference: string | null
}

/** Takes what is due of an endpoint first; null for nothing, and for one whose account is being closed, or that is off: that waits. */
export async function takeDelivery(ctx: Ctx, endpointId: string): Promise<TakenDelivery | null> {
  const now = ctx.now()
  const { rows } = await sql<TakenDelivery>`
    with due as (
      select id from webhook_delivery where endpoint_id = ${endpointId} and state = 'waiting' and due_at <= ${now}
        and exists (select from webhook_endpoint e join account a on a.id = e.account_id where e.id = ${endpointId} and e.status = 'on' and a.status = 'active')
      order by due_at limit 1 for update skip locked
    ), taken as (
      update webhook_delivery d set attempts = attempts + 1, due_at = ${new Date(now.getTime() + LEASE_MS)} from due where d.id = due.id
      returning d.id, d.public_id, d.attempts, d.created_at, d.order_id
    ), touched as (
      update webhook_endpoint set last_attempt_at = ${now} where id = ${endpointId} and exists (select from taken)
    )
    select t.id, t.public_id as "publicId", t.attempts, t.created_at as "createdAt", e.public_id as endpoint, e.salt, e.url,
      o.public_id as "order", o.number as "orderNumber", o.status, r.reference
    from taken t join webhook_endpoint e on e.id = ${endpointId} join shop_order o on o.id = t.order_id left join reseller_order r on r.order_id = o.id`.execute(
    ctx.db,
  )
  return rows[0] ?? null
}

/** Notes what came of an attempt. */
export async function recordAttempt(
  ctx: Ctx,
  { id, attempts }: Pick<TakenDelivery, 'id' | 'attempts'>,
  outcome: Outcome,
): Promise<void> {
  await ctx.db
    .updateTable('webhook_delivery')
    .set(deliveryAfter(attempts, outcome, ctx.now()))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', attempts)
    .execute()
}

/** What was told, or given up, long ago. */
export async function forgetOldDeliveries({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('webhook_delivery')
    .where('ended_at', '<', new Date(now().getTime() - WEBHOOK_DAYS * DAY_MS))
    .execute()
}

/** Part of erasing a person: nobody is told at an address of theirs, and it goes. */
export async function eraseWebhook(tx: Tx, accountId: string): Promise<void> {
  const mine = tx.selectFrom('webhook_endpoint').select('id').where('account_id', '=', accountId)
  await tx.deleteFrom('webhook_delivery').where('endpoint_id', 'in', mine).execute()
  await tx.deleteFrom('webhook_endpoint').where('account_id', '=', accountId).execute()
}
