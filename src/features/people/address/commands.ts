import type { Country } from '#features/goods/region/rules.ts'
import { lockAccount } from '#features/people/account/commands.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { checkAddress } from './engine/check.ts'
import { ADDRESSES_MAX, type AddressInput } from './rules.ts'

export interface SaveAddress extends AddressInput {
  /** Null makes a new one. */
  readonly id: string | null
  /** Makes it the default one; false leaves the default where it is. */
  readonly isDefault: boolean
}

/**
 * Adds or changes an address. The first one is the default. Answers its public id. Throws 'check_fields' for what is wrong
 * with it or beyond 20 addresses, 'not_found' for an id that is not this account's.
 */
export async function saveAddress(
  ctx: Ctx,
  countries: ReadonlyMap<string, Pick<Country, 'isOnSale'>>,
  accountId: string,
  input: SaveAddress,
): Promise<string> {
  const checked = checkAddress(input, countries)
  if ('problems' in checked) throw new AppError('check_fields', {}, { fields: checked.problems })
  return transaction(ctx, async (tx, now) => {
    const owned = await lockAddresses(tx, accountId)
    const isDefault = input.isDefault || owned.length === 0
    const changed = { ...checked.address, updated_at: now }
    if (input.id !== null) {
      const found = owned.find((address) => address.public_id === input.id)
      if (!found) throw new AppError('not_found')
      await tx.updateTable('billing_address').set(changed).where('id', '=', found.id).execute()
      if (isDefault && !found.is_default) await moveDefault(tx, accountId, found.id)
      return found.public_id
    }
    if (owned.length >= ADDRESSES_MAX)
      throw new AppError(
        'check_fields',
        {},
        { fields: [{ field: 'address', reason: 'too_many', params: { max: ADDRESSES_MAX } }] },
      )
    const added = { id: ctx.newId(), public_id: newPublicId(ctx) }
    await tx
      .insertInto('billing_address')
      .values({ ...added, ...changed, account_id: accountId, created_at: now })
      .execute()
    if (isDefault) await moveDefault(tx, accountId, added.id)
    return added.public_id
  })
}

/** Makes an address the default one. Throws 'not_found' for an id that is not this account's. */
export async function setDefaultAddress(
  ctx: Ctx,
  accountId: string,
  publicId: string,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const found = (await lockAddresses(tx, accountId)).find(
      (address) => address.public_id === publicId,
    )
    if (!found) throw new AppError('not_found')
    await moveDefault(tx, accountId, found.id)
  })
}

/** Removes an address; when it was the default one, the newest of the others is. Throws 'not_found' as above. */
export async function removeAddress(ctx: Ctx, accountId: string, publicId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    const owned = await lockAddresses(tx, accountId)
    const found = owned.find((address) => address.public_id === publicId)
    if (!found) throw new AppError('not_found')
    await tx.deleteFrom('billing_address').where('id', '=', found.id).execute()
    const heir = owned.findLast((address) => address !== found)
    if (found.is_default && heir) await moveDefault(tx, accountId, heir.id)
  })
}

/** Part of erasing a person. */
export async function eraseAddress(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('billing_address').where('account_id', '=', accountId).execute()
}

interface OwnedAddress {
  readonly id: string
  readonly public_id: string
  readonly is_default: boolean
}

/** The account's addresses, oldest first, with nobody else changing them; nothing is done for an account that is going. */
async function lockAddresses(tx: Tx, accountId: string): Promise<OwnedAddress[]> {
  await lockAccount(tx, accountId)
  return tx
    .selectFrom('billing_address')
    .select(['id', 'public_id', 'is_default'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** One statement after the other: at no moment are there two. */
async function moveDefault(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx
    .updateTable('billing_address')
    .set({ is_default: false })
    .where('account_id', '=', accountId)
    .where('is_default', '=', true)
    .execute()
  await tx.updateTable('billing_address').set({ is_default: true }).where('id', '=', id).execute()
}
