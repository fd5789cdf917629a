import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { sql } from 'kysely'
import { configFromEnvironment, type Config } from '#platform/config.ts'
import { freeSpaceSentence, lowDiskSentence, readDiskSpace } from '#platform/disk.ts'
import { shippedBinaries } from '#platform/postgres/binaries.ts'
import { runningEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { checkClusterVersion } from '#platform/postgres/place.ts'
import {
  backupNote,
  backupProblems,
  lastRestoreIn,
  newestCopyIn,
  readArchiver,
} from './backup-check.ts'
import type { Run } from './commands.ts'
import { checkDurability, checkServer, noShopSentence } from './database.ts'
import { lookAtAudit } from './doctor/audit.ts'
import {
  lookAtAlerts,
  lookAtBackground,
  lookAtClock,
  lookAtOrders,
  lookAtSettings,
} from './doctor/background.ts'
import { finding, linesOf, withOpenDatabase, type Finding, type Found } from './doctor/finding.ts'
import {
  lookAtMail,
  lookAtPayments,
  lookAtPictures,
  lookAtRates,
  lookAtScreening,
  lookAtSecretKey,
  lookAtSignIn,
  lookAtTextMessages,
  lookAtVault,
} from './doctor/services.ts'

const OLDEST_NODE = 24

/** Looks at everything a shop needs and changes nothing. */
export const doctor: Run = async () => {
  const findings = await examine(configFromEnvironment())
  for (const line of findings.flatMap(linesOf)) process.stdout.write(`${line}\n`)
  return findings.some(({ problems }) => problems.length > 0) ? 1 : 0
}

/** Each look is bounded in time, and none waits for another, so that a machine in trouble gets its answer too. */
export function examine(config: Config, promisesWithinMs?: number): Promise<readonly Finding[]> {
  return Promise.all([
    finding('shop', async () => ({ note: shop(config) })),
    finding('runtime', async () => nodeVersion()),
    finding('data directory', async () => ({ note: dataDirectory(config) })),
    finding('disk', () => disk(config)),
    finding('database', async () => ({ note: await database(config) })),
    finding('roles', () => roles(config)),
    finding('clock', () => lookAtClock(config)),
    finding('backups', () => backups(config)),
    finding('mail', () => lookAtMail(config)),
    finding('payments', () => lookAtPayments(config)),
    finding('exchange rates', () => lookAtRates(config)),
    finding('screening', () => lookAtScreening(config)),
    finding('sign-in', () => lookAtSignIn(config)),
    finding('text messages', () => lookAtTextMessages(config)),
    finding('pictures', () => lookAtPictures(config)),
    finding('keys', () => lookAtVault(config)),
    finding('secret key', () => lookAtSecretKey(config)),
    finding('settings', () => lookAtSettings(config)),
    finding('background', () => lookAtBackground(config)),
    finding('alerts', () => lookAtAlerts(config)),
    finding('orders', () => lookAtOrders(config, promisesWithinMs)),
    finding('audit', () => lookAtAudit(config)),
  ])
}

/** The same of a process of the shop, which is told by an address where its own database is. */
export function examineHere(config: Config, promisesWithinMs: number): Promise<readonly Finding[]> {
  const own = runningEmbeddedPostgres(config.dataDirectory)?.program
  const isEmbedded = own !== undefined && config.databaseUrl?.reveal() === own
  return examine(isEmbedded ? { ...config, databaseUrl: undefined } : config, promisesWithinMs)
}

function nodeVersion(): Found {
  const major = Number(process.versions.node.split('.')[0])
  const note = `Node ${process.versions.node}`
  return major >= OLDEST_NODE
    ? { note }
    : { problems: [`${note}; run npm ci, which brings Node ${OLDEST_NODE}, and use npm run.`] }
}

/** A command in a shell without the variables of the service looks at another shop, or at none. */
function shop({ publicUrl, demo, databaseUrl, dataDirectory: path }: Config): string {
  const place = databaseUrl ? 'the server of DATABASE_URL' : path
  return `${publicUrl}${demo ? ', a demo' : ''}, in ${place}`
}

function dataDirectory({ dataDirectory: path, databaseUrl }: Config): string {
  if (!existsSync(path)) {
    if (!databaseUrl) throw new Error(noShopSentence(path))
    return `${path} does not exist yet; the first start makes it`
  }
  if (!statSync(path).isDirectory()) throw new Error(`${path} is not a folder`)
  accessSync(path, constants.W_OK | constants.X_OK)
  return path
}

async function disk(config: Config): Promise<Found> {
  if (!existsSync(config.dataDirectory)) return { note: 'not looked at before the first start' }
  const [low, spaces] = await Promise.all([lowDiskSentence(config), readDiskSpace(config)])
  return {
    problems: low === null ? [] : [`${low}: the database stops when a disk is full`],
    note: spaces.map(freeSpaceSentence).join('; '),
  }
}

async function database(config: Config): Promise<string> {
  const own = config.databaseUrl?.reveal()
  if (own) {
    await checkServer(own)
    await checkDurability(own)
    return 'the server of DATABASE_URL answers'
  }
  checkClusterVersion(config.dataDirectory)
  const running = existsSync(config.dataDirectory)
    ? runningEmbeddedPostgres(config.dataDirectory)
    : undefined
  if (running) {
    await checkServer(running.program)
    await checkDurability(running.program)
  }
  return `embedded PostgreSQL ${shippedBinaries().version}${running ? ', running' : ', not running'}`
}

/** Whether the program's role could do more than it needs: whoever owns a table may change all of it, whatever it was granted. */
async function roles(config: Config): Promise<Found> {
  const owns = await withOpenDatabase(config, async (db) => {
    const { rows } = await sql<{ owns: boolean }>`
      select exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and pg_has_role(current_user, relowner, 'member')) as owns`.execute(db)
    return rows[0]?.owns ?? false
  })
  if (owns === null) return { note: 'not looked at, as the database does not run' }
  return owns ? { work: [ONE_ROLE] } : { note: 'the program owns no table that it writes' }
}

const ONE_ROLE =
  'the role of DATABASE_URL owns the tables it writes, so that it could change what is only to be added to, as the ledger and the audit log: docs/operating/install.md tells how to have two'

/** Whether what is written reaches the archive, and how old the newest copy is. */
async function backups(config: Config): Promise<Found> {
  const directory = config.backupDirectory ?? null
  const facts = {
    directory,
    isOwnServer: config.databaseUrl !== undefined,
    archiver: await withOpenDatabase(config, readArchiver),
    newestCopy: directory === null ? null : newestCopyIn(directory),
    lastRestore: directory === null ? null : lastRestoreIn(directory),
  }
  return { problems: backupProblems(facts, new Date()), note: backupNote(facts) }
}
