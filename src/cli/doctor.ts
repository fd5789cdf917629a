import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { sql } from 'kysely'
import { countWaiting } from '#features/mail/queries.ts'
import { countViolations } from '#features/order/queries.ts'
import { countRefused } from '#features/refund/queries.ts'
import { countStrays } from '#features/stray-payment/queries.ts'
import { configFromEnvironment, type Config } from '#platform/config.ts'
import { openDatabase, type Db } from '#platform/db.ts'
import { shippedBinaries } from '#platform/postgres/binaries.ts'
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
    return 'the server of DATABASE_URL answers'
  }
  checkClusterVersion(config.dataDirectory)
  const running = existsSync(config.dataDirectory)
    ? runningEmbeddedPostgres(config.dataDirectory)
    : undefined
  if (running) {
    await checkServer(running)
    await checkDurability(running)
  }
  return `embedded PostgreSQL ${shippedBinaries().version}${running ? ', running' : ', not running'}`
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
  const refused = (await withOpenDatabase(config, countRefused)) ?? 0
  const strays = (await withOpenDatabase(config, countStrays)) ?? 0
  const unknown =
    strays === 0
      ? ''
      : `; ${strays} paid at a provider ${strays === 1 ? 'belongs' : 'belong'} to no order here, see: npm run cli -- payments strays`
  return `every promise about orders, money and keys holds${unknown}${refused === 0 ? '' : `; ${refused} ${refused === 1 ? 'refund was' : 'refunds were'} refused by the payment provider, see: npm run cli -- refund list`}`
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
    (existsSync(config.dataDirectory) ? runningEmbeddedPostgres(config.dataDirectory) : undefined)
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
