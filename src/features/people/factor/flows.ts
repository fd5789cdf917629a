import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { consumeSecret, issueVerification } from '#features/people/verification/commands.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { securityEvent } from '#platform/security-log.ts'
import { assertRoom, savePasskey, recordPasskeyUse } from './commands.ts'
import { findCredential, getPasskeyOwner } from './queries.ts'
import { arePasskeysPossible, CHALLENGE_LIFE_MS, type Site } from './rules.ts'
import {
  challengeData,
  clientData,
  type ChallengePurpose,
  type NewCredential,
  type UsedCredential,
} from './schema.ts'

/** COSE names of Ed25519, ES256 and RS256: what the authenticators in use sign with. */
const ALGORITHMS = [-8, -7, -257]
/** Transports a browser may be told back; others are left out. */
const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

/** What the browser is asked to make. A passkey that the account has already is not made again on the same device. */
export async function askForNewPasskey(
  ctx: Ctx,
  accountId: string,
  site: Site,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { userId, userName, nickname, credentials } = await getPasskeyOwner(ctx.db, accountId)
  assertRoom(credentials.length)
  return generateRegistrationOptions({
    rpName: site.shopName,
    rpID: hostOf(site),
    userName,
    userDisplayName: nickname,
    // What the authenticator gives back when it signs; random, and nothing of the person.
    userID: bytesOf(userId),
    challenge: await newChallenge(ctx, 'add', accountId),
    timeout: CHALLENGE_LIFE_MS,
    attestationType: 'none',
    excludeCredentials: credentials.map(({ id, transports }) => ({
      id: id.toString('base64url'),
      transports: [...transports],
    })),
    // Found without a name typed, and unlocked by the person: the device and the finger or PIN are two factors in one.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/**
 * What the browser is asked to sign. No account is named, not even for a proof by somebody signed in: the answer says nothing
 * of who has passkeys here.
 */
export async function askForPasskey(
  ctx: Ctx,
  site: Site,
  purpose: 'sign_in' | 'proof',
  accountId: string | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: hostOf(site),
    challenge: await newChallenge(ctx, purpose, accountId),
    timeout: CHALLENGE_LIFE_MS,
    userVerification: 'required',
  })
}

/** Verifies what the browser made and keeps it. Throws `ticket_expired`, `passkey_failed` or `passkey_limit`. @returns its public id */
export async function addPasskey(
  ctx: Ctx,
  accountId: string,
  site: Site,
  credential: NewCredential,
  name: string,
): Promise<string> {
  const challenge = await takeChallenge(ctx, credential, 'add', accountId)
  const made = await verified(ctx, async () => {
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
  return savePasskey(ctx, accountId, {
    name,
    credentialId: Buffer.from(made.credential.id, 'base64url'),
    publicKey: Buffer.from(made.credential.publicKey),
    counter: made.credential.counter,
    transports: (credential.response.transports ?? []).filter((transport) =>
      TRANSPORTS.has(transport),
    ),
    isBackedUp: made.credentialBackedUp,
  })
}

/** Signing in with a passkey alone. It counts as both factors and as a fresh proof. Throws `ticket_expired` or `passkey_failed`. @returns the account's id */
export function signInWithPasskey(
  ctx: Ctx,
  site: Site,
  credential: UsedCredential,
): Promise<string> {
  return usePasskey(ctx, site, credential, 'sign_in', null)
}

/** A passkey as proof that the person of a session is still the one who holds it. Throws as signing in does. */
export async function proveWithPasskey(
  ctx: Ctx,
  accountId: string,
  site: Site,
  credential: UsedCredential,
): Promise<void> {
  await usePasskey(ctx, site, credential, 'proof', accountId)
}

async function usePasskey(
  ctx: Ctx,
  site: Site,
  credential: UsedCredential,
  purpose: ChallengePurpose,
  accountId: string | null,
): Promise<string> {
  try {
    return await judgePasskey(ctx, site, credential, purpose, accountId)
  } catch (error) {
    if (isAppError(error))
      securityEvent(ctx.log, purpose === 'proof' ? 'proof.refused' : 'sign_in.failed', {
        how: 'passkey',
        reason: error.code,
        ...(accountId === null ? {} : { account: accountId }),
      })
    throw error
  }
}

async function judgePasskey(
  ctx: Ctx,
  site: Site,
  credential: UsedCredential,
  purpose: ChallengePurpose,
  accountId: string | null,
): Promise<string> {
  const challenge = await takeChallenge(ctx, credential, purpose, accountId)
  const passkey = await findCredential(ctx.db, Buffer.from(credential.id, 'base64url'))
  const { userHandle, ...response } = credential.response
  if (
    !passkey ||
    userHandle !== passkey.userId ||
    (accountId !== null && passkey.accountId !== accountId)
  )
    throw new AppError('passkey_failed')
  const used = await verified(ctx, async () => {
    const answer = await verifyAuthenticationResponse({
      response: {
        ...credential,
        response: { ...response, userHandle },
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
  await recordPasskeyUse(ctx, passkey.id, {
    counter: used.newCounter,
    isBackedUp: used.credentialBackedUp,
  })
  return passkey.accountId
}

/** What the library finds wrong with an answer is a refusal, not a fault of ours; the reason stays in the log. */
async function verified<Info>(ctx: Ctx, verify: () => Promise<Info | null>): Promise<Info> {
  let reason = 'wrong signature'
  const info = await verify().catch((error: unknown) => {
    if (error instanceof Error) reason = error.message.slice(0, 200)
    return null
  })
  if (info !== null) return info
  ctx.log.info('passkey refused', { reason })
  throw new AppError('passkey_failed')
}

async function newChallenge(
  ctx: Ctx,
  purpose: ChallengePurpose,
  accountId: string | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const { secret = '' } = await transaction(ctx, (tx) =>
    issueVerification(tx, ctx, {
      purpose: 'passkey',
      accountId,
      target: '',
      withCode: false,
      withSecret: true,
      data: { for: purpose },
      ttl: CHALLENGE_LIFE_MS,
    }),
  )
  return bytesOf(secret)
}

/** Finds the challenge that an answer names and uses it up, whatever comes of the answer. */
async function takeChallenge(
  ctx: Ctx,
  { response }: NewCredential | UsedCredential,
  purpose: ChallengePurpose,
  accountId: string | null,
): Promise<string> {
  const challenge = challengeIn(response.clientDataJSON)
  const row = await transaction(ctx, (tx) =>
    consumeSecret(tx, ctx, { purpose: 'passkey', secret: challenge }),
  ).catch((error: unknown) => {
    throw isAppError(error) && error.code === 'link_expired'
      ? new AppError('ticket_expired')
      : error
  })
  if (challengeData.parse(row.data).for !== purpose || row.accountId !== accountId)
    throw new AppError('passkey_failed')
  return challenge
}

function challengeIn(clientDataJSON: string): string {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')))
      .challenge
  } catch {
    throw new AppError('passkey_failed')
  }
}

/** The relying party's id (WebAuthn §5.4.2): the shop's host name. */
function hostOf({ publicUrl }: Site): string {
  if (!arePasskeysPossible(publicUrl)) throw new AppError('passkey_failed')
  return new URL(publicUrl).hostname
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64url, 'base64url'))
}
