import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Ctx } from '#platform/ctx.ts'

/** Rows of a batch: as many as are hashed in a moment. */
const BATCH_ROWS = 5_000
/** Clocks are set back by less. */
const MARGIN = '5 seconds'
const LOOK_MS = 250
const LOOKS = 40

interface Edge {
  /** No row of a later transaction has a lesser id. */
  readonly id: string
  /** Every transaction that may have one has a lesser number. */
  readonly transaction: string
}

export type Sealer = (ctx: Pick<Ctx, 'db'>, signal?: AbortSignal) => Promise<number>

/**
 * Seals what was written to the trail, in batches that name each other. What a transaction in flight has written cannot be seen yet, so
 * an edge is drawn first, and sealed up to it once all that ran then are over; a long import is waited for from run to run.
 * @returns how to do it; that answers how many rows were sealed
 */
export function createSealer(): Sealer {
  let edge: Edge | null = null
  return async ({ db }, signal) => {
    edge ??= await drawEdge(db)
    for (let look = 0; !(await isOver(db, edge)); look += 1) {
      if (look === LOOKS || signal?.aborted) return 0
      await sleep(LOOK_MS)
    }
    let sealed = 0
    while (!signal?.aborted) {
      const { rows } = await sql<{
        sealed: number
      }>`select seal_audit(${edge.id}, ${BATCH_ROWS}) as sealed`.execute(db)
      const count = rows[0]?.sealed ?? 0
      sealed += count
      if (count < BATCH_ROWS) break
    }
    edge = null
    return sealed
  }
}

async function drawEdge(db: Ctx['db']): Promise<Edge> {
  const drawn = await sql<{
    id: string
  }>`select uuidv7(-(${MARGIN}::interval))::text as id`.execute(db)
  // Asked afterwards: a statement sees the transactions that ran when it began.
  const next = await sql<{
    transaction: string
  }>`select pg_snapshot_xmax(pg_current_snapshot())::text as transaction`.execute(db)
  return { id: drawn.rows[0]?.id ?? '', transaction: next.rows[0]?.transaction ?? '' }
}

async function isOver(db: Ctx['db'], { transaction }: Edge): Promise<boolean> {
  const { rows } = await sql<{
    over: boolean
  }>`select pg_snapshot_xmin(pg_current_snapshot()) >= ${transaction}::xid8 as over`.execute(db)
  return rows[0]?.over ?? false
}
