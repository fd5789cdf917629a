import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from './db.ts'

const ANSWER_MS = 2_000
const KEPT_MS = 2_000
/** More than fits into 64 KB: the server puts what the function made into a file. */
const KEPT_ROWS = 8_000

/**
 * Whether the database takes writes at this moment: it makes a file on its disk (for more rows than fit into memory) and confirms a
 * transaction by its log. One that answers reading while its disk is full does not. Asked at most every two seconds, however often this is.
 */
export function createWriteProbe(db: Db, keptMs = KEPT_MS): () => Promise<boolean> {
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | null = null
  return () => {
    if (!asked || performance.now() - asked.at >= keptMs)
      asked = { at: performance.now(), answer: isWritable(db) }
    return asked.answer
  }
}

/** A database that does not answer in time counts as gone: a frozen one keeps its connections open. */
function isWritable(db: Db): Promise<boolean> {
  const written = db
    .transaction()
    .execute(async (tx) => {
      await sql`set local work_mem = '64kB'`.execute(tx)
      await sql`select pg_current_xact_id(), (select count(*) from generate_series(1, ${KEPT_ROWS}::integer))`.execute(
        tx,
      )
    })
    .then(
      () => true,
      () => false,
    )
  return Promise.race([written, sleep(ANSWER_MS, false, { ref: false })])
}
