import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { PageState } from '#console/page.ts'
import type { Db } from '#platform/db.ts'
import { quantile } from '../load/client.ts'
import type { Talk } from '../load/talk.ts'

/** A page of the console at one address, as one operator alone opens it. */
export interface PageFigures {
  readonly what: string
  readonly page: 1 | 100
  /** Milliseconds a page: the database's own, of all statements of a page together. */
  readonly sql: number
  /** Milliseconds over HTTP. */
  readonly p50: number
  readonly p95: number
  readonly max: number
}

const TRIES = 40
/** Until the server has told its statistics of what was asked. */
const TOLD_MS = 2_500
const JSON_ONLY = 'accept: application/json'

/** Opens one page of the console, as its application does. @returns what it shows and how long that took, in milliseconds */
export async function openPage(
  talk: Talk,
  cookie: string,
  address: string,
): Promise<{ readonly state: PageState; readonly took: number }> {
  const began = performance.now()
  const { status, text } = await talk('GET', `/console${address}`, [`cookie: ${cookie}`, JSON_ONLY])
  const took = performance.now() - began
  if (status !== 200) throw new Error(`${address} answers ${status}: ${text.slice(0, 300)}`)
  return { state: JSON.parse(text) as PageState, took }
}

/** The address of a list's hundredth page; undefined where it has fewer. */
export async function hundredthPage(
  talk: Talk,
  cookie: string,
  first: string,
): Promise<string | undefined> {
  let address: string | undefined = first
  for (let page = 1; page < 100 && address !== undefined; page += 1) {
    const { state } = await openPage(talk, cookie, address)
    const { older, next } = state.data as { older?: string | null; next?: string | null }
    address = older ?? next ?? undefined
  }
  return address
}

export async function measurePage(
  db: Db,
  talk: Talk,
  cookie: string,
  { what, page, address }: { what: string; page: 1 | 100; address: string },
): Promise<PageFigures> {
  await openPage(talk, cookie, address)
  const before = await activeTime(db)
  const times: number[] = []
  for (let index = 0; index < TRIES; index += 1)
    times.push((await openPage(talk, cookie, address)).took)
  const spent = (await activeTime(db)) - before
  const sorted = Float64Array.from(times).sort()
  return {
    what,
    page,
    sql: spent / TRIES,
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    max: sorted.at(-1) ?? 0,
  }
}

/** Milliseconds that this database has spent on statements since it was made. */
async function activeTime(db: Db): Promise<number> {
  await sleep(TOLD_MS)
  const { rows } = await sql<{
    spent: number
  }>`select active_time as spent from pg_stat_database where datname = current_database()`.execute(
    db,
  )
  return rows[0]?.spent ?? 0
}
