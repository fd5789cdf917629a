const DIGIT = /^\p{Nd}$/u

/** The text with the decimal digits of every script as 0–9; all else as it is. */
export function latinDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => String(digitOf(digit)))
}

/** Unicode keeps the ten digits of a script side by side from zero up; where runs touch, each is ten long. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1
  return before % 10
}

/** A number without sign, fraction or exponent as people type it, in any script's digits; NaN for anything else. */
export function wholeNumber(text: string): number {
  const digits = latinDigits(text.trim())
  return /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN
}
