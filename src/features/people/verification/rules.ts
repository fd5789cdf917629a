/** What a code, a link or a ticket is good for; one made for one purpose is worth nothing for another. */
export type VerificationPurpose =
  | 'register'
  | 'reset'
  | 'email'
  | 'phone'
  | 'proof'
  | 'undo_cancel'
  | 'unfreeze'
  | 'sign_in_elsewhere'
  | 'bind'
  | 'second_factor'
  | 'passkey'
  | 'operator_invitation'
  | 'owner_link'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const CODE_TRIES = 5
export const CODE_LIFE_MS = 10 * MINUTE

/** What was used is kept this long, to find out what happened. */
export const USED_KEPT_MS = DAY

/** How long a link or a ticket lives, in milliseconds. */
export const SECRET_LIFE_MS: Readonly<Record<VerificationPurpose, number>> = {
  register: DAY,
  reset: 30 * MINUTE,
  email: 30 * MINUTE,
  phone: 10 * MINUTE,
  proof: 10 * MINUTE,
  undo_cancel: 30 * DAY,
  unfreeze: DAY,
  sign_in_elsewhere: 10 * MINUTE,
  bind: 15 * MINUTE,
  second_factor: 10 * MINUTE,
  passkey: 10 * MINUTE,
  operator_invitation: 3 * DAY,
  owner_link: 3 * DAY,
}

/** Whose code it is: the same six digits are another hash for any other purpose, address or account. */
export interface CodeOwner {
  readonly purpose: VerificationPurpose
  /** Address or number that the code was sent to. */
  readonly target: string
  /** Null where no account is known yet. */
  readonly accountId: string | null
  /**
   * Name of the browser that asked for it, where anybody may ask: each has a code and a link of its own, so that a stranger's
   * request takes nothing from the owner's.
   */
  readonly asker?: string | undefined
}

/** Who types a code that anybody may have asked for. */
export interface Typing {
  /** Name of the browser; null for one that sent none. */
  readonly device: string | null
  readonly network: string
}

/** Wrong codes for one address by browsers that did not ask for one: from a network, and from everywhere. */
export const STRANGERS_CODES = { name: 'strangers_code', per: 600, burst: CODE_TRIES } as const
export const STRANGERS_CODES_OF_ALL = { name: 'strangers_code_all', per: 600, burst: 20 } as const

/** Where a code stands: its address, and after a blank (no address holds one) who asked. */
export function placeOf({ target, asker }: Pick<CodeOwner, 'target' | 'asker'>): string {
  const place = `${target} ${asker ?? ''}`
  return asker === undefined || target === '' || place.length > PLACE_MAX ? target : place
}

const PLACE_MAX = 254

export function targetAt(place: string): string {
  return place.split(' ', 1)[0] ?? ''
}

export interface Verification {
  readonly id: string
  readonly purpose: VerificationPurpose
  readonly accountId: string | null
  readonly target: string
  readonly data: Readonly<Record<string, unknown>>
  readonly expiresAt: Date
}

/** A code found to be the right one; made by `checkCode` alone. */
export interface CheckedCode {
  readonly verificationId: string
}

/** Whether a text can be a secret at all: 256 bits in base64url. */
export function isSecret(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}
