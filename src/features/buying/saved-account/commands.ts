import { lineText } from '#features/buying/cart/rules.ts'
import { readFields } from '#features/buying/offer/queries.ts'
import { findProduct } from '#features/goods/browse/queries.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { lockAccount } from '#features/people/account/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId, sha256 } from '#platform/secrets.ts'
import { fieldSetOf, LABEL_MAX, SAVED_MAX } from './rules.ts'

export interface AccountToSave {
  /** Code of a product that asks for the fields. */
  readonly product: string
  readonly fields: Readonly<Record<string, string>>
  /** Empty: the account's own first value. */
  readonly label: string
}

/**
 * Keeps an account under a name; one that is kept already gets the name. Throws 'not_found' for a product that is not sold,
 * 'check_fields' for what breaks its rules, a name that is none, and beyond 50.
 */
export async function saveAccount(
  ctx: Ctx,
  shop: ShopSnapshot,
  accountId: string,
  { product: code, fields: given, label: typed }: AccountToSave,
): Promise<void> {
  const product = findProduct(shop, code)
  if (!product) throw new AppError('not_found')
  const read = readFields(shop, product, given)
  if ('problems' in read)
    throw new AppError(
      'check_fields',
      {},
      {
        fields: read.problems.map(({ key, ...problem }) => ({
          field: `fields.${key}`,
          ...problem,
        })),
      },
    )
  const fields = read.values
  const [first] = Object.values(fields)
  if (first === undefined) throw fieldError('product', 'not_allowed')
  const label = labelOf(typed === '' ? first.slice(0, LABEL_MAX) : typed)
  const hash = sha256(lineText(fields, null))
  const fieldSet = fieldSetOf(product)
  await transaction(ctx, async (tx, now) => {
    const kept = await lockSaved(tx, accountId)
    const same = kept.find(
      (each) => each.field_set === fieldSet && Buffer.from(each.fields_hash).equals(hash),
    )
    if (same) {
      if (typed !== '')
        await tx.updateTable('saved_account').set({ label }).where('id', '=', same.id).execute()
      return
    }
    if (kept.length >= SAVED_MAX) throw fieldError('label', 'too_many', { max: SAVED_MAX })
    await tx
      .insertInto('saved_account')
      .values({
        id: ctx.newId(),
        public_id: newPublicId(ctx),
        account_id: accountId,
        field_set: fieldSet,
        label,
        fields: JSON.stringify(fields),
        fields_hash: hash,
        created_at: now,
      })
      .execute()
  })
}

/** Gives a saved account another name. Throws 'not_found' for what is not theirs. */
export async function renameSavedAccount(
  ctx: Ctx,
  accountId: string,
  { id, label }: { readonly id: string; readonly label: string },
): Promise<void> {
  const changed = await ctx.db
    .updateTable('saved_account')
    .set({ label: labelOf(label) })
    .where('account_id', '=', accountId)
    .where('public_id', '=', id)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) throw new AppError('not_found')
}

/** What is gone already stays gone. */
export async function forgetSavedAccount(ctx: Ctx, accountId: string, id: string): Promise<void> {
  await ctx.db
    .deleteFrom('saved_account')
    .where('account_id', '=', accountId)
    .where('public_id', '=', id)
    .execute()
}

/** Part of erasing a person. */
export async function eraseSavedAccount(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('saved_account').where('account_id', '=', accountId).execute()
}

function labelOf(typed: string): string {
  const label = typed.trim()
  if (label === '') throw fieldError('label', 'required')
  if (label.length > LABEL_MAX) throw fieldError('label', 'too_long', { max: LABEL_MAX })
  return label
}

/** One at a time an account, so that the greatest number holds; and nothing is added to an account that is going. */
async function lockSaved(tx: Tx, accountId: string) {
  await lockAccount(tx, accountId)
  return tx
    .selectFrom('saved_account')
    .select(['id', 'field_set', 'fields_hash'])
    .where('account_id', '=', accountId)
    .execute()
}
