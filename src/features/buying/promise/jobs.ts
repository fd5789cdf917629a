import type { Ctx } from '#platform/ctx.ts'
import { forgetMended, noteBroken, recordLook } from './commands.ts'
import {
  findLook,
  listBrokenOf,
  listBrokenOfBooks,
  listChanges,
  listOrderIds,
  nextPosition,
} from './queries.ts'

const EVENTS_AT_ONCE = 2_000
const ORDERS_AT_ONCE = 500

type Looking = (ctx: Ctx, signal?: AbortSignal) => Promise<void>

/**
 * Looks at the promises of every order that something has happened to since the last look. The events of the last minute are read each
 * time, as some are written late; an order is looked at again only for one that this process has not seen.
 */
export function lookAtChanged(): Looking {
  let seen: ReadonlySet<string> = new Set()
  return async (ctx, signal) => {
    const now = ctx.now()
    const read: string[] = []
    let position = (await findLook(ctx.db, 'changed'))?.position ?? null
    for (let isMore = true; isMore && !signal?.aborted; ) {
      const changes = await listChanges(ctx.db, { position, now }, EVENTS_AT_ONCE)
      const news = changes.filter(({ id }) => !seen.has(id))
      await noteBroken(
        ctx,
        await listBrokenOf(ctx.db, [...new Set(news.map(({ orderId }) => orderId))]),
      )
      read.push(...changes.map(({ id }) => id))
      isMore = changes.length === EVENTS_AT_ONCE
      position = changes.at(-1)?.id ?? position
    }
    const next = nextPosition(position, now)
    await recordLook(ctx, 'changed', { position: next, endedAt: null })
    seen = new Set(read.filter((id) => id > next))
  }
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
