import { sql } from 'kysely'
import { present } from '#kernel/assert.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { openContent } from '../engine/envelope.ts'
import type { Vault } from '../engine/vault.ts'
import type { KeyParts } from '../rules.ts'

/** A key that leaves the shop in a file. */
export interface LeavingKey {
  readonly id: string
  readonly parts: KeyParts
  /** A calendar day; null for none. */
  readonly expiresOn: string | null
}

interface Row {
  readonly id: string
  readonly item: string
  readonly nonce: Buffer
  readonly ciphertext: Buffer
  readonly wrappedKey: Buffer
  readonly kekId: number
  readonly expiresOn: string | null
}

/** As much of it is in memory at once, and one key more. */
const PIECE_BYTES = 1_048_576

/** Opens the next keys of a batch that are kept back, in the order in which they came in; the vault unwraps the key of each. */
export async function openQuarantined(
  ctx: Pick<Ctx, 'db'>,
  vault: Vault,
  {
    batch,
    after,
    limit,
  }: { readonly batch: string; readonly after: string | null; readonly limit: number },
): Promise<LeavingKey[]> {
  const goesOn = after === null ? sql`` : sql`and id > ${after}::uuid`
  const { rows } = await sql<Row>`
    with next as (
      select id, sum(octet_length(ciphertext)) over (order by id) - octet_length(ciphertext) as before from (
        select id, ciphertext from card_key where batch_id = ${batch}::uuid and status = 'quarantined' ${goesOn} order by id limit ${limit}) as k
    )
    select id, item, nonce, ciphertext, wrapped_key as "wrappedKey", kek_id as "kekId", nullif(expires_on, 'infinity')::text as "expiresOn" from card_key
    where id in (select id from next where before < ${PIECE_BYTES}::bigint) order by id`.execute(
    ctx.db,
  )
  const keys = rows.length === 0 ? [] : await vault.unwrap(rows)
  return rows.map((row, index) => {
    const { nonce, ciphertext, id, expiresOn } = row
    const rowKey = present(keys[index], 'unwrapped key')
    const content = openContent({ rowKey, nonce, ciphertext }, row)
    return { id, expiresOn, parts: JSON.parse(content.toString('utf8')) as KeyParts }
  })
}

/** Writes down of each key that it went into somebody's file. Throws 'changed_meanwhile' where one is not kept back any more. */
export async function noteLeaving(
  tx: Tx,
  ctx: Pick<Ctx, 'newId' | 'now'>,
  keys: readonly Pick<LeavingKey, 'id'>[],
  { actor, requestId }: { readonly actor: string; readonly requestId: string },
): Promise<void> {
  if (keys.length === 0) return
  const { rows } = await sql`
    select id from card_key where id = any(${keys.map(({ id }) => id)}::uuid[]) and status = 'quarantined' for no key update`.execute(
    tx,
  )
  if (rows.length !== keys.length) throw new AppError('changed_meanwhile')
  await tx
    .insertInto('key_access')
    .values(
      keys.map(({ id }) => ({
        id: ctx.newId(),
        key_id: id,
        actor,
        purpose: 'export',
        request_id: requestId,
        at: ctx.now(),
      })),
    )
    .execute()
}
