import type { Ctx } from '#platform/ctx.ts'
import { countStock, followSuppliers, recountStock, type CountedStock } from './commands.ts'
import { isToCount } from './queries.ts'

/** Shown stock follows what is there within this and the web process's own pause. */
const EVERY_MS = 2_000

/** Daily, when the day on which keys expire begins. */
export async function recountStockJob(ctx: Ctx): Promise<void> {
  const changed = await recountStock(ctx)
  ctx.log.info('counted the stock', { changed })
}

/** Every few seconds: suppliers come and go. */
export async function followSuppliersJob(ctx: Ctx): Promise<void> {
  const changed = await followSuppliers(ctx)
  if (changed > 0) ctx.log.info('other cards than before can be made to order', { changed })
}

export interface Counting {
  /** Resolves when nothing runs any more. */
  readonly stop: () => Promise<void>
}

/**
 * Counts again and again until stopped: a job a change would cost a sale more than what it counts. Looking at an empty table costs
 * nothing. `onCounted` is called when there was something to count.
 */
export function keepCounting(
  ctx: Ctx,
  onCounted: (counted: CountedStock) => Promise<void>,
): Counting {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let isStopped = false
  const next = () => {
    if (!isStopped) timer = setTimeout(() => (running = count().then(next)), EVERY_MS)
  }
  const count = async () => {
    try {
      if (!(await isToCount(ctx.db))) return
      await onCounted(await countStock(ctx))
    } catch (error) {
      ctx.log.warn('stock not counted, tried again', { error })
    }
  }
  next()
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
