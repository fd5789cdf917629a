import { Secret, TOTP } from 'otpauth'

/** RFC 6238 with what every authenticator app takes for granted: SHA-1, six digits, 30 seconds. */
const STEP_SECONDS = 30
/** Clocks may be one step apart. */
const WINDOW = 1
/** RFC 4226 §4 recommends 160 bits. */
export const SEED_BYTES = 20
const GROUP = 4

/** The step (number of 30-second spans since 1970) whose code this is, among the one of `now` and its neighbours; null when none. */
export function stepOf(code: string, seed: Uint8Array, now: Date): number | null {
  const delta = timeCodes(seed, '', '').validate({
    token: code,
    timestamp: now.getTime(),
    window: WINDOW,
  })
  return delta === null
    ? null
    : TOTP.counter({ period: STEP_SECONDS, timestamp: now.getTime() }) + delta
}

/** How an authenticator app is told the seed: as an address, and to type in base32 in groups of four. */
export function invitationOf(
  seed: Uint8Array,
  shop: string,
  account: string,
): { readonly uri: string; readonly seed: string } {
  const codes = timeCodes(seed, shop, account)
  return {
    uri: codes.toString(),
    seed: codes.secret.base32.match(new RegExp(`.{1,${GROUP}}`, 'g'))?.join(' ') ?? '',
  }
}

function timeCodes(seed: Uint8Array, issuer: string, label: string): TOTP {
  return new TOTP({
    issuer,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_SECONDS,
    secret: new Secret({ buffer: Uint8Array.from(seed).buffer }),
  })
}
