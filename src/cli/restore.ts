import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { configFromEnvironment, type Config } from '#platform/config.ts'
import { makeDataDirectory } from '#platform/data-directory.ts'
import { createLogger, type Log } from '#platform/log.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { archiveOf, restoreCluster } from '#platform/postgres/restore.ts'
import { refusal } from '#platform/refusal.ts'
import { readiedLines, readyRestored, reconcileLine, type ReadiedShop } from './after-restore.ts'
import { noteRestore } from './backup-check.ts'
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
      ...readiedLines(restored),
      ...missingKeys(config),
      reconcileLine(restored.until),
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

export interface RestoredShop extends ReadiedShop {
  /** The instant, or when the last thing happened that is known. */
  readonly until: Date
}

/**
 * Restores the database into an empty data directory and looks whether its promises hold. Sales after the instant are lost, and
 * nothing here says which keys they took or which numbers they had: see `readyRestored`.
 */
export async function restoreShop(
  config: Config,
  log: Log,
  wanted: { readonly backup: string; readonly at: Date | null; readonly isQuarantining: boolean },
): Promise<RestoredShop> {
  if (config.databaseUrl)
    throw refusal(
      'The database is on a server of your own (DATABASE_URL): restore it with the tools of that server, then run npm run cli -- after-restore.',
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
    const readied = await readyRestored(server.addresses, log, wanted.isQuarantining)
    const directory = archiveOf(wanted.backup)
    if (directory !== null)
      noteRestore(directory, { at: new Date(), isRight: readied.violations.length === 0 })
    return { ...readied, until: wanted.at ?? readied.lastEvent ?? new Date() }
  } finally {
    await server.stop()
  }
}
