import type { Texts } from '#features/goods/catalogue/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'

/** A country or territory as the shop knows it (specification §3, "Regions data"). */
export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string
  readonly name: Texts
  readonly dialCode: string | null
  /** The currency shown to its visitors first; always one shoppers may choose. */
  readonly storeCurrency: string
  readonly language: LanguageCode
  readonly isOnSale: boolean
  readonly phone: PhoneRules | null
}

/** How a country's phones are called; what a number must look like is `platform/mobile-number.ts`'s. */
export interface PhoneRules {
  readonly callingCode: string
  readonly trunkPrefix: string | null
  /** A national number, for those who type one. */
  readonly mobileExample: string
}

type Countries = ReadonlyMap<string, Country>

const zonesOf = new WeakMap<Countries, ReadonlyMap<string, Country>>()

/**
 * The country whose clocks a time zone of the IANA database tells ("Europe/Berlin"): DE. Null for a zone of no country or of one that
 * is not among these, and for what is no zone.
 */
export function countryOfZone(zone: string, countries: Countries): Country | null {
  let byZone = zonesOf.get(countries)
  if (!byZone) zonesOf.set(countries, (byZone = zonesByName(countries)))
  return byZone.get(zone) ?? byZone.get(canonicalZone(zone)) ?? null
}

function zonesByName(countries: Countries): ReadonlyMap<string, Country> {
  return new Map(
    [...countries.values()].flatMap((country) => {
      const place: LocaleWithZones = new Intl.Locale('und', { region: country.code })
      return (place.getTimeZones?.() ?? []).map((zone) => [zone, country] as const)
    }),
  )
}

/** Of ECMA-402's Locale Info, which the types do not know yet. */
type LocaleWithZones = Intl.Locale & { readonly getTimeZones?: () => readonly string[] }

/** Browsers know some zones by an older or a newer name. Empty for what is no zone. */
function canonicalZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return ''
  }
}
