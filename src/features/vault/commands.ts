import { sql, type RawBuilder } from 'kysely'
import { takeShare } from '#features/limit/commands.ts'
import { recordAudit } from '#features/audit/commands.ts'
import { present } from '#kernel/assert.ts'
import { dayOf } from '#kernel/day.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import { checkValueOf, type VaultKeys } from '#platform/vault-keys.ts'
import { open, rewrap, seal } from './engine/envelope.ts'
import { isWithheld } from './queries.ts'
import {
  identityOf,
  lastCharacters,
  type KeyFormat,
  type KeyLine,
  type KeyParts,
  type KeyPurpose,
  type OpenedKey,
} from './rules.ts'

/** Keys looked for again while all that are left are being claimed by others. */
const CLAIM_TRIES = 40
const CLAIM_PAUSE_SECONDS = 0.025
const REWRAPPED_AT_ONCE = 500

/** Notes the numbers of the keys in use. Throws a refusal when one is not the key that was used under its number before. */
export async function registerVaultKeys(
  ctx: Pick<Ctx, 'db' | 'now'>,
  keys: VaultKeys,
): Promise<void> {
  const values = [...keys.byId.values()].map((key) => ({
    id: key.id,
    check_value: checkValueOf(key),
    created_at: ctx.now(),
  }))
  await ctx.db
    .insertInto('key_encryption_key')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const known = await ctx.db
    .selectFrom('key_encryption_key')
    .select(['id', 'check_value', 'retired_at'])
    .execute()
  for (const { id, check_value: expected, retired_at: retiredAt } of known) {
    const key = keys.byId.get(id)
    if (!key && retiredAt === null)
      throw refusal(
        `Key ${id} of the card keys is missing. Put back VAULT_KEYS, or vault.key in DATA_DIR, from your backup.`,
      )
    if (key && !checkValueOf(key).equals(expected))
      throw refusal(
        `Key ${id} of the card keys is another one than before. Put back VAULT_KEYS, or vault.key in DATA_DIR, from your backup.`,
      )
  }
}

export interface Stocking {
  readonly item: string
  /** Code of the brand, part of what makes a key the same as another. */
  readonly brand: string
  readonly format: KeyFormat
  readonly batchId: string
}

export interface NewBatch {
  readonly id: string
  readonly item: string
  /** Where its keys came from. */
  readonly fileName: string
  /** Keys in it, where that is known from the start. */
  readonly imported?: number
}

const FILE_NAME_MAX = 200

