import type { ShopView } from '#features/goods/browse/views.ts'
import { textIn } from '#features/goods/catalogue/rules.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { addressForm } from './engine/form.ts'
import type { StoredAddress } from './queries.ts'
import { ADDRESS_LENGTH_MAX, type AddressField, type AddressForm } from './rules.ts'
import type { AddressFormField, AddressFormView, BillingAddressView } from './schema.ts'

/** The tokens browsers fill a form by (HTML, "Autofill"). */
const AUTOFILL: Readonly<Record<AddressField, string>> = {
  country: 'country',
  region: 'address-level1',
  first_name: 'given-name',
  surname: 'family-name',
  address: 'address-line1',
  postal_code: 'postal-code',
}

/** An address with its country's name in the reader's language. */
export function billingAddressView(
  { shop, language }: Pick<ShopView, 'shop' | 'language'>,
  address: StoredAddress,
): BillingAddressView {
  const country = shop.countryByCode.get(address.country)
  return { ...address, country_name: country ? textIn(country.name, language) : address.country }
}

/** The form of an address in a country: its fields in order, named in the reader's language. */
export function addressFormView(t: Translate, country: string): AddressFormView {
  const form = addressForm(country)
  return { country, fields: form.fields.map((field) => fieldView(t, form, field)) }
}

function fieldView(t: Translate, form: AddressForm, name: AddressField): AddressFormField {
  const { region, postalCode } = form
  const shared = {
    name,
    label: '',
    hint: '',
    required: true,
    max: name === 'country' ? 2 : ADDRESS_LENGTH_MAX[name],
    autocomplete: AUTOFILL[name],
    digits_only: false,
  }
  if (name === 'region')
    return {
      ...shared,
      label: t(`address.region.${region?.name ?? 'region'}`),
      required: region?.isRequired ?? false,
    }
  if (name === 'address')
    return { ...shared, label: t('address.address'), hint: t('address.addressHint') }
  if (name !== 'postal_code') return { ...shared, label: t(`address.${name}`) }
  const example = postalCode?.example ?? ''
  return {
    ...shared,
    label: t(`address.postalCode.${postalCode?.name ?? 'postal'}`),
    hint: example === '' ? '' : t('address.postalCodeHint', { example }),
    required: postalCode?.isRequired ?? false,
    digits_only: postalCode?.isDigitsOnly ?? false,
  }
}
