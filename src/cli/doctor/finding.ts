import { existsSync } from 'node:fs'
import type { CheckSubject } from '#features/office/system/rules.ts'
import { newClient } from '#platform/client.ts'
import { openClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { openDatabase, type Db } from '#platform/db.ts'
import { createLogger } from '#platform/log.ts'
import { runningEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { systemErrorCode } from '#platform/refusal.ts'

/** What was found of one subject. */
export interface Finding {
  readonly subject: string
  /** Sentences on what is wrong; none when all is well. */
  readonly problems: readonly string[]
  /** What waits for a person, and is no fault. */
  readonly work: readonly string[]
  /** What is said when nothing is wrong. */
  readonly note: string
}

export type Found = Partial<Omit<Finding, 'subject'>>

/** Whatever keeps a look from being done is its finding. */
export async function finding(subject: CheckSubject, look: () => Promise<Found>): Promise<Finding> {
  const nothing = { subject, problems: [], work: [], note: '' }
  try {
    return { ...nothing, ...(await look()) }
  } catch (error) {
    return { ...nothing, problems: [error instanceof Error ? error.message : String(error)] }
  }
}

/** One line for each thing that is wrong, for each that waits for somebody, or for a subject that is well. */
export function linesOf({ subject, problems, work, note }: Finding): readonly string[] {
  return [
    ...problems.map((problem) => `wrong  ${subject}: ${problem}`),
    ...work.map((wait) => `waits  ${subject}: ${wait}`),
    ...(problems.length > 0 || (work.length > 0 && note === '')
      ? []
      : [`ok     ${subject}: ${note}`]),
  ]
}

/** A shop that is well answers each of these within moments. */
const STATEMENT_TIMEOUT_MS = 30_000
/** One that is frozen takes connections and answers none. */
const ANSWER_MS = 5_000
const UNDEFINED_TABLE = '42P01'

/** Null where there is no database yet, none that answers (which has a finding of its own), or one without the tables asked for. */
export async function withOpenDatabase<T>(
  config: Config,
  read: (db: Db) => Promise<T>,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): Promise<T | null> {
  const url =
    config.databaseUrl?.reveal() ??
    (existsSync(config.dataDirectory)
      ? runningEmbeddedPostgres(config.dataDirectory)?.program
      : undefined)
  if (!url || !(await answers(url))) return null
  const db = openDatabase({ url, poolSize: 1, statementTimeoutMs })
  try {
    return await read(db)
  } catch (error) {
    if (systemErrorCode(error) === UNDEFINED_TABLE) return null
    throw error
  } finally {
    await db.destroy()
  }
}

async function answers(url: string): Promise<boolean> {
  const client = newClient({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  try {
    await client.connect()
    await client.query('select 1')
    await client.end()
    return true
  } catch {
    // Nobody waits for the farewell of one that does not answer.
    void client.end().catch(() => {})
    return false
  }
}

/** What time it is, as the whole program counts it: the database's, and how far this machine's clock is off. */
export async function databaseTime(
  db: Db,
): Promise<{ readonly time: Date; readonly skewMs: number }> {
  const clock = await openClock(db, { ...createLogger({ level: 'error' }), warn: () => {} })
  clock.stop()
  return { time: clock.now(), skewMs: clock.skewMs() }
}
