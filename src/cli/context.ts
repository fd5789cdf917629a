import { configFromEnvironment } from '#platform/config.ts'
import { openClock } from '#platform/clock.ts'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { openKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { withDatabase } from './database.ts'

/** Large writes of one command take longer than a visitor's query may. */
const STATEMENT_TIMEOUT_MS = 300_000
const POOL_SIZE = 2
/** An import thinks between two statements of its one transaction, and on a busy machine that takes a while. */
const THINKING_MS = 120_000

/** Runs a command's work on the shop's database at its newest schema, with a context of its own. */
export async function withContext<T>(actor: string, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const config = configFromEnvironment()
  const log = createLogger({ level: config.logLevel })
  return withDatabase(config, log, async ({ owner, program: url }) => {
    await migrate({ owner, program: url })
    const db = openDatabase({
      url,
      poolSize: POOL_SIZE,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      idleInTransactionMs: THINKING_MS,
    })
    try {
      const clock = await openClock(db, log)
      clock.stop()
      return await work(createCtx({ db, clock, keys: openKeys(config), log, actor }))
    } finally {
      await db.destroy()
    }
  })
}
