import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/mobile'
import { latinDigits } from '#kernel/digits.ts'

/** A mobile phone's number; by the numbering plans of the world, which are too large for pages. */
export interface MobileNumber {
  /** As the whole world dials it (E.164). */
  readonly international: string
  /** Within its country, without what is dialled before (a trunk zero). */
  readonly national: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

const LENGTH_MAX = 60

/**
 * The mobile number that somebody typed, with any script's digits. One with a calling code (+, ＋ or 00) is its own country's; any other is
 * read as it is dialled in `country`. Null while it is none.
 */
export function readMobileNumber(typed: string, country: string | null): MobileNumber | null {
  const text = latinDigits(typed.replaceAll('＋', '+'))
    .replace(/[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim()
  if (text === '' || text.length > LENGTH_MAX) return null
  const home = country !== null && isSupportedCountry(country) ? country : undefined
  return parsed(text, home) ?? (text.startsWith('00') ? parsed(`+${text.slice(2)}`, home) : null)
}

function parsed(
  text: string,
  country: Parameters<typeof parsePhoneNumberFromString>[1],
): MobileNumber | null {
  const found = parsePhoneNumberFromString(text, {
    extract: false,
    ...(typeof country === 'string' ? { defaultCountry: country } : {}),
  })
  return found?.country !== undefined && found.ext === undefined && found.isValid()
    ? {
        international: found.number,
        national: found.nationalNumber,
        country: found.country,
      }
    : null
}
