import { sql } from 'kysely'
import type { Ctx } from '#platform/ctx.ts'
import { IDLE_MS, KNOWN_DEVICE_MS } from './rules.ts'

const DAY_MS = 24 * 60 * 60_000

/** Job `clean_up`, once an hour: takes away what has run out. Everything it removes is worth nothing already. */
export async function cleanUp(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const now = ctx.now()
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  await sql`delete from session where expires_at <= ${now} or seen_at <= ${before(IDLE_MS)}`.execute(ctx.db)
  await sql`delete from known_device where seen_at <= ${before(KNOWN_DEVICE_MS)}`.execute(ctx.db)
  await sql`delete from verification where expires_at <= ${now} or used_at <= ${before(DAY_MS)}`.execute(ctx.db)
  await sql`delete from sign_in_guard where coalesce(blocked_until, failed_at) <= ${before(DAY_MS)}`.execute(ctx.db)
  await sql`delete from rate_limit where used_up_to <= ${now}`.execute(ctx.db)
  await sql`delete from idempotency_key where created_at <= ${before(DAY_MS)}`.execute(ctx.db)
}
