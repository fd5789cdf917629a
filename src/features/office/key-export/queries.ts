import { sql } from 'kysely'
import type { WrappedFileKey } from '#features/buying/vault/rules.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { KEY_EXPORT_KEPT_MS, type KeyExportState } from './rules.ts'

/** A file of keys as its page shows it. */
export interface KeyExport {
  /** Public id. */
  readonly id: string
  readonly batch: string
  readonly state: KeyExportState
  readonly asked: number
  readonly keys: number
  readonly reason: string
  readonly askedBy: string
  readonly askedAt: Date
  readonly approvedBy: string | null
  /** Until when whoever asked can take it; null where they cannot. */
  readonly takenUntil: Date | null
}

interface Row extends Omit<KeyExport, 'takenUntil'> {
  readonly readyAt: Date | null
}

const LISTED = 20

/** Whether a batch's file is asked for, being made, or lies there. */
export async function hasOpenExport(tx: Tx, batch: string): Promise<boolean> {
  const row = await tx
    .selectFrom('key_export')
    .select('id')
    .where('batch_id', '=', batch)
    .where('state', 'in', ['waiting', 'making', 'ready'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Files of a batch's keys, newest first. */
export async function listKeyExports(db: Db, batch: string): Promise<KeyExport[]> {
  const { rows } = await sql<Row>`
    select public_id as id, batch_id as batch, state, asked, keys, reason, asked_by as "askedBy", asked_at as "askedAt", approved_by as "approvedBy", ready_at as "readyAt"
    from key_export where batch_id = ${batch}::uuid order by asked_at desc, id desc limit ${LISTED}`.execute(
    db,
  )
  return rows.map(({ readyAt, ...row }) => ({
    ...row,
    takenUntil:
      row.state === 'ready' && readyAt ? new Date(readyAt.getTime() + KEY_EXPORT_KEPT_MS) : null,
  }))
}

/** A file that the worker goes on with. */
export interface KeyExportWork {
  readonly id: string
  readonly item: string
  readonly batch: string
  readonly asked: number
  readonly keys: number
  readonly pieces: number
  readonly reached: string | null
  readonly key: WrappedFileKey | null
  readonly askedBy: string
  readonly requestId: string
}

export async function findKeyExportWork(db: Db): Promise<KeyExportWork | null> {
  const row = await db
    .selectFrom('key_export')
    .selectAll()
    .where('state', '=', 'making')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  return {
    id: row.id,
    item: row.item,
    batch: row.batch_id,
    asked: row.asked,
    keys: row.keys,
    pieces: row.pieces,
    reached: row.reached,
    key:
      row.wrapped_key === null || row.kek_id === null
        ? null
        : { wrappedKey: row.wrapped_key, kekId: row.kek_id },
    askedBy: row.asked_by,
    requestId: row.request_id,
  }
}

/** Keys of a batch that are kept back, counted to one more than `most`. */
export async function countQuarantined(tx: Tx, batch: string, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from card_key where batch_id = ${batch}::uuid and status = 'quarantined' limit ${most + 1}) as kept`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export async function readKeyExportPiece(db: Db, id: string, no: number) {
  const row = await db
    .selectFrom('key_export_piece')
    .select(['nonce', 'ciphertext'])
    .where('export_id', '=', id)
    .where('no', '=', no)
    .executeTakeFirst()
  return row ?? null
}
