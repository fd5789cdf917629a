import { listAddresses, type StoredAddress } from '#features/people/address/queries.ts'
import { ADDRESSES_MAX } from '#features/people/address/rules.ts'
import type { AddressFormField } from '#features/people/address/schema.ts'
import { addressFormView, billingAddressView } from '#features/people/address/views.ts'
import { textIn } from '#features/goods/catalogue/rules.ts'
import type { PersonalPageContext } from '../page.ts'
import { ownerOf } from '../user/area.ts'

export interface ShownAddress {
  readonly id: string
  readonly name: string
  /** In the order of its country, which comes last. */
  readonly lines: readonly string[]
  readonly isDefault: boolean
}

/** The form of an address in the country that was chosen. */
export interface AddressFormData {
  /** Null for a new one. */
  readonly id: string | null
  readonly step: 'new' | 'edit'
  readonly countries: readonly { readonly code: string; readonly name: string }[]
  /** Empty while none is chosen. */
  readonly country: string
  readonly fields: readonly AddressFormField[]
  /** What the fields hold at first. */
  readonly values: Readonly<Record<string, string>>
  readonly isDefault: boolean
}

export interface AddressesData {
  readonly list: readonly ShownAddress[]
  readonly isFull: boolean
  readonly form: AddressFormData | null
  readonly removing: ShownAddress | null
}

export async function addressesData(page: PersonalPageContext): Promise<AddressesData> {
  const { ctx, query } = page
  const stored = await listAddresses(ctx.db, ownerOf(page).accountId)
  const named = stored.find(({ id }) => id === query.get('id')) ?? null
  const step = query.get('do')
  return {
    list: stored.map((address) => shownAddress(page, address)),
    isFull: stored.length >= ADDRESSES_MAX,
    form:
      step === 'new'
        ? formData(page, null, stored.length === 0)
        : step === 'edit' && named
          ? formData(page, named, named.is_default)
          : null,
    removing: step === 'remove' && named ? shownAddress(page, named) : null,
  }
}

function shownAddress(
  { shop, language, t }: PersonalPageContext,
  stored: StoredAddress,
): ShownAddress {
  const address = billingAddressView({ shop, language: language.code }, stored)
  const order = addressFormView(t, address.country).fields.map(({ name }) => name)
  const isSurnameFirst = order.indexOf('surname') < order.indexOf('first_name')
  const names = isSurnameFirst
    ? [address.surname, address.first_name]
    : [address.first_name, address.surname]
  const place = order
    .filter((name) => name === 'region' || name === 'postal_code' || name === 'address')
    .map((name) => ({ isStreet: name === 'address', text: address[name] }))
  const town = place
    .filter(({ isStreet, text }) => !isStreet && text !== '')
    .map(({ text }) => text)
    .join(' ')
  const lines = place[0]?.isStreet ? [address.address, town] : [town, address.address]
  return {
    id: address.id,
    name: names.filter((name) => name !== '').join(' '),
    lines: [...lines, address.country_name].filter((line) => line !== ''),
    isDefault: address.is_default,
  }
}

function formData(
  page: PersonalPageContext,
  stored: StoredAddress | null,
  isDefault: boolean,
): AddressFormData {
  const { shop, language, t, query, outcome } = page
  const byName = new Intl.Collator(language.intl)
  const countries = shop.countries
    .filter(({ isOnSale }) => isOnSale)
    .map(({ code, name }) => ({ code, name: textIn(name, language.code) }))
  // What was posted goes before what was asked for, kept or guessed.
  const wanted = [outcome?.values['country'], query.get('country'), stored?.country, page.country]
  const country = wanted.find((code) => countries.some((known) => known.code === code)) ?? ''
  return {
    id: stored?.id ?? null,
    step: stored ? 'edit' : 'new',
    countries: countries.sort((a, b) => byName.compare(a.name, b.name)),
    country,
    fields:
      country === ''
        ? []
        : addressFormView(t, country).fields.filter(({ name }) => name !== 'country'),
    values: stored
      ? {
          region: stored.region,
          first_name: stored.first_name,
          surname: stored.surname,
          address: stored.address,
          postal_code: stored.postal_code,
        }
      : {},
    isDefault,
  }
}
