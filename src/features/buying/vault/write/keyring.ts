import { sql } from 'kysely'
import { present } from '#kernel/assert.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import type { KnownKey, Vault, Wrapped } from '../engine/vault.ts'
import { READER_GONE_SECONDS } from '../queries.ts'

const REWRAPPED_AT_ONCE = 500

/**
 * Notes the numbers of the vault's keys. The first key of a shop is in use at once, a later one when `activateKey` says so. @returns the
 * one that new card keys go under. Throws a refusal when a key in use is missing, or is not the one that was used under its number before.
 */
export async function registerVaultKeys(
  ctx: Pick<Ctx, 'db' | 'now'>,
  vault: Vault,
): Promise<number> {
  const known = new Map((await vault.keys()).map((key) => [key.id, key]))
  await noteKeys(ctx, [...known.values()])
  const registered = await ctx.db
    .selectFrom('key_encryption_key')
    .select(['id', 'check_value', 'active_at', 'retired_at'])
    .orderBy('id')
    .execute()
  for (const {
    id,
    check_value: expected,
    active_at: activeAt,
    retired_at: retiredAt,
  } of registered) {
    const key = known.get(id)
    if (!key && activeAt !== null && retiredAt === null)
      throw refusal(
        `Key ${id} of the card keys is missing. Put back VAULT_KEYS, or vault.key in DATA_DIR, from your backup.`,
      )
    if (key && !key.checkValue.equals(expected))
      throw refusal(
        `Key ${id} of the card keys is another one than before. Put back VAULT_KEYS, or vault.key in DATA_DIR, from your backup.`,
      )
  }
  const current = registered.findLast(({ active_at: activeAt }) => activeAt !== null)
  return present(current, 'a key of the card keys that is in use').id
}

async function noteKeys(ctx: Pick<Ctx, 'db' | 'now'>, known: readonly KnownKey[]): Promise<void> {
  await ctx.db
    .insertInto('key_encryption_key')
    .values(
      known.map(({ id, checkValue }) => ({ id, check_value: checkValue, created_at: ctx.now() })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  await sql`
    update key_encryption_key set active_at = ${ctx.now()} where id = (select max(id) from key_encryption_key)
    and not exists (select from key_encryption_key where active_at is not null)`.execute(ctx.db)
}

export interface Reader {
  readonly id: string
  /** "web process 4711 on shop-1" */
  readonly name: string
}

/** Says which keys a process that shows codes can reach. @returns those in use that it cannot */
export async function announceReader(
  ctx: Pick<Ctx, 'db' | 'now'>,
  { id, name }: Reader,
  keyIds: readonly number[],
): Promise<number[]> {
  const seen = { name, key_ids: [...keyIds], seen_at: ctx.now() }
  await ctx.db
    .insertInto('vault_reader')
    .values({ id, ...seen })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(seen))
    .execute()
  const inUse = await ctx.db
    .selectFrom('key_encryption_key')
    .select('id')
    .where('active_at', 'is not', null)
    .where('retired_at', 'is', null)
    .execute()
  return inUse.map((key) => key.id).filter((key) => !keyIds.includes(key))
}

export async function forgetReader(ctx: Pick<Ctx, 'db'>, id: string): Promise<void> {
  await ctx.db.deleteFrom('vault_reader').where('id', '=', id).execute()
}

/**
 * Puts a key into use once every process that shows codes can reach it. One that starts meanwhile waits for the lock, and then sees what
 * it lacks. @returns the names of those that cannot reach it; empty when it is in use
 */
export async function activateKey(ctx: Ctx, keyId: number): Promise<string[]> {
  return transaction(ctx, async (tx, now) => {
    await sql`lock table vault_reader in share row exclusive mode`.execute(tx)
    await sql`delete from vault_reader where seen_at < ${now}::timestamptz - make_interval(secs => ${READER_GONE_SECONDS})`.execute(
      tx,
    )
    const lacking = await tx
      .selectFrom('vault_reader')
      .select('name')
      .where(sql<boolean>`not ${keyId} = any(key_ids)`)
      .orderBy('name')
      .execute()
    if (lacking.length === 0)
      await tx
        .updateTable('key_encryption_key')
        .set({ active_at: now })
        .where('id', '=', keyId)
        .where('active_at', 'is', null)
        .execute()
    return lacking.map(({ name }) => name)
  })
}

/** Whether a key other than this one still has rows wrapped under it. */
export async function hasOlder(ctx: Pick<Ctx, 'db'>, keyId: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('card_key')
    .select('id')
    .where('kek_id', '<>', keyId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Wraps the rows' keys under another key-encryption key, some at a time, while the shop goes on; no card key is decrypted. Older keys
 * under which nothing is left are retired. @returns how many rows changed
 */
export async function rewrapAll(ctx: Ctx, vault: Vault, keyId: number): Promise<number> {
  let total = 0
  for (;;) {
    const count = await rewrapSome(ctx, vault, keyId)
    total += count
    if (count > 0) continue
    await sql`
      update key_encryption_key set retired_at = ${ctx.now()} where id < ${keyId} and retired_at is null
      and not exists (select from card_key where kek_id = key_encryption_key.id)
      and not exists (select from key_import where kek_id = key_encryption_key.id)
      and not exists (select from key_export where kek_id = key_encryption_key.id)`.execute(ctx.db)
    return total
  }
}

/** The vault is asked between two statements: a row that somebody wrapped anew meanwhile is left to the next round. */
async function rewrapSome(ctx: Ctx, vault: Vault, keyId: number): Promise<number> {
  const rows: readonly Wrapped[] = await ctx.db
    .selectFrom('card_key')
    .select(['id', 'item', 'wrapped_key as wrappedKey', 'kek_id as kekId'])
    .where('kek_id', '<>', keyId)
    .limit(REWRAPPED_AT_ONCE)
    .execute()
  if (rows.length === 0) return 0
  const rowKeys = await vault.unwrap(rows)
  const fresh = await vault.wrap(
    keyId,
    rows.map(({ id, item }, index) => ({ id, item, rowKey: present(rowKeys[index], 'row key') })),
  )
  return transaction(ctx, (tx) => storeWrapped(tx, rows, fresh, keyId))
}

async function storeWrapped(
  tx: Tx,
  rows: readonly Wrapped[],
  fresh: readonly Buffer[],
  keyId: number,
): Promise<number> {
  await sql`update card_key set wrapped_key = fresh.wrapped_key, kek_id = ${keyId}
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ kekId }) => kekId)}::integer[], ${[...fresh]}::bytea[]) as fresh (id, kek_id, wrapped_key)
    where card_key.id = fresh.id and card_key.kek_id = fresh.kek_id`.execute(tx)
  return rows.length
}
