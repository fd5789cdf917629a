import { createHash } from 'node:crypto'

type Random = { readonly random: (bytes: number) => Uint8Array }

export function sha256(value: string | Uint8Array): Buffer {
  return createHash('sha256').update(value).digest()
}

/** 256 random bits for a session, a link or a ticket: 43 characters that an address can hold. Kept only as its SHA-256. */
export function newSecret({ random }: Random): string {
  return Buffer.from(random(32)).toString('base64url')
}

/** 128 random bits: what an object is called outside. 22 characters. */
export function newPublicId({ random }: Random): string {
  return Buffer.from(random(16)).toString('base64url')
}

const CODES = 1_000_000
/** The largest multiple of CODES below 2³²: numbers above are drawn again, so that every code is as likely. */
const UNBIASED_BELOW = Math.floor(2 ** 32 / CODES) * CODES

/** Six digits. */
export function newCode({ random }: Random): string {
  for (;;) {
    const drawn = Buffer.from(random(4)).readUInt32BE()
    if (drawn < UNBIASED_BELOW) return String(drawn % CODES).padStart(6, '0')
  }
}
