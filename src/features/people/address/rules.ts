import type { FieldProblem } from '#kernel/error.ts'

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
/** What the part of a country that an address names is called. */
export type RegionName =
  | 'state'
  | 'province'
  | 'prefecture'
  | 'emirate'
  | 'county'
  | 'region'
  | 'department'
  | 'parish'
  | 'island'
  | 'district'
  | 'governorate'
  | 'area'

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
  region: 100,
  first_name: 100,
  surname: 100,
  address: 300,
  postal_code: 20,
}

/** The address as it is kept, or what is wrong with it, field by field. */
export type CheckedAddress =
  | { readonly address: AddressInput }
  | { readonly problems: readonly FieldProblem[] }
