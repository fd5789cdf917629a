import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Sequences whose numbers people outside are told, and the number they begin after. Every other one is the database's own affair. */
export const TOLD_SEQUENCES: Readonly<Record<string, bigint>> = {
  order_sequence: 0n,
  review_number: 1_000_000_000n,
}

/** More numbers than can have been given in what is lost. */
const GAP = 10_000_000n
/** No shop gives more of them a second over the years: a place by the clock is then one that no time line of it has reached yet. */
const NUMBERS_A_SECOND = 250n
const COUNTED_FROM = Date.UTC(2026, 0, 1)

/**
 * Moves the sequences past every number that may have been given after the instant a database was restored to: those were told to people,
 * and to payment services, and none is given a second time. A gap alone would not do: the same backup may be restored twice, and what was
 * sold in between would be repeated; so each goes at least as far as the clock says.
 * @param db as the owner of the tables: the program's own role cannot set a sequence back, nor on
 */
export async function moveNumbersOn(db: Db, now: Date): Promise<void> {
  const seconds = BigInt(Math.max(0, Math.floor((now.getTime() - COUNTED_FROM) / 1_000)))
  for (const [sequence, base] of Object.entries(TOLD_SEQUENCES)) {
    const place = base + seconds * NUMBERS_A_SECOND
    await sql`select setval(${sequence}::regclass, greatest(last_value + ${GAP.toString()}::bigint, ${place.toString()}::bigint)) from ${sql.table(sequence)}`.execute(
      db,
    )
  }
}
