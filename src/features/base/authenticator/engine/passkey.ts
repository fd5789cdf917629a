import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { AppError } from '#kernel/error.ts'
import type { Log } from '#platform/log.ts'
import { arePasskeysPossible, CHALLENGE_LIFE_MS, type Site } from '../rules.ts'
import { clientData, type NewCredential, type UsedCredential } from '../schema.ts'

/** COSE names of Ed25519, ES256 and RS256: what the authenticators in use sign with. */
const ALGORITHMS = [-8, -7, -257]
/** Transports a browser may be told back; others are left out. */
const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

export type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON }

export interface KeyOwner {
  /** What the authenticator gives back when it signs; random, and nothing of the person. Base64url. */
  readonly handle: string
  readonly name: string
  readonly displayName: string
  readonly credentials: readonly { readonly id: Buffer; readonly transports: readonly string[] }[]
}

/** What the browser is asked to make. A passkey that its owner has already is not made again on the same device. */
export function creationOptions(
  site: Site,
  { handle, name, displayName, credentials }: KeyOwner,
  challenge: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpName: site.shopName,
    rpID: hostOf(site),
    userName: name,
    userDisplayName: displayName,
    userID: bytesOf(handle),
    challenge: bytesOf(challenge),
    timeout: CHALLENGE_LIFE_MS,
    attestationType: 'none',
    excludeCredentials: credentials.map(({ id, transports }) => ({
      id: id.toString('base64url'),
      transports: [...transports] as never[],
    })),
    // Found without a name typed, and unlocked by the person: the device and the finger or PIN are two factors in one.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** What the browser is asked to sign. No account is named: the answer says nothing of who has passkeys here. */
export function requestOptions(
  site: Site,
  challenge: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: hostOf(site),
    challenge: bytesOf(challenge),
    timeout: CHALLENGE_LIFE_MS,
    userVerification: 'required',
  })
}

export interface MadeCredential {
  readonly credentialId: Buffer
  /** COSE. */
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: string[]
  readonly isBackedUp: boolean
}

/** Verifies what the browser made. Throws `passkey_failed`. */
export async function verifyMade(
  log: Log,
  site: Site,
  credential: NewCredential,
  challenge: string,
): Promise<MadeCredential> {
  const made = await verified(log, async () => {
    const { transports = [], ...response } = credential.response
    const answer = await verifyRegistrationResponse({
      response: {
        ...credential,
        response: { ...response, transports },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: site.publicUrl,
      expectedRPID: hostOf(site),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return answer.verified ? answer.registrationInfo : null
  })
  return {
    credentialId: Buffer.from(made.credential.id, 'base64url'),
    publicKey: Buffer.from(made.credential.publicKey),
    counter: made.credential.counter,
    transports: (credential.response.transports ?? []).filter((transport) =>
      TRANSPORTS.has(transport),
    ),
    isBackedUp: made.credentialBackedUp,
  }
}

/** Verifies what a kept passkey signed. Throws `passkey_failed`. */
export async function verifyUsed(
  log: Log,
  site: Site,
  credential: UsedCredential,
  challenge: string,
  passkey: { readonly publicKey: Uint8Array; readonly counter: number },
): Promise<{ readonly counter: number; readonly isBackedUp: boolean }> {
  const { userHandle, ...response } = credential.response
  const used = await verified(log, async () => {
    const answer = await verifyAuthenticationResponse({
      response: {
        ...credential,
        response: { ...response, ...(userHandle ? { userHandle } : {}) },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: site.publicUrl,
      expectedRPID: hostOf(site),
      requireUserVerification: true,
      credential: {
        id: credential.id,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: passkey.counter,
      },
    })
    return answer.verified ? answer.authenticationInfo : null
  })
  return { counter: used.newCounter, isBackedUp: used.credentialBackedUp }
}

/** What the library finds wrong with an answer is a refusal, not a fault of ours; the reason stays in the log. */
async function verified<Info>(
  log: Pick<Log, 'info'>,
  verify: () => Promise<Info | null>,
): Promise<Info> {
  let reason = 'wrong signature'
  const info = await verify().catch((error: unknown) => {
    if (error instanceof Error) reason = error.message.slice(0, 200)
    return null
  })
  if (info !== null) return info
  log.info('passkey refused', { reason })
  throw new AppError('passkey_failed')
}

/** The challenge that an answer names. Throws `passkey_failed`. */
export function challengeIn({ response }: NewCredential | UsedCredential): string {
  try {
    return clientData.parse(
      JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8')),
    ).challenge
  } catch {
    throw new AppError('passkey_failed')
  }
}

/** The relying party's id (WebAuthn §5.4.2): the host name. */
function hostOf({ publicUrl }: Site): string {
  if (!arePasskeysPossible(publicUrl)) throw new AppError('passkey_failed')
  return new URL(publicUrl).hostname
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64url, 'base64url'))
}
