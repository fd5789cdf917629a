/** Six digits, as authenticator apps show them; a space in the middle is theirs too. */
const TIME_CODE = /^\d{6}$/
export const RECOVERY_CODES = 10
export const PASSKEYS_MAX = 20
export const PASSKEY_NAME_MAX = 60
/** How long a challenge may wait for its answer. */
export const CHALLENGE_LIFE_MS = 5 * 60_000

/** What a person typed as a code: a time-based one, a recovery code, or nothing that could be either. */
export type TypedCode =
  | { readonly kind: 'time' | 'recovery'; readonly code: string }
  | { readonly kind: 'none' }

/** Crockford's base 32: no I, L, O or U, and what looks alike is read as the same. */
const RECOVERY_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RECOVERY_LENGTH = 10
const RECOVERY_CODE = new RegExp(`^[${RECOVERY_ALPHABET}]{${RECOVERY_LENGTH}}$`)

export function readCode(typed: string): TypedCode {
  const plain = typed.replace(/[\s-]/g, '').toUpperCase()
  if (TIME_CODE.test(plain)) return { kind: 'time', code: plain }
  const code = plain.replace(/O/g, '0').replace(/[IL]/g, '1')
  return RECOVERY_CODE.test(code) ? { kind: 'recovery', code } : { kind: 'none' }
}

/** 50 random bits, as "4T7QX-0ZK9M". Every byte gives one letter: 256 is a multiple of 32, so all are as likely. */
export function newRecoveryCode({
  random,
}: {
  readonly random: (bytes: number) => Uint8Array
}): string {
  const letters = Array.from(
    random(RECOVERY_LENGTH),
    (byte) => RECOVERY_ALPHABET[byte % RECOVERY_ALPHABET.length] ?? '',
  ).join('')
  return `${letters.slice(0, RECOVERY_LENGTH / 2)}-${letters.slice(RECOVERY_LENGTH / 2)}`
}

/** Where passkeys are made and used. */
export interface Site {
  /** Origin, as `https://shop.example`. */
  readonly publicUrl: string
  readonly shopName: string
}

/**
 * Whether a browser makes passkeys for this origin: they belong to a host name, which an IP address is not, and want https
 * (on `localhost` browsers are content without).
 * @param publicUrl origin, as `https://shop.example`
 */
export function arePasskeysPossible(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return !isAddress && (protocol === 'https:' || isLocal)
}
