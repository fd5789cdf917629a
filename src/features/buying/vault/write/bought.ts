import { sql } from 'kysely'
import { dayOf } from '#kernel/day.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { boughtFormat, boughtKey, type BoughtCard } from '../engine/bought-card.ts'
import type { Vault } from '../engine/vault.ts'
import { getFormat } from '../queries.ts'
import type { LineFault } from '../rules.ts'
import { registerVaultKeys } from './keyring.ts'
import { sealKeys, type NewKey, type SealedKey } from './stocking.ts'

/** Cards that one purchase has brought. */
export interface Bought {
  /** Of the purchase: what came by it is withdrawn as one batch is. */
  readonly batchId: string
  readonly item: string
  readonly cards: readonly BoughtCard[]
}

/**
 * Encrypts what was bought, each as its brand's own keys are, before it is stored: the vault is asked outside of any transaction.
 * Or why one of them cannot be kept.
 */
export async function sealBought(
  ctx: Ctx,
  vault: Vault,
  { batchId, item, cards }: Bought,
): Promise<{ readonly keys: readonly SealedKey[] } | { readonly fault: LineFault }> {
  const { brand, format } = await getFormat(ctx.db, item)
  const fresh: NewKey[] = []
  for (const card of cards) {
    const read = boughtKey(format, card, dayOf(ctx.now()))
    if ('fault' in read) return read
    const stocking = { item, brand, format: boughtFormat(format, read.key.parts), batchId }
    fresh.push({ stocking, line: read.key })
  }
  const kekId = await registerVaultKeys(ctx, vault)
  return { keys: await sealKeys(ctx, { vault, kekId }, fresh) }
}

/** Notes the batch that a purchase brings, beside those that are imported. */
export async function openBought(
  tx: Tx,
  ctx: Pick<Ctx, 'now' | 'actor'>,
  {
    batchId,
    item,
    from,
  }: { readonly batchId: string; readonly item: string; readonly from: string },
): Promise<void> {
  await tx
    .insertInto('key_batch')
    .values({
      id: batchId,
      item,
      file_name: from,
      imported: 0,
      duplicates: 0,
      refused: 0,
      created_at: ctx.now(),
      created_by: ctx.actor,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/**
 * Stores bought keys as delivered to units of a locked order, each to its own; one that the shop holds, or has held, is somebody's already
 * and goes to nobody. @returns the units that got one
 */
export async function deliverBought(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  pairs: readonly { readonly unitId: string; readonly key: SealedKey }[],
): Promise<ReadonlySet<string>> {
  if (pairs.length === 0) return new Set()
  const now = ctx.now()
  const { rows } = await sql<{ unitId: string }>`
    insert into card_key (id, item, batch_id, expires_on, nonce, ciphertext, wrapped_key, kek_id, fingerprint, last_four, status, unit_id, claimed_at, delivered_at)
    select id, item, batch_id, expires_on, nonce, ciphertext, wrapped_key, kek_id, fingerprint, last_four, 'delivered', unit_id, ${now}, ${now}
    from ${keysOf(pairs.map(({ key }) => key))} join unnest(${pairs.map(({ key }) => key.id)}::uuid[], ${pairs.map(({ unitId }) => unitId)}::uuid[]) as given (key_id, unit_id) on given.key_id = id
    on conflict (fingerprint) do nothing returning unit_id as "unitId"`.execute(tx)
  await countIn(tx, pairs[0]?.key.batchId ?? '', rows.length)
  return new Set(rows.map(({ unitId }) => unitId))
}

/** Keeps bought keys back that nobody waits for any more, until a person puts them on sale. @returns how many the shop did not have */
export async function keepBack(tx: Tx, keys: readonly SealedKey[]): Promise<number> {
  if (keys.length === 0) return 0
  const kept = await sql`
    insert into card_key (id, item, batch_id, expires_on, nonce, ciphertext, wrapped_key, kek_id, fingerprint, last_four, status)
    select *, 'quarantined' from ${keysOf(keys)} on conflict (fingerprint) do nothing`.execute(tx)
  const count = Number(kept.numAffectedRows ?? 0n)
  await countIn(tx, keys[0]?.batchId ?? '', count)
  return count
}

/**
 * Withdraws a batch of bought keys of which nobody has, or has seen, any: none of them can be sold from then on. False, with nothing changed,
 * where somebody has.
 */
export async function withdrawUnseen(
  tx: Tx,
  ctx: Pick<Ctx, 'now' | 'actor'>,
  batchId: string,
): Promise<boolean> {
  const { rows } = await sql<{ isUnseen: boolean }>`
    select coalesce(bool_and(revealed_at is null and status in ('void', 'quarantined')
      and not exists (select from key_access where key_id = key.id and purpose = 'export')), false) as "isUnseen" from (
      select id, revealed_at, status from card_key where batch_id = ${batchId} for no key update
    ) as key`.execute(tx)
  if (rows[0]?.isUnseen !== true) return false
  await tx
    .updateTable('key_batch')
    .set({ withdrawn_at: ctx.now(), withdrawn_by: ctx.actor })
    .where('id', '=', batchId)
    .where('withdrawn_at', 'is', null)
    .execute()
  await tx
    .updateTable('card_key')
    .set({ status: 'void' })
    .where('batch_id', '=', batchId)
    .where('status', '=', 'quarantined')
    .execute()
  return true
}

const keysOf = (keys: readonly SealedKey[]) => {
  const column = <Name extends keyof SealedKey>(name: Name) => keys.map((key) => key[name])
  return sql`unnest(${column('id')}::uuid[], ${column('item')}::uuid[], ${column('batchId')}::uuid[], ${column('expiresOn')}::date[], ${column('nonce')}::bytea[], ${column('ciphertext')}::bytea[],
    ${column('wrappedKey')}::bytea[], ${column('kekId')}::integer[], ${column('fingerprint')}::bytea[], ${column('lastFour')}::text[])
    as key (id, item, batch_id, expires_on, nonce, ciphertext, wrapped_key, kek_id, fingerprint, last_four)`
}

async function countIn(tx: Tx, batchId: string, count: number): Promise<void> {
  if (count === 0) return
  await tx
    .updateTable('key_batch')
    .set({ imported: sql<number>`imported + ${count}` })
    .where('id', '=', batchId)
    .execute()
}
