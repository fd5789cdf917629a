import { sql } from 'kysely'
import { readSetting } from '#features/base/setting/queries.ts'
import type { HealthProblem } from '#features/office/health/rules.ts'
import { postMail } from '#features/people/mail/commands.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { listMatters } from './queries.ts'
import {
  countByKind,
  isRepeated,
  labelOf,
  MESSAGES_KEPT_DAYS,
  retryAfterSeconds,
  dueMessages,
  type AlertState,
  type Matter,
} from './rules.ts'
import { alertsSetting, type AlertSettings } from './schema.ts'

export { createEndpointAlone } from './write/endpoint.ts'
export { tellOfAlone, tellOfLooks, tellOwners } from './write/looks.ts'

/**
 * Notes what is wrong now, and writes down what is to be told of it: mail and webhook of the shop, in the same transaction. Without
 * either nothing counts as told, so that it is told once there is one.
 */
export async function noteProblems(
  ctx: Ctx,
  publicUrl: string,
  problems: readonly HealthProblem[],
): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const settings = await readSetting(tx, alertsSetting)
    await noteSeen(tx, ctx, problems, now)
    const due = dueMessages(await listMatters(tx), now)
    await close(tx, due.over, now)
    if (settings.email === null && settings.webhook === null) return
    const texts = new Map(problems.map(({ kind, text }) => [kind as string, text]))
    const tell = (state: AlertState, matters: readonly Matter[]) =>
      post(tx, ctx, { settings, publicUrl, state, matters, texts, now })
    await tell('begun', due.begun)
    await tell('more', due.more)
    await tell(
      'over',
      due.over.filter(({ toldAt }) => toldAt !== null),
    )
    await tell('digest', due.digest)
    await markNotified(tx, [...due.begun, ...due.more, ...due.digest], now)
  })
}

async function noteSeen(
  tx: Tx,
  ctx: Pick<Ctx, 'newId'>,
  problems: readonly HealthProblem[],
  now: Date,
): Promise<void> {
  for (const problem of countByKind(problems)) {
    const { kind, count } = problem
    // What comes before a matter was told of at all is told with it.
    const added = isRepeated(problem)
      ? sql`case when m.told_at is null then 0 else m.added + greatest(excluded.count - m.count, 0) end`
      : sql`0`
    await sql`
      insert into alert_matter as m (id, kind, begun_at, seen_at, count) values (${ctx.newId()}, ${kind}, ${now}, ${now}, ${count})
      on conflict (kind) where over_at is null do update set seen_at = excluded.seen_at, count = excluded.count, added = ${added}`.execute(
      tx,
    )
  }
}

async function close(tx: Tx, over: readonly Matter[], now: Date): Promise<void> {
  if (over.length === 0) return
  await tx
    .updateTable('alert_matter')
    .set({ over_at: now })
    .where(
      'id',
      'in',
      over.map(({ id }) => id),
    )
    .execute()
}

async function markNotified(tx: Tx, told: readonly Matter[], now: Date): Promise<void> {
  if (told.length === 0) return
  await tx
    .updateTable('alert_matter')
    .set({ told_at: now, added: 0 })
    .where(
      'id',
      'in',
      told.map(({ id }) => id),
    )
    .execute()
}

interface MessageContents {
  readonly settings: AlertSettings
  readonly publicUrl: string
  readonly state: AlertState
  readonly matters: readonly Matter[]
  /** What operators read of a kind. */
  readonly texts: ReadonlyMap<string, string>
  readonly now: Date
}

async function post(
  tx: Tx,
  ctx: Pick<Ctx, 'newId' | 'now'>,
  { settings, publicUrl, state, matters, texts, now }: MessageContents,
): Promise<void> {
  if (matters.length === 0) return
  if (settings.email !== null)
    await postMail(tx, ctx, {
      kind: 'shop_alert',
      accountId: null,
      recipient: settings.email,
      language: settings.language,
      params: {
        alert: {
          state: state === 'more' ? 'begun' : state,
          matters: matters.map(({ kind, count, added, begunAt }) => ({
            label: labelOf(kind),
            count,
            added,
            since: begunAt.toISOString(),
          })),
        },
      },
    })
  if (settings.webhook === null) return
  await postMessage(tx, ctx, now, {
    type: `alert.${state}`,
    data: {
      shop: publicUrl,
      matters: matters.map(({ kind, count, added, begunAt }) => ({
        kind,
        count,
        added,
        since: begunAt.toISOString(),
        text: texts.get(kind) ?? null,
      })),
    },
  })
}

/** Leaves something for the shop's webhook. */
export async function postMessage(
  tx: Tx,
  ctx: Pick<Ctx, 'newId'>,
  now: Date,
  { type, data }: { readonly type: string; readonly data: Readonly<Record<string, unknown>> },
): Promise<void> {
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data })
  await tx
    .insertInto('alert_message')
    .values({ id: ctx.newId(), body, created_at: now, next_at: now })
    .execute()
}

export interface DueMessage {
  readonly id: string
  readonly body: string
  readonly attempts: number
}

/** While it is being sent, nobody else takes it. */
const TAKEN_SECONDS = 60

/** Takes messages that are due, oldest first; a try whose end nobody notes is tried again. */
export async function takeDueMessages(ctx: Ctx, limit: number): Promise<readonly DueMessage[]> {
  const now = ctx.now()
  const { rows } = await sql<DueMessage>`
    update alert_message set attempts = attempts + 1, next_at = ${now}::timestamptz + make_interval(secs => ${TAKEN_SECONDS})
    where id in (select id from alert_message where next_at <= ${now} order by next_at limit ${limit} for update skip locked)
    returning id, body, attempts`.execute(ctx.db)
  return rows
}

/** @param failure null when the receiver took it */
export async function closeMessage(
  ctx: Pick<Ctx, 'db' | 'now'>,
  { id, attempts }: DueMessage,
  failure: string | null,
): Promise<void> {
  const now = ctx.now()
  const wait = failure === null ? null : retryAfterSeconds(attempts)
  await ctx.db
    .updateTable('alert_message')
    .set({
      delivered_at: failure === null ? now : null,
      next_at: wait === null ? null : new Date(now.getTime() + wait * 1_000),
      failure: (failure ?? '').slice(0, 300),
    })
    .where('id', '=', id)
    .execute()
}

/** Takes away what is over and told, a while after. */
export async function cleanAlerts(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const before = new Date(ctx.now().getTime() - MESSAGES_KEPT_DAYS * 86_400_000)
  await ctx.db.deleteFrom('alert_message').where('created_at', '<', before).execute()
  await ctx.db.deleteFrom('alert_matter').where('over_at', '<', before).execute()
}
