import { latinDigits } from '#kernel/digits.ts'

/** Blanks, hyphens of any kind, full stops, marks of direction and the Japanese sign of the post: written or left out. */
const SEPARATORS = /[\s\p{Cf}\-.\u2010-\u2015\u2212\u30fc\uff70〒〶]+/gu

/**
 * A postal code in its country's writing; null when it fits none of the forms (see `POSTAL_CODES`). The country's sign before
 * it ("D-10115", "SE-111 22") may be written or left out.
 */
export function fitPostalCode(
  country: string,
  typed: string,
  forms: readonly string[],
): string | null {
  const text = westernDigits(typed).toUpperCase().replace(SEPARATORS, '')
  const bare = text.replace(new RegExp(`^(?:${country}|FL|[A-Z])(?=\\d)`), '')
  for (const form of forms) {
    // Where the sign is part of the code ("LV-1050"), it may be left out as well.
    const readings = form.startsWith(country) ? [text, country + text] : [text, bare]
    for (const reading of readings) if (fits(reading, form)) return write(reading, form)
  }
  return null
}

/** Where no form is known: letters, digits, blanks and hyphens, with at least one digit or letter. */
export function isPostalCodeLike(text: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N} -]*$/u.test(text)
}

function fits(text: string, form: string): boolean {
  const places = form.replace(SEPARATORS, '')
  if (text.length !== places.length) return false
  return [...places].every((place, index) => {
    const char = text[index] ?? ''
    if (place === '#') return /\d/.test(char)
    if (place === '@') return /[A-Z]/.test(char)
    if (place === '*') return /[A-Z\d]/.test(char)
    return char === place
  })
}

function write(text: string, form: string): string {
  let index = 0
  return [...form].map((place) => (place === ' ' || place === '-' ? place : text[index++])).join('')
}

/** Digits of any script as 0–9; full-width letters as plain ones. */
export function westernDigits(text: string): string {
  return latinDigits(text.normalize('NFKC'))
}
