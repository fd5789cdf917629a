import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { dayOf } from '#kernel/day.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import type { BatchTerms } from './write/batch.ts'

export {
  activateKey,
  announceReader,
  forgetReader,
  registerVaultKeys,
  type Reader,
} from './write/keyring.ts'
export { replaceKey } from './write/replace.ts'
export { releaseQuarantined, withdrawBatch } from './write/by-operator.ts'
export {
  moveKeys,
  requireCurrency,
  SELECTED_MOST,
  setBatchTerms,
  type BatchTerms,
  type KeyMove,
} from './write/batch.ts'
export {
  newFileKey,
  openFileKey,
  openPiece,
  sealPiece,
  type SealedPiece,
} from './write/pieces.ts'
export { noteLeaving, openQuarantined } from './write/leave.ts'
export { seeKey, SEEN_A_DAY } from './write/see.ts'
export { deliverBought, keepBack, openBought, sealBought, withdrawUnseen } from './write/bought.ts'
export { EXPORTED_MOST, exportKeys, openOrderKeys, revealKey } from './write/reveal.ts'
export {
  fingerprintOf,
  sealKeys,
  storeKeys,
  type NewKey,
  type SealedKey,
} from './write/stocking.ts'

/** Keys looked for again while all that are left are being claimed by others. */
const CLAIM_TRIES = 40
const CLAIM_PAUSE_SECONDS = 0.025

export interface NewBatch {
  readonly id: string
  readonly item: string
  /** Where its keys came from. */
  readonly fileName: string
  /** Keys in it, where that is known from the start. */
  readonly imported?: number
  readonly terms?: BatchTerms
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
      batches.map(({ id, item, fileName, imported = 0, terms }) => ({
        id,
        item,
        file_name: fileName.slice(0, FILE_NAME_MAX),
        imported,
        duplicates: 0,
        refused: 0,
        created_at: ctx.now(),
        created_by: ctx.actor,
        supplier: terms?.supplier ?? null,
        cost_minor: terms?.cost?.minor ?? null,
        cost_currency: terms?.cost?.currency ?? null,
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

/** Binds a key of the item to as many of the units as there are keys that nobody else is claiming. @returns which got one */
export const claimSome = (
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  item: string,
  unitIds: readonly string[],
): Promise<string[]> => claimUnlocked(tx, ctx.now(), item, unitIds)

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

export interface WithheldKeys {
  readonly itemCode: string
  readonly count: number
}

/**
 * Keeps back the free keys of every item that was sold on the last day there was a sale: after a restore, keys sold in what was
 * lost stand there as free. So are all that are reserved: their order may have let go of them since, and somebody else have seen
 * them. An order that is paid gets another one, or waits for it. @returns the items and how many keys of each
 */
export async function quarantineSold(ctx: Ctx): Promise<WithheldKeys[]> {
  return transaction(ctx, async (tx, now) => {
    const { rows } = await sql<WithheldKeys>`
      with kept as (
        update card_key set status = 'quarantined', unit_id = null, claimed_at = null where status = 'claimed' or (status = 'free' and item in (
          select item from card_key where claimed_at > (select max(claimed_at) from card_key) - interval '1 day'
        )) returning item
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
