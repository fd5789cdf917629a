import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { openVault } from '#features/buying/vault/engine/vault.ts'
import { registerVaultKeys } from '#features/buying/vault/commands.ts'
import { nameDemo } from '#features/office/setting/commands.ts'
import { checkProgramKey } from '#features/people/factor/commands.ts'
import { newClient } from '#platform/client.ts'
import { environmentOf } from '#platform/child-environment.ts'
import { passOn } from '#platform/child-output.ts'
import type { Config } from '#platform/config.ts'
import { openDatabase } from '#platform/db.ts'
import { hasProgramKey, openKeys } from '#platform/keys.ts'
import type { Log } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import type { DatabaseAddresses } from '#platform/postgres/roles.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { refusal } from '#platform/refusal.ts'
import { secret } from '#platform/secret.ts'
import { openVaultKeys } from '#platform/vault-keys.ts'
import { hasOperators } from '#features/team/operator/queries.ts'
import { readDemoPeople } from '../demo-people-file.ts'
import { forgetOwnerLink, ownerLinkFile } from '../owner-link.ts'

export type Preparation = Readonly<{
  config: Config
  databaseUrl: string
  stopping: AbortSignal
  /** Tells the operator what takes a while. */
  say(line: string): void
}>

export async function bringToNewestSchema(addresses: DatabaseAddresses, log: Log): Promise<void> {
  const { applied, edition } = await migrate(addresses)
  if (applied.length > 0 || edition !== undefined)
    log.info('migrated the database', { applied, edition })
}

/**
 * Refuses, before anything is sold, keys of card keys that are not those of this database, or are lacking. Only who shows codes, and a demo
 * that makes them up, has use for keys.
 */
export async function checkVaultKeys(config: Config, databaseUrl: string): Promise<void> {
  if (config.role === 'worker' && !config.demo) return
  const vault = openVault(() => openVaultKeys(config))
  const db = openDatabase({ url: databaseUrl, poolSize: 1, statementTimeoutMs: 15_000 })
  try {
    await registerVaultKeys({ db, now: () => new Date() }, vault)
  } finally {
    await db.destroy()
  }
}

/** Refuses a key other than the one that second factors were sealed with, or none: sign-ins would fail one after the other. */
export async function checkSecretKey(config: Config, databaseUrl: string): Promise<void> {
  const db = openDatabase({ url: databaseUrl, poolSize: 1, statementTimeoutMs: 15_000 })
  try {
    await checkProgramKey(
      { db, now: () => new Date() },
      hasProgramKey(config) ? openKeys(config) : null,
    )
  } finally {
    await db.destroy()
  }
}

/** Fills an empty demo shop, so that the first visit finds goods and somebody to be. */
export async function prepareDemo(preparation: Preparation): Promise<void> {
  const { config, databaseUrl, say } = preparation
  if (!config.demo) return
  const lacking = await findLacking(databaseUrl)
  if (lacking.goods) say('Importing the demo catalogue.')
  if (lacking.goods)
    await runCommand(
      preparation,
      ['demo-goods'],
      'The demo catalogue could not be imported; the lines above say why.',
    )
  else if (lacking.name) await nameEarlierDemo(databaseUrl)
  await Promise.all([
    lacking.keys &&
      runCommand(
        preparation,
        ['demo-keys'],
        'The demo has no keys to sell; the lines above say why.',
      ),
    // The shopper has credit in one of the catalogue's currencies; a demo of before there were operators gets one.
    (lacking.people || !readDemoPeople(config.dataDirectory)) &&
      runCommand(
        preparation,
        ['demo-people'],
        'The demo shopper and operator could not be made; the lines above say why.',
      ),
  ])
  const people = readDemoPeople(config.dataDirectory)
  if (people) say(`Demo shopper: ${people.shopper.email}, password ${people.shopper.password}`)
  if (people?.operator)
    say(`Demo operator: ${people.operator.name}, password ${people.operator.password}`)
}

/** Whoever starts a shop that nobody runs yet finds the way in: a file, of which only the place is told. */
export async function prepareOwner(preparation: Preparation): Promise<void> {
  const { config, databaseUrl, say } = preparation
  // A demo has somebody made for it; a worker alone lets nobody in.
  if (config.demo || config.role === 'worker' || !config.console) return
  const db = openDatabase({ url: databaseUrl, poolSize: 1, statementTimeoutMs: 15_000 })
  try {
    if (await hasOperators(db)) return forgetOwnerLink(config)
  } finally {
    await db.destroy()
  }
  await runCommand(
    preparation,
    ['operator', 'invite'],
    'The link for the first owner could not be written; the lines above say why.',
  )
  say(`Nobody runs this shop yet. Open the link in ${ownerLinkFile(config)} to become its owner.`)
}

/** A demo of before shops had names keeps its goods: with those of now the release that made it could not go on (docs/operating/upgrade.md). */
async function nameEarlierDemo(databaseUrl: string): Promise<void> {
  const db = openDatabase({ url: databaseUrl, poolSize: 1, statementTimeoutMs: 15_000 })
  try {
    await nameDemo({ db })
  } finally {
    await db.destroy()
  }
}

/** In a process of its own, whose memory is gone afterwards. */
async function runCommand(
  { config, databaseUrl, stopping }: Preparation,
  args: readonly string[],
  complaint: string,
): Promise<void> {
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'src', 'cli.ts'), ...args], {
    cwd: PROJECT_ROOT,
    env: environmentOf({ ...config, databaseUrl: secret(databaseUrl) }),
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: stopping,
  })
  passOn(child)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw refusal(complaint)
}

type Lacking = Readonly<{ goods: boolean; name: boolean; people: boolean; keys: boolean }>

async function findLacking(databaseUrl: string): Promise<Lacking> {
  const client = newClient({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Lacking>(
      `select not exists (select from product) as goods, not exists (select from setting where key = 'shop') as name,
        not exists (select from account) or not exists (select from operator) as people, not exists (select from card_key) as keys`,
    )
    return rows[0] ?? { goods: false, name: false, people: false, keys: false }
  } finally {
    await client.end()
  }
}
