import { readSetting } from '#features/base/setting/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { OfferedRates } from '#providers/rates/offered.ts'
import { recordRates, type RatesRecorded } from './commands.ts'
import { publicationDue } from './engine/choice.ts'
import { findNewestPublication } from './queries.ts'
import { isRateSourceUsed } from './rules.ts'
import { ratePolicySetting } from './schema.ts'

/** A source may be early. */
const EARLY_MS = 3 * 3_600_000

/** Asks a source, if the owner's order names it and it may have something newer. @returns null where it was not asked */
export async function fetchRates(
  ctx: Ctx,
  { service, source }: OfferedRates,
  signal?: AbortSignal,
): Promise<RatesRecorded | null> {
  const policy = await readSetting(ctx.db, ratePolicySetting)
  if (!isRateSourceUsed(policy, service.code)) return null
  const newest = await findNewestPublication(ctx.db, service.code)
  // One that publishes once a day has nothing more to say until its next day.
  const isOnceADay = service.publishing.dueHour < 24
  const next = newest && publicationDue(service.code, newest, 1)
  if (isOnceADay && next && next.getTime() - EARLY_MS > ctx.now().getTime()) return null
  const table = await source.fetch(ctx.now(), signal)
  const recorded = await recordRates(ctx, service.code, table)
  ctx.log.info('exchange rates fetched', {
    source: service.code,
    published: table.publishedAt.toISOString(),
    quotes: recorded.quotes,
    changed: recorded.changed.length,
    held: recorded.held.length,
  })
  return recorded
}

/** The same of a source that has told nothing yet. One that has is asked in its own turn. */
export async function fetchFirstRates(
  ctx: Ctx,
  offered: OfferedRates,
  signal?: AbortSignal,
): Promise<RatesRecorded | null> {
  const isKnown = (await findNewestPublication(ctx.db, offered.service.code)) !== null
  return isKnown ? null : fetchRates(ctx, offered, signal)
}
