import { recountStock } from '#features/goods/stock/commands.ts'
import type { Ctx } from '#platform/ctx.ts'
import { writeShelves } from './commands.ts'
import { isNeverCounted } from './queries.ts'

/** Every minute. Keys that were there before batches were counted are counted first, once. */
export async function followShelves(ctx: Ctx): Promise<void> {
  if (await isNeverCounted(ctx.db)) {
    const changed = await recountStock(ctx)
    ctx.log.info('counted the stock by batches', { changed })
  }
  await writeShelves(ctx)
}
