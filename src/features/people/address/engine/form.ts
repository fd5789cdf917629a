import type { AddressField, AddressForm } from '../rules.ts'
import {
  LARGE_TO_SMALL,
  OPEN_POSTAL_CODE,
  POSTAL_CODES,
  POSTAL_CODE_BEFORE_TOWN,
  POSTAL_CODE_NAMES,
  POSTAL_CODE_REQUIRED,
  REGION_NAMES,
  REGION_REQUIRED,
  SURNAME_FIRST,
  WITHOUT_POSTAL_CODE,
} from './countries.ts'

/** Countries the table does not know ask for a region and a postal code, and insist on neither. */
export function addressForm(country: string): AddressForm {
  const isKnown =
    POSTAL_CODES.has(country) || WITHOUT_POSTAL_CODE.has(country) || OPEN_POSTAL_CODE.has(country)
  const regionName = isKnown ? nameOf(REGION_NAMES, country) : 'region'
  const [example = '', ...forms] = POSTAL_CODES.get(country) ?? []
  return {
    country,
    fields: fieldOrder(country, regionName !== null, !WITHOUT_POSTAL_CODE.has(country)),
    region:
      regionName === null ? null : { name: regionName, isRequired: REGION_REQUIRED.has(country) },
    postalCode: WITHOUT_POSTAL_CODE.has(country)
      ? null
      : {
          name: nameOf(POSTAL_CODE_NAMES, country) ?? 'postal',
          isRequired: POSTAL_CODE_REQUIRED.has(country),
          example,
          isDigitsOnly: forms.length > 0 && forms.every((form) => /^[#\d]+$/.test(form)),
        },
  }
}

function fieldOrder(country: string, hasRegion: boolean, hasPostalCode: boolean): AddressField[] {
  const names: AddressField[] = SURNAME_FIRST.has(country)
    ? ['surname', 'first_name']
    : ['first_name', 'surname']
  const place: AddressField[] = LARGE_TO_SMALL.has(country)
    ? ['postal_code', 'region', 'address']
    : POSTAL_CODE_BEFORE_TOWN.has(country)
      ? ['address', 'postal_code', 'region']
      : ['address', 'region', 'postal_code']
  const asked = place.filter((field) =>
    field === 'region' ? hasRegion : field === 'postal_code' ? hasPostalCode : true,
  )
  return ['country', ...names, ...asked]
}

function nameOf<Name extends string>(
  lists: Readonly<Record<Name, ReadonlySet<string>>>,
  country: string,
): Name | null {
  return (Object.keys(lists) as Name[]).find((name) => lists[name].has(country)) ?? null
}
