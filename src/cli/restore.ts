import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { countViolations, findLastEvent } from '#features/buying/order/queries.ts'
import { quarantineSold } from '#features/buying/vault/commands.ts'
import { configFromEnvironment, type Config } from '#platform/config.ts'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { makeDataDirectory } from '#platform/data-directory.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger, type Log } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { archiveOf, restoreCluster } from '#platform/postgres/restore.ts'
import { refusal } from '#platform/refusal.ts'
import { optionOf, type Run } from './commands.ts'
import { instantOf } from './instant-argument.ts'
import { positionals } from './table.ts'

export const restoreCommand: Run = async (args) => {
  const config = configFromEnvironment()
  const told = optionOf(args, '--at')
  const at = told === null ? null : instantOf(told, '--at')
  const restored = await restoreShop(config, createLogger({ level: config.logLevel }), {
    backup: resolve(positionals(args)[0] ?? ''),
    at,
    isQuarantining: !args.includes('--no-quarantine'),
  })
  process.stdout.write(
    [
      `Restored to ${at?.toISOString() ?? 'the end of the archive'} in ${config.dataDirectory}.`,
      restored.violations.length === 0
        ? 'Every promise about orders, money and keys holds.'
        : `Promises are broken: ${restored.violations.join(', ')}. Look at the view invariant_violation before you open the shop.`,
      ...(restored.quarantined.length > 0
        ? [
            `Not for sale until npm run cli -- keys release <item>: ${restored.quarantined.map(({ itemCode, count }) => `${itemCode} (${count})`).join(', ')}. Keys that were sold after this instant are among them. Orders that were being paid for get another key, or wait for one.`,
          ]
        : []),
      ...missingKeys(config),
      `Once it runs, ask your payment services what was paid since: npm run cli -- payments reconcile --since ${restored.until.toISOString()} --as <name>`,
      '',
    ].join('\n'),
  )
  return restored.violations.length === 0 ? 0 : 1
}

function missingKeys({ dataDirectory, vaultKeys, secretKey }: Config): string[] {
  const missing = [
    ...(vaultKeys || existsSync(join(dataDirectory, 'vault.key')) ? [] : ['vault.key']),
    ...(secretKey || existsSync(join(dataDirectory, 'secret.key')) ? [] : ['secret.key']),
  ]
  return missing.length === 0
    ? []
    : [
        `Before you start the shop, put ${missing.join(' and ')} back into ${dataDirectory} from your copies.`,
      ]
}

export interface RestoredShop {
  /** Promises that do not hold. */
  readonly violations: readonly string[]
  readonly quarantined: readonly { readonly itemCode: string; readonly count: number }[]
  /** The instant, or when the last thing happened that is known. */
  readonly until: Date
}

/**
 * Restores the database into an empty data directory and looks whether its promises hold. Sales after the instant are lost, and
 * nothing here says which keys they took: the free ones of what was being sold, and those reserved, are kept back, so that none
 * is sold twice.
 */
export async function restoreShop(
  config: Config,
  log: Log,
  wanted: { readonly backup: string; readonly at: Date | null; readonly isQuarantining: boolean },
): Promise<RestoredShop> {
  if (config.databaseUrl)
    throw refusal(
      'The database is on a server of your own (DATABASE_URL): restore it with the tools of that server.',
    )
  makeDataDirectory(config.dataDirectory)
  await restoreCluster({
    backup: wanted.backup,
    backupDirectory: archiveOf(wanted.backup),
    dataDirectory: config.dataDirectory,
    archiveTo: config.backupDirectory,
    at: wanted.at,
  })
  const server = await startEmbeddedPostgres({
    dataDirectory: config.dataDirectory,
    log,
    archiveTo: config.backupDirectory,
  })
  try {
    await migrate(server.addresses)
    const db = openDatabase({ url: server.addresses.program, poolSize: 2, statementTimeoutMs: 0 })
    try {
      // The shop's own key may not be back yet, and nothing is asked of it here.
      const ctx: Ctx = createCtx({ db, keys: createKeys(Buffer.alloc(32)), log, actor: 'restore' })
      const quarantined = wanted.isQuarantining ? await quarantineSold(ctx) : []
      return {
        quarantined,
        violations: (await countViolations(db)).map(
          ({ invariant, count }) => `${invariant} (${count})`,
        ),
        until: wanted.at ?? (await findLastEvent(db)) ?? ctx.now(),
      }
    } finally {
      await db.destroy()
    }
  } finally {
    await server.stop()
  }
}
