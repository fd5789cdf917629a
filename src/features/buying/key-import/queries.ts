import { sql, type RawBuilder } from 'kysely'
import type { WrappedFileKey } from '#features/buying/vault/rules.ts'
import { AppError } from '#kernel/error.ts'
import { isUuid } from '#kernel/uuid.ts'
import type { Db } from '#platform/db.ts'
import type { ImportFault, KeyImport } from './rules.ts'

type ImportRow = Omit<KeyImport, 'cost'> & { costMinor: string | null; costCurrency: string | null }

/** Imports, newest first; of one item, or of all. */
export function listImports(
  db: Db,
  { itemCode, limit }: { readonly itemCode?: string | undefined; readonly limit: number },
): Promise<KeyImport[]> {
  const which =
    itemCode === undefined
      ? sql`true`
      : sql`n.item = (select id from item where code = ${itemCode})`
  return read(db, sql`${which} order by n.created_at desc, n.id desc limit ${limit}`)
}

/** Throws 'not_found'. */
export async function getImport(db: Db, id: string): Promise<KeyImport> {
  const [found] = isUuid(id) ? await read(db, sql`n.id = ${id}::uuid`) : []
  if (!found) throw new AppError('not_found')
  return found
}

async function read(db: Db, which: RawBuilder<unknown>): Promise<KeyImport[]> {
  const { rows } = await sql<ImportRow>`
    with page as materialized (select n.* from key_import n where ${which})
    select n.id, n.item, i.code as "itemCode", i.name as "itemName", b.name as "brandName", n.status, n.file_name as "fileName", n.supplier, n.cost_minor::text as "costMinor",
      n.cost_currency as "costCurrency", n.expires_on::text as "expiresOn", n.bytes::double precision as bytes, n.lines, n.checked_lines as "checkedLines", n.fresh, n.known, n.doubled, n.malformed, n.expired,
      n.taken_lines as "takenLines", n.taken, n.skipped, n.batch_id as batch, n.created_at as "createdAt", n.created_by as "createdBy", n.updated_at as "updatedAt"
    from page n join item i on i.id = n.item join product p on p.code = i.product join brand b on b.code = p.brand order by n.created_at desc, n.id desc`.execute(
    db,
  )
  return rows.map(({ costMinor, costCurrency, ...row }) => ({
    ...row,
    cost:
      costMinor === null || costCurrency === null
        ? null
        : { minor: BigInt(costMinor), currency: costCurrency },
  }))
}

export interface ListedFault {
  readonly line: number
  readonly fault: ImportFault
  readonly part: string | null
  readonly sameAs: number | null
}

/** What is wrong with which lines, in their order, after a line. */
export async function listFaults(
  db: Db,
  id: string,
  afterLine: number,
  limit: number,
): Promise<ListedFault[]> {
  const { rows } = await sql<ListedFault>`
    select line, fault, part, same_as as "sameAs" from key_import_fault where import_id = ${id}::uuid and line > ${afterLine} order by line limit ${limit}`.execute(
    db,
  )
  return rows
}

/** An import as the worker goes on with it. */
export interface Work extends WrappedFileKey {
  readonly id: string
  readonly item: string
  readonly status: 'checking' | 'taking'
  readonly chunks: number
  /** The piece that is next. */
  readonly next: number
  readonly expiresOn: string | null
  readonly batch: string | null
}

/** What to go on with: that of which least is left, so that a pasted line does not wait for a million. */
export async function findWork(db: Db): Promise<Work | null> {
  const { rows } = await sql<Work>`
    select id, item, status, chunks, case status when 'checking' then checked_chunks else taken_chunks end as next, expires_on::text as "expiresOn", batch_id as batch,
      wrapped_key as "wrappedKey", kek_id as "kekId"
    from key_import where status in ('checking','taking')
    order by chunks - case status when 'checking' then checked_chunks else taken_chunks end, created_at, id limit 1`.execute(
    db,
  )
  return rows[0] ?? null
}

export interface StoredPiece {
  readonly firstLine: number
  readonly lines: number
  readonly nonce: Buffer
  readonly ciphertext: Buffer
}

/** A piece of a file; null where it is gone with its import. */
export async function findPiece(db: Db, id: string, no: number): Promise<StoredPiece | null> {
  const { rows } = await sql<StoredPiece>`
    select first_line as "firstLine", lines, nonce, ciphertext from key_import_chunk where import_id = ${id}::uuid and no = ${no}`.execute(
    db,
  )
  return rows[0] ?? null
}
