import { sql } from 'kysely'
import { changeOrder } from '#features/buying/order/commands.ts'
import { lockOrderById, type LockedOrder } from '#features/buying/order/queries.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { findPerson, listAwaiting, lockScreening, type ScreenedPerson } from '../read/screening.ts'
import {
  screeningStateOf,
  SCREENING_KEPT_DAYS,
  SCREENING_RETRY_MS,
  type ScreeningState,
} from '../rules.ts'

const PURPOSE = 'screening'
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** A keyed hash of what is asked about somebody. */
export const personHash = (ctx: Pick<Ctx, 'keys'>, { names, email, countries }: ScreenedPerson) =>
  ctx.keys.mac(PURPOSE, JSON.stringify([names, email, countries]))

/** What the service has said of a shopper; where nothing is known it is to be asked from here on, by a job: no call goes out of a transaction. */
export async function lookUpScreening(
  tx: Tx,
  ctx: Ctx,
  accountId: string,
  keptHours: number,
): Promise<ScreeningState> {
  const person = await findPerson(tx, accountId)
  if (!person) return 'silent'
  const now = ctx.now()
  const subject = personHash(ctx, person)
  const check = await lockScreening(tx, accountId, subject)
  const isOld =
    check?.answeredAt !== null &&
    check !== null &&
    now.getTime() - check.answeredAt.getTime() >= keptHours * HOUR_MS
  if (check && !isOld) return screeningStateOf(check, now)
  const wanted = { state: 'asked', wanted_at: now, next_at: now } as const
  const none = { answered_at: null, fault: null, tries: 0 } as const
  await tx
    .insertInto('screening_check')
    .values({ id: ctx.newId(), account_id: accountId, subject, ...wanted })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'subject'])
        .doUpdateSet({ id: ctx.newId(), ...wanted, ...none, matches: sql`'{}'` }),
    )
    .execute()
  return 'wait'
}

export interface TakenScreening {
  readonly id: string
  readonly accountId: string
  readonly subject: Buffer
  readonly tries: number
}

/** Who is to be asked about now; nobody else asks meanwhile. Committed before the call, so that what was asked is known whatever becomes of it. */
export async function takeScreenings(
  ctx: Ctx,
  leaseMs: number,
  limit: number,
): Promise<TakenScreening[]> {
  const now = ctx.now()
  const { rows } = await sql<TakenScreening>`
    with due as materialized (select id from screening_check where next_at <= ${now} order by next_at limit ${limit} for no key update skip locked)
    update screening_check s set next_at = ${new Date(now.getTime() + leaseMs)}, tries = s.tries + 1 from due where s.id = due.id
    returning s.id, s.account_id as "accountId", s.subject, s.tries`.execute(ctx.db)
  return rows
}

/** Nobody is asked about any more: whom it was about is gone, or is called otherwise by now. */
export async function dropScreening(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.deleteFrom('screening_check').where('id', '=', id).execute()
}

/** There was no answer: it is asked again, less and less often, and what waits for it is held. */
export async function putOffScreening(
  ctx: Ctx,
  { id, tries }: TakenScreening,
  fault: string,
): Promise<void> {
  const waitMs = SCREENING_RETRY_MS[Math.min(tries, SCREENING_RETRY_MS.length) - 1] ?? 0
  await ctx.db
    .updateTable('screening_check')
    .set({ fault: fault.slice(0, 200), next_at: new Date(ctx.now().getTime() + waitMs) })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .execute()
}

/** Writes what the service has said, and lets those orders go on that were held for nothing else; who is found stays held, for a person. */
export async function recordScreening(
  ctx: Ctx,
  { id, accountId }: TakenScreening,
  matches: readonly string[],
): Promise<void> {
  const state = matches.length > 0 ? 'match' : 'clear'
  const answered = await ctx.db
    .updateTable('screening_check')
    .set({
      state,
      matches: matches.slice(0, 10).map((name) => name.slice(0, 100)),
      fault: null,
      next_at: null,
      answered_at: ctx.now(),
    })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .executeTakeFirst()
  if (answered.numUpdatedRows === 0n) return
  for (let last = FIRST_ID; ; ) {
    const page = await listAwaiting(ctx.db, accountId, last)
    for (const orderId of page) await goOn(ctx, orderId, state)
    const end = page.at(-1)
    if (end === undefined) return
    last = end
  }
}

async function goOn(ctx: Ctx, orderId: string, state: 'clear' | 'match'): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const order = await lockOrderById(tx, orderId)
    const check = await tx
      .selectFrom('delivery_check')
      .select(['verdict', 'decision', 'reasons'])
      .where('order_id', '=', orderId)
      .executeTakeFirst()
    // Somebody has decided meanwhile, or it is held for something else as well.
    if (order.hold !== 'risk' || check?.verdict !== 'hold' || check.decision !== null) return
    const others = check.reasons.filter((reason) => reason !== 'screening')
    const reasons = state === 'match' ? [...others, 'screening_match'] : others
    await tx
      .updateTable('delivery_check')
      .set({ reasons, verdict: reasons.length > 0 ? 'hold' : 'pass', checked_at: now })
      .where('order_id', '=', orderId)
      .execute()
    if (reasons.length > 0) return
    const hold = await holdAfterRisk(tx, order)
    await changeOrder(tx, ctx, order, { hold }, { reason: 'hold_released' })
  })
}

/** What holds an order that is looked at no longer: its keys are handed over with the next look at what waits for some. */
export async function holdAfterRisk(
  tx: Tx,
  order: Pick<LockedOrder, 'id' | 'settledAt'>,
): Promise<'out_of_stock' | null> {
  const waiting = await tx
    .selectFrom('order_unit')
    .select('id')
    .where('order_id', '=', order.id)
    .where('delivery', '=', 'card_key')
    .where('to_order', '=', false)
    .where('status', '=', 'queued')
    .executeTakeFirst()
  return waiting && order.settledAt !== null ? 'out_of_stock' : null
}

/** Takes answers away that nobody goes by any more, and questions that nobody asks. */
export async function forgetScreenings(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const before = new Date(ctx.now().getTime() - SCREENING_KEPT_DAYS * DAY_MS)
  await ctx.db
    .deleteFrom('screening_check')
    .where(({ fn }) => fn.coalesce('answered_at', 'wanted_at'), '<', before)
    .execute()
}
