/** HMAC-SHA-256 of a text under the key for order numbers. */
export type Mac = (text: string) => Uint8Array

const HALF = 1_000_000n
const DIGITS = 12
const ROUNDS = 8

/**
 * The number people read out: twelve digits that are a keyed permutation of the sequence (an eight-round Feistel network over
 * two halves of six digits), then a check digit. No two orders share one, and neighbours tell nothing of each other.
 */
export function orderNumber(sequence: bigint, mac: Mac): string {
  if (sequence < 0n || sequence >= HALF * HALF) throw new RangeError('order numbers are used up')
  let left = sequence / HALF
  let right = sequence % HALF
  for (let round = 0; round < ROUNDS; round += 1)
    [left, right] = [right, (left + share(mac, round, right)) % HALF]
  const digits = (left * HALF + right).toString().padStart(DIGITS, '0')
  return digits + checkDigit(digits)
}

/** Whether a number has the form and check digit of ours: a mistyped one is told without asking the database. */
export function isOrderNumber(text: string): boolean {
  return /^[0-9]{13}$/.test(text) && checkDigit(text.slice(0, DIGITS)) === text.slice(DIGITS)
}

/** What people type: blanks and hyphens between the digits are left out. */
export function normaliseOrderNumber(text: string): string {
  return text.replaceAll(/[\s-]/g, '')
}

function share(mac: Mac, round: number, half: bigint): bigint {
  const bytes = mac(`${round}:${half}`)
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0) % HALF
}

/** Damm's quasigroup of order 10: finds every wrong digit and every two neighbours swapped. */
const DAMM = [
  '0317598642',
  '7092154863',
  '4206871359',
  '1750983426',
  '6123045978',
  '3674209581',
  '5869720134',
  '8945362017',
  '9438617205',
  '2581436790',
] as const

function checkDigit(digits: string): string {
  let state = 0
  for (const digit of digits) state = Number(DAMM[state]?.[Number(digit)])
  return String(state)
}
