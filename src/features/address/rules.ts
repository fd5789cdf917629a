import type { Country } from '#features/region/rules.ts'
import type { FieldProblem } from '#kernel/error.ts'
import {
  LARGE_TO_SMALL, OPEN_POSTAL_CODE, POSTAL_CODES, POSTAL_CODE_BEFORE_TOWN, POSTAL_CODE_NAMES, POSTAL_CODE_REQUIRED, REGION_NAMES, REGION_REQUIRED,
  SURNAME_FIRST, WITHOUT_POSTAL_CODE, type RegionName,
} from './countries.ts'
import { fitPostalCode, isPostalCodeLike } from './postal-code.ts'

/** Addresses of one account. */
export const ADDRESSES_MAX = 20

/** What an address says (specification §3). Empty texts where its country knows no region or postal code. */
export interface AddressInput {
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly region: string
  readonly first_name: string
  readonly surname: string
  /** House, street, town. */
  readonly address: string
  readonly postal_code: string
}
export type AddressField = keyof AddressInput

export type PostalCodeName = 'postal' | 'zip' | 'pin' | 'eircode'

/** What a form of an address in one country asks for. */
export interface AddressForm {
  readonly country: string
  /** In the country's order; a field that is not named is not asked for. */
  readonly fields: readonly AddressField[]
  readonly region: { readonly name: RegionName; readonly isRequired: boolean } | null
  readonly postalCode: {
    readonly name: PostalCodeName
    readonly isRequired: boolean
    /** Empty where no form is settled. */
    readonly example: string
    readonly isDigitsOnly: boolean
  } | null
}

export const ADDRESS_LENGTH_MAX: Readonly<Record<Exclude<AddressField, 'country'>, number>> = {
  region: 100, first_name: 100, surname: 100, address: 300, postal_code: 20,
}

/** Countries the table does not know ask for a region and a postal code, and insist on neither. */
export function addressForm(country: string): AddressForm {
  const isKnown = POSTAL_CODES.has(country) || WITHOUT_POSTAL_CODE.has(country) || OPEN_POSTAL_CODE.has(country)
  const regionName = isKnown ? nameOf(REGION_NAMES, country) : 'region'
  const [example = '', ...forms] = POSTAL_CODES.get(country) ?? []
  return {
    country,
    fields: fieldOrder(country, regionName !== null, !WITHOUT_POSTAL_CODE.has(country)),
    region: regionName === null ? null : { name: regionName, isRequired: REGION_REQUIRED.has(country) },
    postalCode: WITHOUT_POSTAL_CODE.has(country) ? null : {
      name: nameOf(POSTAL_CODE_NAMES, country) ?? 'postal',
      isRequired: POSTAL_CODE_REQUIRED.has(country),
      example,
      isDigitsOnly: forms.length > 0 && forms.every((form) => /^[#\d]+$/.test(form)),
    },
  }
}

function fieldOrder(country: string, hasRegion: boolean, hasPostalCode: boolean): AddressField[] {
  const names: AddressField[] = SURNAME_FIRST.has(country) ? ['surname', 'first_name'] : ['first_name', 'surname']
  const place: AddressField[] =
    LARGE_TO_SMALL.has(country) ? ['postal_code', 'region', 'address']
    : POSTAL_CODE_BEFORE_TOWN.has(country) ? ['address', 'postal_code', 'region']
    : ['address', 'region', 'postal_code']
  const asked = place.filter((field) => (field === 'region' ? hasRegion : field === 'postal_code' ? hasPostalCode : true))
  return ['country', ...names, ...asked]
}

function nameOf<Name extends string>(lists: Readonly<Record<Name, ReadonlySet<string>>>, country: string): Name | null {
  return (Object.keys(lists) as Name[]).find((name) => lists[name].has(country)) ?? null
}

/** The address as it is kept, or what is wrong with it, field by field. */
export type CheckedAddress = { readonly address: AddressInput } | { readonly problems: readonly FieldProblem[] }

/**
 * Reads an address as typed: texts trimmed and composed (NFC), the postal code in its country's writing whatever script its
 * digits came in. What the country does not ask for is left empty.
 * @param countries those the shop knows; only ones it sells to can be chosen
 */
export function checkAddress(input: AddressInput, countries: ReadonlyMap<string, Pick<Country, 'isOnSale'>>): CheckedAddress {
  const country = input.country.trim().toUpperCase()
  if (country === '') return { problems: [{ field: 'country', reason: 'required' }] }
  if (!countries.get(country)?.isOnSale) return { problems: [{ field: 'country', reason: 'country_unknown' }] }
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
  if (address.postal_code === '' || problems.some(({ field }) => field === 'postal_code')) return problems.length > 0 ? { problems } : { address }
  const postalCode = readPostalCode(country, address.postal_code)
  if (postalCode === null) problems.push({ field: 'postal_code', reason: 'postal_code', params: { example: form.postalCode?.example || OPEN_EXAMPLE } })
  return problems.length > 0 || postalCode === null ? { problems } : { address: { ...address, postal_code: postalCode } }
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
  return text.normalize('NFC').trim().replace(/\s*[\r\n\u2028\u2029]+\s*/g, ', ').replace(/[\t\p{Zs}]+/gu, ' ')
}
