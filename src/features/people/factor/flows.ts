import {
  challengeIn,
  creationOptions,
  requestOptions,
  verifyMade,
  verifyUsed,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '#features/base/authenticator/engine/passkey.ts'
import { CHALLENGE_LIFE_MS, type Site } from '#features/base/authenticator/rules.ts'
import type { NewCredential, UsedCredential } from '#features/base/authenticator/schema.ts'
import { consumeSecret, issueVerification } from '#features/people/verification/commands.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { securityEvent } from '#platform/security-log.ts'
import { assertRoom, savePasskey, recordPasskeyUse } from './commands.ts'
import { findCredential, getPasskeyOwner } from './queries.ts'
import { challengeData, type ChallengePurpose } from './schema.ts'

/** What the browser is asked to make. A passkey that the account has already is not made again on the same device. */
export async function askForNewPasskey(
  ctx: Ctx,
  accountId: string,
  site: Site,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { userId, userName, nickname, credentials } = await getPasskeyOwner(ctx.db, accountId)
  assertRoom(credentials.length)
  const owner = { handle: userId, name: userName, displayName: nickname, credentials }
  return creationOptions(site, owner, await newChallenge(ctx, 'add', accountId))
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
  return requestOptions(site, await newChallenge(ctx, purpose, accountId))
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
  const made = await verifyMade(ctx.log, site, credential, challenge)
  return savePasskey(ctx, accountId, { name, ...made })
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
  if (
    !passkey ||
    credential.response.userHandle !== passkey.userId ||
    (accountId !== null && passkey.accountId !== accountId)
  )
    throw new AppError('passkey_failed')
  await recordPasskeyUse(
    ctx,
    passkey.id,
    await verifyUsed(ctx.log, site, credential, challenge, passkey),
  )
  return passkey.accountId
}

async function newChallenge(
  ctx: Ctx,
  purpose: ChallengePurpose,
  accountId: string | null,
): Promise<string> {
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
  return secret
}

/** Finds the challenge that an answer names and uses it up, whatever comes of the answer. */
async function takeChallenge(
  ctx: Ctx,
  credential: NewCredential | UsedCredential,
  purpose: ChallengePurpose,
  accountId: string | null,
): Promise<string> {
  const challenge = challengeIn(credential)
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
