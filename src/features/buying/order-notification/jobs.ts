import type { Ctx } from '#platform/ctx.ts'
import { notifyBuyers } from './commands.ts'

/** Every minute, for what the calls right after payments, refunds and deliveries have missed. */
export async function notifyAll(ctx: Ctx): Promise<void> {
  await notifyBuyers(ctx)
}

/** Long enough that orders paid at the same time share transactions, short enough that nobody notices. */
const GATHERED_MS = 250

export interface Notifier {
  /** Tells soon what there is to tell; however often it is called meanwhile, one run at a time does it. */
  readonly soon: () => void
  /** Resolves when nothing is being told any more. */
  readonly idle: () => Promise<void>
}

/** Tells after jobs that may have written events, without a job of its own for each. */
export function createNotifier(ctx: Ctx): Notifier {
  let running: Promise<void> | null = null
  let isAsked = false
  const run = async () => {
    while (isAsked) {
      await new Promise((resolve) => {
        setTimeout(resolve, GATHERED_MS)
      })
      isAsked = false
      await notifyBuyers(ctx).catch((error: unknown) =>
        ctx.log.error('buyers could not be told; the next minute tries again', { error }),
      )
    }
    running = null
  }
  return {
    soon() {
      isAsked = true
      running ??= run()
    },
    idle: async () => {
      await running
    },
  }
}
