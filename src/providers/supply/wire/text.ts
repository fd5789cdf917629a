const MOST = 200
/** Control characters, and those that turn the direction of what stands beside them or cannot be seen. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]+/gu

/** What a supplier wrote, for operators: one line, cut. */
export function cleanText(text: unknown, most = MOST): string {
  if (typeof text !== 'string') return ''
  const line = text
    .slice(0, most * 4)
    .replace(HIDDEN, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, most).join('')
}

/** A name or id as a supplier gives it, or null where it is none that we would keep. */
export function idOf(value: unknown): string | null {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value) ? value : null
}
