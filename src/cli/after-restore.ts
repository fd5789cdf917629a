import { sql } from 'kysely'
import { countViolations, findLastEvent } from '#features/buying/order/queries.ts'
import { quarantineSold } from '#features/buying/vault/commands.ts'
import { endAllSessions } from '#features/people/session/commands.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger, type Log } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import type { DatabaseAddresses } from '#platform/postgres/roles.ts'
import { refusal } from '#platform/refusal.ts'
import { moveNumbersOn } from '#platform/schema/number-sequences.ts'
import type { Run } from './commands.ts'
import { requireShop, withDatabase } from './database.ts'

/** What a restored database is, once nothing that was given before can be given again. */
export interface ReadiedShop {
  /** Promises that do not hold. */
  readonly violations: readonly string[]
  /** Sessions that were ended: which of them had ended since the instant, nothing here says. */
  readonly sessions: number
  readonly quarantined: readonly { readonly itemCode: string; readonly count: number }[]
  /** When the last thing happened that the database knows of. */
  readonly lastEvent: Date | null
}

/** What `restore` does to the embedded database, for one that the tools of its own server brought back. */
export const afterRestoreCommand: Run = async (args) => {
  const config = configFromEnvironment()
  const log = createLogger({ level: config.logLevel })
  requireShop(config)
  const readied = await withDatabase(config, log, async (addresses) => {
    await refuseWhileRunning(addresses)
    return readyRestored(addresses, log, !args.includes('--no-quarantine'))
  })
  const { lastEvent } = readied
  process.stdout.write(
    [
      'Numbers go on where none was ever given.',
      ...readiedLines(readied),
      ...(lastEvent === null ? [] : [reconcileLine(lastEvent)]),
      '',
    ].join('\n'),
  )
  return readied.violations.length === 0 ? 0 : 1
}

/**
 * Makes a database that was brought back to an earlier instant fit to be opened: what was given after it is lost, and is not given again.
 * Numbers move on; every session ends; the free keys of what was being sold, and those reserved, are kept back, as nothing here says which were sold since.
 */
export async function readyRestored(
  addresses: DatabaseAddresses,
  log: Log,
  isQuarantining: boolean,
): Promise<ReadiedShop> {
  await migrate(addresses)
  await withCtx(addresses.owner, log, (ctx) => moveNumbersOn(ctx.db, ctx.now()))
  return withCtx(addresses.program, log, async (ctx) => ({
    sessions: await endAllSessions(ctx),
    quarantined: isQuarantining ? await quarantineSold(ctx) : [],
    violations: (await countViolations(ctx.db)).map(
      ({ invariant, count }) => `${invariant} (${count})`,
    ),
    lastEvent: await findLastEvent(ctx.db),
  }))
}

/** The same sentences after either command. */
export function readiedLines({ violations, sessions, quarantined }: ReadiedShop): string[] {
  return [
    violations.length === 0
      ? 'Every promise about orders, money and keys holds.'
      : `Promises are broken: ${violations.join(', ')}. Look at the view invariant_violation before you open the shop.`,
    `Everybody signs in again: ${sessions} sessions have ended, as those that had ended since would be alive again.`,
    ...(quarantined.length > 0
      ? [
          `Not for sale until npm run cli -- keys release <item>: ${quarantined.map(({ itemCode, count }) => `${itemCode} (${count})`).join(', ')}. Keys that were sold after this instant are among them. Orders that were being paid for get another key, or wait for one.`,
        ]
      : []),
  ]
}

export function reconcileLine(since: Date): string {
  return `Once it runs, ask your payment services what was paid since: npm run cli -- payments reconcile --since ${since.toISOString()} --as <name>`
}

/** A process that runs has numbers in hand that it drew before. */
async function refuseWhileRunning({ program }: DatabaseAddresses): Promise<void> {
  const db = openDatabase({ url: program, poolSize: 1, statementTimeoutMs: 15_000 })
  try {
    const { rows } = await sql<{
      kind: string
    }>`select kind from running_process where seen_at > now() - interval '30 seconds' limit 1`.execute(
      db,
    )
    if (rows[0])
      throw refusal(
        `A ${rows[0].kind} process of this shop runs: stop the shop first, and wait half a minute.`,
      )
  } finally {
    await db.destroy()
  }
}

async function withCtx<T>(url: string, log: Log, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const db = openDatabase({ url, poolSize: 2, statementTimeoutMs: 0 })
  try {
    // The shop's own key may not be back yet, and nothing is asked of it here.
    return await work(createCtx({ db, keys: createKeys(Buffer.alloc(32)), log, actor: 'restore' }))
  } finally {
    await db.destroy()
  }
}
