import { sql } from 'kysely'
import { present } from '#kernel/assert.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { sealContent } from '../engine/envelope.ts'
import type { Vault } from '../engine/vault.ts'
import {
  identityOf,
  lastCharacters,
  type KeyFormat,
  type KeyLine,
  type KeyParts,
} from '../rules.ts'

export interface Stocking {
  readonly item: string
  /** Code of the brand, part of what makes a key the same as another. */
  readonly brand: string
  readonly format: KeyFormat
  readonly batchId: string
}

/** A key that is to go into stock. */
export interface NewKey {
  readonly stocking: Stocking
  readonly line: KeyLine
}

export interface SealedKey {
  readonly id: string
  readonly item: string
  readonly batchId: string
  readonly nonce: Buffer
  readonly ciphertext: Buffer
  readonly wrappedKey: Buffer
  readonly kekId: number
  readonly expiresOn: string
  readonly fingerprint: Buffer
  readonly lastFour: string
}

/** Keys as their rows, encrypted, of one item or many. The vault is asked once, and outside of any transaction. */
export async function sealKeys(
  ctx: Pick<Ctx, 'newId' | 'random' | 'keys'>,
  { vault, kekId }: { readonly vault: Vault; readonly kekId: number },
  fresh: readonly NewKey[],
): Promise<SealedKey[]> {
  const sealed = fresh.map(({ stocking, line: { parts, expiresOn } }) => {
    const place = { id: ctx.newId(), item: stocking.item }
    return {
      ...place,
      ...sealContent(Buffer.from(JSON.stringify(parts)), place, ctx.random),
      batchId: stocking.batchId,
      expiresOn: expiresOn ?? 'infinity',
      fingerprint: fingerprintOf(ctx, stocking, parts),
      lastFour: lastCharacters(stocking.format, parts),
    }
  })
  const wrapped = await vault.wrap(
    kekId,
    sealed.map(({ id, item, rowKey }) => ({ id, item, rowKey })),
  )
  return sealed.map(({ rowKey: _, ...row }, index) => ({
    ...row,
    kekId,
    wrappedKey: present(wrapped[index], 'wrapped key'),
  }))
}

/** Stores sealed keys, of one item or many; those the shop has, or has had, are left out. @returns how many went into stock */
export async function storeKeys(tx: Tx, rows: readonly SealedKey[]): Promise<number> {
  if (rows.length === 0) return 0
  // One array a column: a row of parameters each would take several times as long to send and to plan.
  const column = <Name extends keyof SealedKey>(name: Name) => rows.map((row) => row[name])
  const stored = await sql`
    insert into card_key (id, item, batch_id, expires_on, nonce, ciphertext, wrapped_key, kek_id, fingerprint, last_four)
    select * from unnest(${column('id')}::uuid[], ${column('item')}::uuid[], ${column('batchId')}::uuid[], ${column('expiresOn')}::date[], ${column('nonce')}::bytea[],
      ${column('ciphertext')}::bytea[], ${column('wrappedKey')}::bytea[], ${column('kekId')}::integer[], ${column('fingerprint')}::bytea[], ${column('lastFour')}::text[])
    on conflict (fingerprint) do nothing`.execute(tx)
  return Number(stored.numAffectedRows ?? 0n)
}

/** The same for the same key, however it is spelled; without the shop's own key it tells nothing. */
export function fingerprintOf(
  ctx: Pick<Ctx, 'keys'>,
  { brand, format }: Pick<Stocking, 'brand' | 'format'>,
  parts: KeyParts,
): Buffer {
  return ctx.keys.mac('card key', identityOf(brand, format, parts))
}
