import { sql, type RawBuilder } from 'kysely'
import { takeShare } from '#features/base/limit/commands.ts'
import { present } from '#kernel/assert.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { mapInTurns } from '#platform/turns.ts'
import { openContent } from '../engine/envelope.ts'
import type { Vault, Wrapped } from '../engine/vault.ts'
import { isWithheld } from '../queries.ts'
import type { KeyParts, KeyPurpose, OpenedKey } from '../rules.ts'

/** Who looks at keys of their own. */
export interface Looker {
  readonly accountId: string
  readonly network: string
}

/** Keys that one account may look at in an hour; files of all of them apart. */
const REVEALS = { name: 'reveal_key', per: 3_600, burst: 200 } as const
const EXPORTS = { name: 'export_keys', per: 3_600, burst: 6 } as const
/** Of many keys, read and opened and noted by turns, so that a large file holds up nobody else's call. */
const AT_ONCE = 250
/** In one file; the newest. */
export const EXPORTED_MOST = 5_000

/**
 * The key of a unit, for the shopper who bought it; the caller has asked for a fresh proof. It is written down who saw it, in the
 * same transaction. Throws 'not_found' for what is not theirs, not delivered, void, or withheld while its payment is disputed or its money asked back, 'too_many_requests' for too many an hour.
 */
export async function revealKey(
  ctx: Ctx,
  vault: Vault,
  { unit, accountId, network }: Looker & { readonly unit: string },
): Promise<KeyParts> {
  await takeLook(ctx, accountId, REVEALS)
  const which = sql`and u.public_id = ${unit}`
  const rowKeys = await unwrapOwn(ctx, vault, accountId, which)
  return transaction(ctx, async (tx) => {
    const ordered = sql`o.id = (select order_id from order_unit where public_id = ${unit})`
    const [opened] = await openRows(await lockOwn(tx, accountId, ordered, which), rowKeys)
    if (!opened) throw new AppError('not_found')
    const { row, parts } = opened
    await noteLooks(tx, ctx, [row], 'image' in parts ? 'picture' : 'reveal', network)
    return parts
  })
}

/** All keys of a shopper, or of one order, newest first, each look written down. Throws as `revealKey` does. */
export async function exportKeys(
  ctx: Ctx,
  vault: Vault,
  { accountId, network, order }: Looker & { readonly order?: string | undefined },
): Promise<OpenedKey[]> {
  await takeLook(ctx, accountId, EXPORTS)
  const ordered = order === undefined ? sql`o.cards_delivered > 0` : sql`o.public_id = ${order}`
  const rowKeys = await unwrapOwn(ctx, vault, accountId, sql`and ${ordered}`)
  return transaction(ctx, async (tx) => {
    const opened = await openRows(await lockOwn(tx, accountId, ordered), rowKeys)
    await noteLooks(
      tx,
      ctx,
      opened.map(({ row }) => row),
      'export',
      network,
    )
    return opened.map(({ row, parts }) => ({ unit: row.unit, parts }))
  })
}

/**
 * The keys of one order, for whoever buys by a contract: a reveal of each that needs no proof and is bound by nothing but what they bought.
 */
