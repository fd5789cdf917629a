import { z } from 'zod'
import { removeAddress, saveAddress, setDefaultAddress } from '#features/people/address/commands.ts'
import { listAddresses } from '#features/people/address/queries.ts'
import { addressFormShape, billingAddressShape } from '#features/people/address/schema.ts'
import { addressFormView, billingAddressView } from '#features/people/address/views.ts'
import { AppError } from '#kernel/error.ts'
import { personalCall, type SignedInCaller } from '../personal/call.ts'

const listShape = z.object({
  list: z.array(billingAddressShape).meta({ description: 'The default one first' }),
})
/** Beyond the greatest length of any field; what a field itself takes is told by the form. */
const typed = z.string().max(2_000).optional()

export const userAddress = personalCall({
  path: 'user/address',
  method: 'GET',
  summary: 'List billing addresses',
  description:
    'With a country, also what an address there is made of: its fields in order, with their names.',
  access: 'signed-in',
  limit: 'read',
  body: z.object({
    country: z
      .string()
      .max(2)
      .optional()
      .catch(undefined)
      .meta({ description: 'ISO 3166-1 alpha-2, one the shop sells to', examples: ['JP'] }),
  }),
  data: listShape.extend({ form: addressFormShape.nullable() }).meta({ id: 'BillingAddresses' }),
  example: { country: 'JP' },
  answer: async (caller, { country }) => {
    const known =
      country === undefined ? undefined : caller.shop.countryByCode.get(country.toUpperCase())
    return {
      ...(await addressesOf(caller)),
      form: known?.isOnSale ? addressFormView(caller.t, known.code) : null,
    }
  },
})

export const userSaveAddress = personalCall({
  path: 'user/address',
  method: 'POST',
  summary: 'Add, change or remove a billing address',
  description:
    'Without `id` an address is added (at most 20), with it that one is changed; `{id, remove: true}` removes it; `{id, is_default: true}` alone makes it ' +
    'the default one. The first address is the default one, and one always is. What the country does not ask for is left empty.',
  access: 'own-hand',
  limit: 'write',
  body: z.strictObject({
    id: z.string().max(100).optional().meta({ description: 'Of an address there is' }),
    country: typed.meta({ description: 'ISO 3166-1 alpha-2', examples: ['ID'] }),
    region: typed,
    first_name: typed,
    surname: typed,
    address: typed,
    postal_code: typed,
    is_default: z.boolean().optional(),
    remove: z.literal(true).optional(),
  }),
  data: listShape
    .extend({
      id: z
        .string()
        .nullable()
        .meta({ description: 'Of the address added or changed; null when it was removed' }),
    })
    .meta({ id: 'SavedAddress' }),
  example: {
    country: 'ID',
    region: 'Jawa Barat',
    first_name: 'Rizky',
    surname: 'Pratama',
    address: 'Jalan Braga 10, Bandung',
    postal_code: '40111',
    is_default: true,
  },
  answer: async (caller, { id = null, remove, is_default: isDefault = false, ...fields }) => {
    const { ctx, shop, person } = caller
    const isAlone = Object.values(fields).every((value) => value === undefined)
    if (remove) {
      if (!isAlone || id === null)
        throw new AppError(
          'invalid_input',
          {},
          {
            fields: [
              id === null
                ? { field: 'id', reason: 'required' }
                : { field: 'remove', reason: 'not_allowed' },
            ],
          },
        )
      await removeAddress(ctx, person.accountId, id)
      return { ...(await addressesOf(caller)), id: null }
    }
    if (id !== null && isDefault && isAlone) {
      await setDefaultAddress(ctx, person.accountId, id)
      return { ...(await addressesOf(caller)), id }
    }
    const {
      country = '',
      region = '',
      first_name = '',
      surname = '',
      address = '',
      postal_code = '',
    } = fields
    const input = { id, isDefault, country, region, first_name, surname, address, postal_code }
    const saved = await saveAddress(ctx, shop.countryByCode, person.accountId, input)
    return { ...(await addressesOf(caller)), id: saved }
  },
})

async function addressesOf({ ctx, shop, language, person }: SignedInCaller) {
  const addresses = await listAddresses(ctx.db, person.accountId)
  return {
    list: addresses.map((address) =>
      billingAddressView({ shop, language: language.code }, address),
    ),
  }
}
