import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Ctx } from './ctx.ts'

/** How long after its last beginning a sweep is due, or the minute of the day (UTC) from which on it is due once. */
export type Due = { readonly everySeconds: number } | { readonly dailyAtMinute: number }

export interface Sweep {
  readonly name: string
  readonly due: Due
  readonly run: (signal: AbortSignal) => Promise<unknown>
}

export interface SweepRunner {
  /** Has a sweep looked at now; wherever it runs at this moment, it runs once more. */
  readonly want: (name: string) => Promise<void>
  readonly stop: () => Promise<void>
}

const DAY_MS = 86_400_000
const LEASE_MS = 45_000
const RENEWED_EVERY_MS = 10_000
const LOOKED_EVERY_MS = 1_000
const ERROR_LENGTH = 500

/** The moment since which a sweep that has not begun is due. */
export function dueSince(due: Due, now: Date): Date {
  if ('everySeconds' in due) return new Date(now.getTime() - due.everySeconds * 1_000)
  const offset = due.dailyAtMinute * 60_000
  return new Date(Math.floor((now.getTime() - offset) / DAY_MS) * DAY_MS + offset)
}

/**
 * Runs each sweep when it is due, one process of the shop at a time, and keeps on record when it was done last, how long it took and
 * what went wrong. Sweeps run side by side: none waits for another. A process that dies leaves its sweep to the others within a minute.
 * @param holder identifies this process
 */
export function runSweeps(ctx: Ctx, sweeps: readonly Sweep[], holder: string): SweepRunner {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  let heard = Promise.withResolvers<void>()

  const follow = async () => {
    let isOpened = false
    while (!stopping.signal.aborted) {
      heard = Promise.withResolvers()
      const word = heard.promise
      try {
        if (!isOpened) await openSweeps(ctx, sweeps)
        isOpened = true
        const free = sweeps.filter(({ name }) => !running.has(name))
        const taken = new Set(await takeDue(ctx, free, holder))
        for (const sweep of free) {
          if (taken.has(sweep.name))
            running.set(
              sweep.name,
              runOne(ctx, sweep, holder, stopping.signal).finally(() => {
                running.delete(sweep.name)
                heard.resolve()
              }),
            )
        }
      } catch (error) {
        ctx.log.warn('sweeps could not be looked for', { error })
      }
      await pause(word, stopping.signal)
    }
  }
  const following = follow()
  return {
    async want(name) {
      await wantSweep(ctx, name)
      heard.resolve()
    },
    async stop() {
      stopping.abort()
      await following
      await Promise.all(running.values())
    },
  }
}

/** Has whichever process runs a sweep look at it within a second or two. @returns false where no process does */
export async function wantSweep(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  name: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sweep')
    .set({ wanted_at: now() })
    .where('name', '=', name)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Over after a second, at a word, or at the end. */
async function pause(word: Promise<void>, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  await Promise.race([
    word,
    sleep(LOOKED_EVERY_MS, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(
      () => {},
    ),
  ])
  over.abort()
}

async function openSweeps(ctx: Ctx, sweeps: readonly Sweep[]): Promise<void> {
  await ctx.db
    .insertInto('sweep')
    .values(sweeps.map(({ name }) => ({ name })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Takes those of the sweeps that are due and that nobody has. Moments that a clock set back has left in the future count for nothing. */
async function takeDue(ctx: Ctx, sweeps: readonly Sweep[], holder: string): Promise<string[]> {
  if (sweeps.length === 0) return []
  const now = ctx.now()
  const [longest, until] = [
    new Date(now.getTime() + 2 * LEASE_MS),
    new Date(now.getTime() + LEASE_MS),
  ]
  const { rows } = await sql<{ name: string }>`
    with due as materialized (
      select sweep.name from sweep join unnest(${sweeps.map(({ name }) => name)}::text[], ${sweeps.map(({ due }) => dueSince(due, now))}::timestamptz[]) as wanted (name, since) using (name)
      where (leased_until is null or leased_until <= ${now} or leased_until > ${longest}) and (begun_at is null or begun_at < wanted.since or begun_at > ${now} or wanted_at is not null)
      for no key update of sweep skip locked
    )
    update sweep set begun_at = ${now}, wanted_at = null, leased_by = ${holder}, leased_until = ${until} from due where sweep.name = due.name returning sweep.name`.execute(
    ctx.db,
  )
  return rows.map(({ name }) => name)
}

async function runOne(
  ctx: Ctx,
  { name, run }: Sweep,
  holder: string,
  stopping: AbortSignal,
): Promise<void> {
  const lost = new AbortController()
  const began = performance.now()
  const renewing = setInterval(
    () =>
      void renew(ctx, name, holder).then(
        (isOurs) => {
          if (!isOurs) lost.abort()
        },
        () => {},
      ),
    RENEWED_EVERY_MS,
  )
  try {
    await run(AbortSignal.any([stopping, lost.signal]))
    clearInterval(renewing)
    await close(ctx, name, holder, { durationMs: performance.now() - began, error: null })
  } catch (error) {
    clearInterval(renewing)
    ctx.log.error('a sweep has failed', { sweep: name, error })
    await close(ctx, name, holder, {
      durationMs: performance.now() - began,
      error: error instanceof Error ? error.message : String(error),
    })
      // Its lease ends by itself.
      .catch((fault: unknown) =>
        ctx.log.warn('the end of a sweep could not be noted', { sweep: name, error: fault }),
      )
  }
}

/** @returns false once somebody else has it */
async function renew(ctx: Ctx, name: string, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('sweep')
    .set({ leased_until: new Date(ctx.now().getTime() + LEASE_MS) })
    .where('name', '=', name)
    .where('leased_by', '=', holder)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function close(
  ctx: Ctx,
  name: string,
  holder: string,
  { durationMs, error }: { readonly durationMs: number; readonly error: string | null },
): Promise<void> {
  await ctx.db
    .updateTable('sweep')
    .set((row) => ({
      finished_at: ctx.now(),
      duration_ms: Math.round(durationMs),
      error: error?.slice(0, ERROR_LENGTH) ?? null,
      failures: error === null ? 0 : row('failures', '+', 1),
      leased_by: null,
      leased_until: null,
    }))
    .where('name', '=', name)
    .where('leased_by', '=', holder)
    .execute()
}