/** Notes where keys come from, before they are stored; a batch that is noted already stays as it is. */
export async function openBatches(
  tx: Tx,
  ctx: Pick<Ctx, 'now' | 'actor'>,
  batches: readonly NewBatch[],
): Promise<void> {
  await tx
    .insertInto('key_batch')
    .values(
      batches.map(({ id, item, fileName, imported = 0 }) => ({
        id,
        item,
        file_name: fileName.slice(0, FILE_NAME_MAX),
        imported,
        duplicates: 0,
        refused: 0,
        created_at: ctx.now(),
        created_by: ctx.actor,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** What came of a batch whose last line was read. */
export async function closeBatch(
  ctx: Pick<Ctx, 'db'>,
  id: string,
  counts: { readonly imported: number; readonly duplicates: number; readonly refused: number },
): Promise<void> {
  await ctx.db.updateTable('key_batch').set(counts).where('id', '=', id).execute()
}

/** Encrypts and stores keys; those the shop has, or has had, are left out. @returns how many went into stock */
export async function stockKeys(
  tx: Tx,
  ctx: Pick<Ctx, 'newId' | 'random' | 'keys'>,
  keys: VaultKeys,
  stocking: Stocking,
  lines: readonly KeyLine[],
): Promise<number> {
  return storeKeys(
    tx,
    lines.map((line) => sealKey(ctx, keys, stocking, line)),
  )
}

export type SealedKey = ReturnType<typeof sealKey>

/** A key as its row, encrypted. */
export function sealKey(
  ctx: Pick<Ctx, 'newId' | 'random' | 'keys'>,
  keys: VaultKeys,
  stocking: Stocking,
  { parts, expiresOn }: KeyLine,
) {
  const place = { id: ctx.newId(), item: stocking.item }
  return {
    ...place,
    ...seal(Buffer.from(JSON.stringify(parts)), place, keys.current, ctx.random),
    batchId: stocking.batchId,
    expiresOn: expiresOn ?? 'infinity',
    fingerprint: fingerprintOf(ctx, stocking, parts),
    lastFour: lastCharacters(stocking.format, parts),
  }
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

/**
 * Binds a key of the item to each unit: those that expire first, then those imported first. Keys that others are claiming are
 * passed over; while all that are left are such, it looks again, as the others may let go. Throws AppError `out_of_stock` when
 * there are not enough; the caller's transaction then keeps none.
 */
export async function claimKeys(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  item: string,
  unitIds: readonly string[],
): Promise<void> {
  let wanting = unitIds
  for (let tries = 0; wanting.length > 0; tries += 1) {
    const bound = new Set(await claimUnlocked(tx, ctx.now(), item, wanting))
    wanting = wanting.filter((unitId) => !bound.has(unitId))
    if (wanting.length === 0) return
    if (tries >= CLAIM_TRIES || (await countFree(tx, ctx.now(), item)) < wanting.length)
      throw new AppError('out_of_stock')
    await sql`select pg_sleep(${CLAIM_PAUSE_SECONDS})`.execute(tx)
  }
}

/** The ids of the units that got one. Materialised, so that what is locked is what is taken. */
async function claimUnlocked(
  tx: Tx,
  now: Date,
  item: string,
  unitIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ unit_id: string }>`
    with picked as materialized (
      select id from card_key where item = ${item} and status = 'free' and expires_on > ${dayOf(now)}::date
      order by expires_on, pick limit ${unitIds.length} for update skip locked
    ), bound as (
      select picked.id, unit.id as unit_id from (select id, row_number() over () as place from picked) as picked
      join unnest(${[...unitIds]}::uuid[]) with ordinality as unit (id, place) on unit.place = picked.place
    )
    update card_key set status = 'claimed', unit_id = bound.unit_id, claimed_at = ${now}
    from bound where card_key.id = bound.id returning card_key.unit_id`.execute(tx)
  return rows.map((row) => row.unit_id)
}

async function countFree(tx: Tx, now: Date, item: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from card_key where item = ${item} and status = 'free' and expires_on > ${dayOf(now)}::date`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

/** Puts keys that were only reserved back to where they stood in the queue. */
export async function releaseKeys(tx: Tx, unitIds: readonly string[]): Promise<void> {
  if (unitIds.length === 0) return
  await tx
    .updateTable('card_key')
    .set({ status: 'free', unit_id: null, claimed_at: null })
    .where('unit_id', 'in', unitIds)
    .where('status', '=', 'claimed')
    .execute()
}

/** What was sold and given back is never sold again. */
export async function voidKeys(tx: Tx, unitIds: readonly string[]): Promise<void> {
  if (unitIds.length === 0) return
  await tx
    .updateTable('card_key')
    .set({ status: 'void' })
    .where('unit_id', 'in', unitIds)
    .where('status', 'in', ['claimed', 'delivered'])
    .execute()
}

/** Who looks at keys of their own. */
export interface Looker {
  readonly accountId: string
  readonly network: string
}

/** Keys that one account may look at in an hour; files of all of them apart. */
const REVEALS = { name: 'reveal_key', per: 3_600, burst: 200 } as const
const EXPORTS = { name: 'export_keys', per: 3_600, burst: 6 } as const
/** In one file; the newest. */
export const EXPORTED_MOST = 5_000

/**
 * The key of a unit, for the shopper who bought it; the caller has asked for a fresh proof. It is written down who saw it, in the
 * same transaction. Throws 'not_found' for what is not theirs, not delivered, void, or withheld while its payment is disputed or its money asked back, 'too_many_requests' for too many an hour.
 */
export async function revealKey(
  ctx: Ctx,
  keys: VaultKeys,
  { unit, accountId, network }: Looker & { readonly unit: string },
): Promise<KeyParts> {
  await takeLook(ctx, accountId, REVEALS)
  return transaction(ctx, async (tx) => {
    const [row] = await lockOwn(tx, accountId, sql`and u.public_id = ${unit}`)
    if (!row) throw new AppError('not_found')
    const parts = openKey(row, keys)
    await noteLooks(tx, ctx, [row], 'image' in parts ? 'picture' : 'reveal', network)
    return parts
  })
}

/** All keys of a shopper, or of one order, newest first, each look written down. Throws as `revealKey` does. */
export async function exportKeys(
  ctx: Ctx,
  keys: VaultKeys,
  { accountId, network, order }: Looker & { readonly order?: string | undefined },
): Promise<OpenedKey[]> {
  await takeLook(ctx, accountId, EXPORTS)
  return transaction(ctx, async (tx) => {
    const rows = await lockOwn(
      tx,
      accountId,
      order === undefined ? sql`` : sql`and o.public_id = ${order}`,
    )
    await noteLooks(tx, ctx, rows, 'export', network)
    return rows.map((row) => ({ unit: row.unit, parts: openKey(row, keys) }))
  })
}

async function takeLook(
  ctx: Ctx,
  accountId: string,
  allowance: typeof REVEALS | typeof EXPORTS,
): Promise<void> {
  const share = await takeShare(ctx, { ...allowance, key: accountId })
  if (!share.ok) throw new AppError('too_many_requests', { seconds: share.seconds })
}

interface SealedRow {
  readonly id: string
  readonly unit: string
  readonly item: string
  readonly nonce: Buffer
  readonly ciphertext: Buffer
  readonly wrapped_key: Buffer
  readonly kek_id: number
}

async function lockOwn(
  tx: Tx,
  accountId: string,
  which: RawBuilder<unknown>,
): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select k.id, u.public_id as unit, k.item, k.nonce, k.ciphertext, k.wrapped_key, k.kek_id
    from shop_order o join order_unit u on u.order_id = o.id join card_key k on k.unit_id = u.id
    where o.account_id = ${accountId} and k.status = 'delivered' and u.status = 'delivered' and not ${isWithheld} ${which}
    order by o.created_at desc, o.id desc, u.id limit ${EXPORTED_MOST} for no key update of k`.execute(
    tx,
  )
  return rows
}

async function noteLooks(
  tx: Tx,
  ctx: Ctx,
  rows: readonly SealedRow[],
  purpose: KeyPurpose,
  network: string,
): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await sql`
    insert into key_access (id, key_id, actor, purpose, network, request_id, at)
    select id, key_id, ${ctx.actor}, ${purpose}, ${network}, ${ctx.requestId}, ${ctx.now()}
    from unnest(${ids.map(() => ctx.newId())}::uuid[], ${ids}::uuid[]) as look (id, key_id)`.execute(
    tx,
  )
  await sql`update card_key set revealed_at = ${ctx.now()} where id = any(${ids}::uuid[]) and revealed_at is null`.execute(
    tx,
  )
}

function openKey(row: SealedRow, keys: VaultKeys): KeyParts {
  const kek = present(keys.byId.get(row.kek_id), `key ${row.kek_id} of the card keys`)
  const content = open(
    {
      nonce: row.nonce,
      ciphertext: row.ciphertext,
      wrappedKey: row.wrapped_key,
      kekId: row.kek_id,
    },
    row,
    kek,
  )
  return JSON.parse(content.toString('utf8')) as KeyParts
}

/** The shopper notes that a key is used, or takes the note back. Throws 'not_found' for what is not theirs. */
export async function markUsed(
  ctx: Ctx,
  {
    unit,
    accountId,
    isUsed,
  }: { readonly unit: string; readonly accountId: string; readonly isUsed: boolean },
): Promise<void> {
  const marked = await sql`
    update card_key set used_at = ${isUsed ? ctx.now() : null}::timestamptz from order_unit u join shop_order o on o.id = u.order_id
    where u.id = card_key.unit_id and u.public_id = ${unit} and o.account_id = ${accountId} and card_key.status = 'delivered' and u.status = 'delivered'`.execute(
    ctx.db,
  )
  if (marked.numAffectedRows === 0n) throw new AppError('not_found')
}

/**
 * Wraps the rows' keys under the current key-encryption key, some at a time, while the shop goes on; no card key is decrypted.
 * An older key under which nothing is left is retired. @returns how many rows changed
 */
export async function rotateVault(ctx: Ctx, keys: VaultKeys): Promise<number> {
  await registerVaultKeys(ctx, keys)
  let total = 0
  for (;;) {
    const count = await rewrapSome(ctx, keys)
    total += count
    if (count > 0) continue
    await ctx.db
      .updateTable('key_encryption_key')
      .set({ retired_at: ctx.now() })
      .where('id', '<>', keys.current.id)
      .where('retired_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('card_key').select('id').whereRef('kek_id', '=', 'key_encryption_key.id'),
          ),
        ),
      )
      .execute()
    return total
  }
}

function rewrapSome(ctx: Ctx, keys: VaultKeys): Promise<number> {
  return transaction(ctx, async (tx) => {
    const rows = await tx
      .selectFrom('card_key')
      .select(['id', 'item', 'wrapped_key', 'kek_id'])
      .where('kek_id', '<>', keys.current.id)
      .limit(REWRAPPED_AT_ONCE)
      .forNoKeyUpdate()
      .execute()
    const wrapped = rows.map((row) => {
      const from = present(keys.byId.get(row.kek_id), `key ${row.kek_id} of the card keys`)
      return rewrap(
        { wrappedKey: row.wrapped_key, kekId: row.kek_id },
        row,
        from,
        keys.current,
        ctx.random,
      ).wrappedKey
    })
    await sql`update card_key set wrapped_key = fresh.wrapped_key, kek_id = ${keys.current.id}
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${wrapped}::bytea[]) as fresh (id, wrapped_key) where card_key.id = fresh.id`.execute(
      tx,
    )
    return rows.length
  })
}

export interface KeptBack {
  readonly itemCode: string
  readonly count: number
}

/**
 * Keeps back the free keys of every item that was sold on the last day there was a sale: after a restore, keys sold in what was
 * lost stand there as free. @returns the items and how many keys of each
 */
export async function quarantineSold(ctx: Ctx): Promise<KeptBack[]> {
  return transaction(ctx, async (tx, now) => {
    const { rows } = await sql<KeptBack>`
      with kept as (
        update card_key set status = 'quarantined' where status = 'free' and item in (
          select item from card_key where claimed_at > (select max(claimed_at) from card_key) - interval '1 day'
        ) returning item
      )
      select i.code as "itemCode", count(*)::integer as count from kept join item i on i.id = kept.item group by i.code order by i.code`.execute(
      tx,
    )
    await recordAudit(
      tx,
      ctx,
      now,
      rows.map(({ itemCode, count }) => ({
        action: 'quarantine',
        subject: 'item',
        subjectCode: itemCode,
        before: null,
        after: { keys: count },
      })),
    )
    return rows
  })
}

/** Puts keys of an item that were kept back on sale again. @returns how many; null when there is no such item */
export async function releaseQuarantined(ctx: Ctx, itemCode: string): Promise<number | null> {
  return transaction(ctx, async (tx, now) => {
    const item = await tx
      .selectFrom('item')
      .select('id')
      .where('code', '=', itemCode)
      .executeTakeFirst()
    if (!item) return null
    const { numUpdatedRows } = await tx
      .updateTable('card_key')
      .set({ status: 'free' })
      .where('item', '=', item.id)
      .where('status', '=', 'quarantined')
      .executeTakeFirst()
    const count = Number(numUpdatedRows)
    if (count > 0)
      await recordAudit(tx, ctx, now, [
        {
          action: 'release',
          subject: 'item',
          subjectCode: itemCode,
          before: null,
          after: { keys: count },
        },
      ])
    return count
  })
}