export async function openOrderKeys(
  ctx: Ctx,
  vault: Vault,
  { accountId, network, order }: Looker & { readonly order: string },
): Promise<OpenedKey[]> {
  const ordered = sql`o.public_id = ${order}`
  const rowKeys = await unwrapOwn(ctx, vault, accountId, sql`and ${ordered}`)
  return transaction(ctx, async (tx) => {
    const opened = await openRows(await lockOwn(tx, accountId, ordered), rowKeys)
    await noteLooks(
      tx,
      ctx,
      opened.map(({ row }) => row),
      'reveal',
      network,
    )
    return opened.map(({ row, parts }) => ({ unit: row.unit, parts }))
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

/**
 * The rows' own keys, by the ids of their rows. The vault is asked before the transaction, whose locks wait for no other process; whether
 * its owner may still look at a row is seen under those locks.
 */
async function unwrapOwn(
  ctx: Ctx,
  vault: Vault,
  accountId: string,
  which: RawBuilder<unknown>,
): Promise<ReadonlyMap<string, Buffer>> {
  const { rows } = await sql<{ id: string }>`
    select k.id
    from shop_order o join order_unit u on u.order_id = o.id join card_key k on k.unit_id = u.id
    where o.account_id = ${accountId} and k.status = 'delivered' and u.status = 'delivered' ${which}
    order by o.created_at desc, o.id desc, u.id limit ${EXPORTED_MOST}`.execute(ctx.db)
  const rowKeys = new Map<string, Buffer>()
  for (const ids of portionsOf(rows)) {
    const { rows: some } = await sql<Wrapped>`
      select id, item, wrapped_key as "wrappedKey", kek_id as "kekId" from card_key where id = any(${ids}::uuid[])`.execute(
      ctx.db,
    )
    const keys = await vault.unwrap(some)
    for (const [index, { id }] of some.entries())
      rowKeys.set(id, present(keys[index], 'unwrapped key'))
  }
  return rowKeys
}

function* portionsOf(rows: readonly { readonly id: string }[]): Generator<readonly string[]> {
  for (let from = 0; from < rows.length; from += AT_ONCE)
    yield rows.slice(from, from + AT_ONCE).map(({ id }) => id)
}

interface SealedRow {
  readonly id: string
  readonly unit: string
  readonly item: string
  readonly nonce: Buffer
  readonly ciphertext: Buffer
}

/**
 * A shopper's keys that may be shown. Their orders are locked first, and the keys read by a statement after it: who gives an order's
 * money back at the same moment holds its row, so that nobody is shown a key and has the money.
 */
async function lockOwn(
  tx: Tx,
  accountId: string,
  ordered: RawBuilder<unknown>,
  which = sql``,
): Promise<SealedRow[]> {
  const { rows: orders } = await sql<{ id: string }>`
    select o.id from shop_order o where o.account_id = ${accountId} and ${ordered} order by o.id for share`.execute(
    tx,
  )
  if (orders.length === 0) return []
  const { rows: locked } = await sql<{ id: string }>`
    select k.id
    from shop_order o join order_unit u on u.order_id = o.id join card_key k on k.unit_id = u.id
    where o.id = any(${orders.map(({ id }) => id)}::uuid[]) and k.status = 'delivered' and u.status = 'delivered' and not ${isWithheld} ${which}
    order by o.created_at desc, o.id desc, u.id limit ${EXPORTED_MOST} for no key update of k`.execute(
    tx,
  )
  const rows: SealedRow[] = []
  for (const ids of portionsOf(locked)) {
    const read = await sql<SealedRow>`
      select k.id, u.public_id as unit, k.item, k.nonce, k.ciphertext
      from unnest(${ids}::uuid[]) with ordinality as wanted (id, place) join card_key k on k.id = wanted.id join order_unit u on u.id = k.unit_id
      order by wanted.place`.execute(tx)
    rows.push(...read.rows)
  }
  return rows
}

async function noteLooks(
  tx: Tx,
  ctx: Ctx,
  rows: readonly SealedRow[],
  purpose: KeyPurpose,
  network: string,
): Promise<void> {
  const now = ctx.now()
  for (const ids of portionsOf(rows)) {
    await sql`
      insert into key_access (id, key_id, actor, purpose, network, request_id, at)
      select id, key_id, ${ctx.actor}, ${purpose}, ${network}, ${ctx.requestId}, ${now}
      from unnest(${ids.map(() => ctx.newId())}::uuid[], ${ids}::uuid[]) as look (id, key_id)`.execute(
      tx,
    )
    await sql`update card_key set revealed_at = ${now} where id = any(${ids}::uuid[]) and revealed_at is null`.execute(
      tx,
    )
  }
}

/** A row that was delivered since its owner's keys were unwrapped is left for the next look. */
async function openRows(
  rows: readonly SealedRow[],
  rowKeys: ReadonlyMap<string, Buffer>,
): Promise<{ readonly row: SealedRow; readonly parts: KeyParts }[]> {
  const opened = await mapInTurns(rows, (row) => {
    const rowKey = rowKeys.get(row.id)
    if (!rowKey) return []
    const { nonce, ciphertext } = row
    const content = openContent({ rowKey, nonce, ciphertext }, row)
    return [{ row, parts: JSON.parse(content.toString('utf8')) as KeyParts }]
  })
  return opened.flat()
}
