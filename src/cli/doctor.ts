import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { sql } from 'kysely'
import { listMissing } from '#features/goods/browse/snapshot.ts'
import { readSetting } from '#features/base/setting/queries.ts'
import { sellIncompleteSetting } from '#features/base/shop/schema.ts'
import { listBrokenSettings } from '#features/office/setting/queries.ts'
import { countWaiting } from '#features/people/mail/queries.ts'
import { countViolations } from '#features/buying/order/queries.ts'
import { readLooks } from '#features/buying/promise/queries.ts'
import { countDifferences } from '#features/buying/reconciliation/queries.ts'
import { countRefused } from '#features/buying/refund/queries.ts'
import { countDebts } from '#features/buying/store-credit/queries.ts'
import { countStrays } from '#features/buying/unmatched-payment/queries.ts'
import { configFromEnvironment, type Config } from '#platform/config.ts'
import { openDatabase, type Db } from '#platform/db.ts'
import { shippedBinaries } from '#platform/postgres/binaries.ts'
import { newClient } from '#platform/client.ts'
import { runningEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { checkClusterVersion } from '#platform/postgres/place.ts'
import { isRefusal, refusal, systemErrorCode } from '#platform/refusal.ts'
import { createSmtpSender } from '#providers/mail/smtp/smtp-sender.ts'
import { backupNote, backupProblems, newestCopyIn, readArchiver } from './backup-check.ts'
import type { Run } from './commands.ts'
import { checkDurability, checkServer } from './database.ts'

type Finding = Readonly<{ subject: string; problem?: string; note: string }>

const OLDEST_NODE = 24

/** Looks at everything a start needs and changes nothing. */
export const doctor: Run = async () => {
  const config = configFromEnvironment()
  const findings = [
    nodeVersion(),
    await finding('data directory', async () => dataDirectory(config)),
    await finding('database', () => database(config)),
    await finding('backups', () => backups(config)),
    await finding('mail', () => mail(config)),
    await finding('settings', () => settings(config)),
    await finding('orders', () => orders(config)),
  ]
  for (const { subject, problem, note } of findings)
    process.stdout.write(`${problem ? 'wrong' : 'ok   '}  ${subject}: ${problem ?? note}\n`)
  return findings.some(({ problem }) => problem) ? 1 : 0
}

function nodeVersion(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  const note = `Node ${process.versions.node}`
  return major >= OLDEST_NODE
    ? { subject: 'runtime', note }
    : {
        subject: 'runtime',
        note,
        problem: `${note}; run npm ci, which brings Node ${OLDEST_NODE}, and use npm run.`,
      }
}

function dataDirectory({ dataDirectory: path }: Config): string {
  if (!existsSync(path)) return `${path} does not exist yet; the first start makes it`
  if (!statSync(path).isDirectory()) throw new Error(`${path} is not a folder`)
  accessSync(path, constants.W_OK | constants.X_OK)
  return path
}

async function database(config: Config): Promise<string> {
  const own = config.databaseUrl?.reveal()
  if (own) {
    await checkServer(own)
    await checkDurability(own)
    return `the server of DATABASE_URL answers${(await ownsTables(own)) ? '; its role owns the tables it writes, so that it could change what is only to be added to: docs/operating/install.md tells how to have two' : ''}`
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

/** Whether the program's role could do more than it needs. */
async function ownsTables(url: string): Promise<boolean> {
  const client = newClient({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ owns: boolean }>(
      `select has_schema_privilege(current_user, 'public', 'create') as owns`,
    )
    return rows[0]?.owns ?? false
  } finally {
    await client.end()
  }
}

/** Whether what is written reaches the archive, and how old the newest copy is. */
async function backups(config: Config): Promise<string> {
  const directory = config.backupDirectory ?? null
  const facts = {
    directory,
    isOwnServer: config.databaseUrl !== undefined,
    archiver: await withOpenDatabase(config, readArchiver),
    newestCopy: directory === null ? null : newestCopyIn(directory),
  }
  const problems = backupProblems(facts, new Date())
  if (problems.length > 0) throw refusal(problems.join(' Also, '))
  return backupNote(facts)
}

/** Whether every promise about orders, money and keys holds, as the database tells. */
async function orders(config: Config): Promise<string> {
  const broken = await withOpenDatabase(config, countViolations)
  if (!broken) return 'not looked at, as the database does not run or has no orders yet'
  if (broken.length > 0)
    throw refusal(
      `promises are broken: ${broken.map(({ invariant, count }) => `${invariant} (${count})`).join(', ')}. Take a backup, and look at the view invariant_violation.`,
    )
  const looks = await withOpenDatabase(config, readLooks)
  if (looks?.problem) throw refusal(looks.problem)
  const counts = await Promise.all([
    noted(config, countStrays, 'paid at a provider and of no order here', 'payments strays'),
    noted(config, countRefused, 'refunds refused by the payment provider', 'refund list'),
    noted(config, countDifferences, 'payments that differ from their provider', 'differences list'),
    noted(config, countDebts, 'debts of store credit', 'credit debts'),
  ])
  return ['every promise about orders, money and keys holds', ...counts.flat()].join('; ')
}

async function noted(
  config: Config,
  count: (db: Db) => Promise<number>,
  what: string,
  command: string,
): Promise<readonly string[]> {
  const found = (await withOpenDatabase(config, count)) ?? 0
  return found === 0 ? [] : [`${found} ${what}, see: npm run cli -- ${command}`]
}

/** Whether every setting of the shop can be read: what cannot has its default. */
async function settings(config: Config): Promise<string> {
  const broken = await withOpenDatabase(config, listBrokenSettings)
  if (!broken) return 'not looked at, as the database does not run or has no settings yet'
  if (broken.length > 0)
    throw refusal(`${broken.join('; ')}. Set it anew: npm run cli -- settings set`)
  const lacks = await withOpenDatabase(config, async (db) => ({
    missing: await listMissing(db),
    sells: await readSetting(db, sellIncompleteSetting),
  }))
  if (lacks && lacks.missing.length > 0)
    throw refusal(
      `the shop lacks ${lacks.missing.join(', ')}${lacks.sells ? '' : ' and sells nothing before they are there'}; see docs/operating/from-demo-to-real-shop.md.`,
    )
  return 'all can be read, and what a shop must have is there'
}

/** Asks the mail server for an answer, and the database whether mails wait for one. */
async function mail(config: Config): Promise<string> {
  const waiting = await waitingMails(config)
  const wait =
    waiting === 0 ? '' : `; ${waiting} ${waiting === 1 ? 'mail waits' : 'mails wait'} to be sent`
  if (!config.smtpUrl) {
    if (config.demo) return `kept in the demo's mailbox page${wait}`
    const sentence = `SMTP_URL is not set: nobody can get a code${wait}`
    if (waiting > 0) throw refusal(sentence)
    return sentence
  }
  const sender = createSmtpSender({ url: config.smtpUrl, from: config.mailFrom })
  try {
    await sender.check()
  } finally {
    sender.close()
  }
  return `the server of SMTP_URL answers${wait}`
}

/** None where there is no database yet. */
async function waitingMails(config: Config): Promise<number> {
  return (await withOpenDatabase(config, countWaiting)) ?? 0
}

/** Every order is looked at, which takes minutes where there are millions. */
const STATEMENT_TIMEOUT_MS = 600_000
const UNDEFINED_TABLE = '42P01'

/** Null where there is no database yet, none that answers (which has a finding of its own), or one without the tables asked for. */
async function withOpenDatabase<T>(
  config: Config,
  read: (db: Db) => Promise<T>,
): Promise<T | null> {
  const url =
    config.databaseUrl?.reveal() ??
    (existsSync(config.dataDirectory)
      ? runningEmbeddedPostgres(config.dataDirectory)?.program
      : undefined)
  if (!url) return null
  const db = openDatabase({ url, poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS })
  try {
    const isThere = await sql`select 1`.execute(db).then(
      () => true,
      () => false,
    )
    return isThere ? await read(db) : null
  } catch (error) {
    if (systemErrorCode(error) === UNDEFINED_TABLE) return null
    throw error
  } finally {
    await db.destroy()
  }
}

async function finding(subject: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { subject, note: await check() }
  } catch (error) {
    return {
      subject,
      note: '',
      problem: isRefusal(error) || error instanceof Error ? error.message : String(error),
    }
  }
}
