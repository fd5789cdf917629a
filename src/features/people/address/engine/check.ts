import type { Country } from '#features/goods/region/rules.ts'
import type { FieldProblem } from '#kernel/error.ts'
import {
  ADDRESS_LENGTH_MAX,
  type AddressField,
  type AddressInput,
  type CheckedAddress,
} from '../rules.ts'
import { POSTAL_CODES } from './countries.ts'
import { addressForm } from './form.ts'
import { fitPostalCode, isPostalCodeLike } from './postal-code.ts'

/**
 * Reads an address as typed: texts trimmed and composed (NFC), the postal code in its country's writing whatever script its
 * digits came in. What the country does not ask for is left empty.
 * @param countries those the shop knows; only ones it sells to can be chosen
 */
export function checkAddress(
  input: AddressInput,
  countries: ReadonlyMap<string, Pick<Country, 'isOnSale'>>,
): CheckedAddress {
  const country = input.country.trim().toUpperCase()
  if (country === '') return { problems: [{ field: 'country', reason: 'required' }] }
  if (!countries.get(country)?.isOnSale)
    return { problems: [{ field: 'country', reason: 'country_unknown' }] }
  const form = addressForm(country)
  const problems: FieldProblem[] = []
  const read = (field: Exclude<AddressField, 'country'>, isRequired: boolean): string => {
    if (!form.fields.includes(field)) return ''
    const text = tidy(input[field])
    const max = ADDRESS_LENGTH_MAX[field]
    if (HIDDEN.test(text)) problems.push({ field, reason: 'hidden_characters' })
    else if ([...text].length > max) problems.push({ field, reason: 'too_long', params: { max } })
    else if (!VISIBLE.test(text)) {
      if (isRequired) problems.push({ field, reason: 'required' })
      return ''
    }
    return text
  }
  const address: AddressInput = {
    country,
    region: read('region', form.region?.isRequired ?? false),
    first_name: read('first_name', true),
    surname: read('surname', true),
    address: read('address', true),
    postal_code: read('postal_code', form.postalCode?.isRequired ?? false),
  }
  if (address.postal_code === '' || problems.some(({ field }) => field === 'postal_code'))
    return problems.length > 0 ? { problems } : { address }
  const postalCode = readPostalCode(country, address.postal_code)
  if (postalCode === null)
    problems.push({
      field: 'postal_code',
      reason: 'postal_code',
      params: { example: form.postalCode?.example || OPEN_EXAMPLE },
    })
  return problems.length > 0 || postalCode === null
    ? { problems }
    : { address: { ...address, postal_code: postalCode } }
}

const OPEN_EXAMPLE = '10000'

function readPostalCode(country: string, text: string): string | null {
  const [, ...forms] = POSTAL_CODES.get(country) ?? []
  if (forms.length > 0) return fitPostalCode(country, text, forms)
  return isPostalCodeLike(text) ? text : null
}

/** Controls, marks that turn the direction of what follows, private and broken characters: none belongs to a name. */
const HIDDEN = /[\p{Cc}\p{Co}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff\ufffd]/u
const VISIBLE = /[\p{L}\p{N}]/u

/** Lines pasted in become one. */
function tidy(text: string): string {
  return text
    .normalize('NFC')
    .trim()
    .replace(/\s*[\r\n\u2028\u2029]+\s*/g, ', ')
    .replace(/[\t\p{Zs}]+/gu, ' ')
}
