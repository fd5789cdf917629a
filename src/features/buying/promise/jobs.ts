import type { Ctx } from '#platform/ctx.ts'
import { forgetMended, noteBroken, recordLook } from './commands.ts'
import {
  findLook,
  listBrokenOf,
  listBrokenOfBooks,
  listChanged,
  listOrderIds,
  nextPosition,
} from './queries.ts'

const EVENTS_AT_ONCE = 2_000
const ORDERS_AT_ONCE = 500

/** Looks at the promises of every order that something has happened to since the last look. */
export async function checkChanged(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const now = ctx.now()
  let position = (await findLook(ctx.db, 'changed'))?.position ?? null
  for (let isMore = true; isMore && !signal?.aborted; ) {
    const changed = await listChanged(ctx.db, { position, now }, EVENTS_AT_ONCE)
    await noteBroken(ctx, await listBrokenOf(ctx.db, changed.orderIds))
    isMore = changed.position !== null && changed.position !== position
    position = changed.position ?? position
  }
  await recordLook(ctx, 'changed', { position: nextPosition(position, now), endedAt: null })
}

/**
 * Looks at the promises of all orders, a page at a time, and at the end at those of the books as a whole. Cut off, it goes on with the
 * page it was at; what was broken and is found whole is forgotten.
 */
export async function checkEverything(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const known = await findLook(ctx.db, 'everything')
  const begunAt = ctx.now()
  const isWhole = known === null || known.position === null
  let position = known?.position ?? null
  const endedAt = known?.endedAt ?? null
  while (!signal?.aborted) {
    const ids = await listOrderIds(ctx.db, position, ORDERS_AT_ONCE)
    await noteBroken(ctx, await listBrokenOf(ctx.db, ids))
    position = ids.at(-1) ?? null
    if (position === null) break
    await recordLook(ctx, 'everything', { position, endedAt })
  }
  if (signal?.aborted) return
  await noteBroken(ctx, await listBrokenOfBooks(ctx.db))
  if (isWhole) await forgetMended(ctx, begunAt)
  await recordLook(ctx, 'everything', { position: null, endedAt: ctx.now() })
}
