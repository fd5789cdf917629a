import {
  generateAuthenticationOptions, generateRegistrationOptions, verifyAuthenticationResponse, verifyRegistrationResponse,
  type PublicKeyCredentialCreationOptionsJSON, type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { recordAudit } from '#features/audit/commands.ts'
import { consumeSecret, issueVerification } from '#features/verification/commands.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { tellOwner } from './commands.ts'
import { hasOtherWayIn } from './queries.ts'
import { arePasskeysPossible, CHALLENGE_LIFE_MS, PASSKEYS_MAX, type Site } from './rules.ts'
import { challengeData, clientData, type ChallengePurpose, type NewCredential, type UsedCredential } from './schema.ts'

/** COSE names of Ed25519, ES256 and RS256: what the authenticators in use sign with. */
const ALGORITHMS = [-8, -7, -257]
/** Transports a browser may be told back; others are left out. */
const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

/** What the browser is asked to make. A passkey that the account has already is not made again on the same device. */
export async function askForNewPasskey(ctx: Ctx, accountId: string, site: Site): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const account = await ctx.db.selectFrom('account').select(['user_id', 'user_name', 'nickname']).where('id', '=', accountId).executeTakeFirstOrThrow()
  const passkeys = await ctx.db.selectFrom('passkey').select(['credential_id', 'transports']).where('account_id', '=', accountId).execute()
  assertRoom(passkeys.length)
  return generateRegistrationOptions({
    rpName: site.shopName,
    rpID: hostOf(site),
    userName: account.user_name ?? '',
    userDisplayName: account.nickname ?? '',
    // What the authenticator gives back when it signs; random, and nothing of the person.
    userID: bytesOf(account.user_id),
    challenge: await newChallenge(ctx, 'add', accountId),
    timeout: CHALLENGE_LIFE_MS,
    attestationType: 'none',
    excludeCredentials: passkeys.map((passkey) => ({ id: passkey.credential_id.toString('base64url'), transports: passkey.transports })),
    // Found without a name typed, and unlocked by the person: the device and the finger or PIN are two factors in one.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/**
 * What the browser is asked to sign. No account is named, not even for a proof by somebody signed in: the answer says nothing
 * of who has passkeys here.
 */
export async function askForPasskey(ctx: Ctx, site: Site, purpose: 'sign_in' | 'proof', accountId: string | null): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: hostOf(site),
    challenge: await newChallenge(ctx, purpose, accountId),
    timeout: CHALLENGE_LIFE_MS,
    userVerification: 'required',
  })
}

/** Verifies what the browser made and keeps it. Throws `ticket_expired`, `passkey_failed` or `passkey_limit`. @returns its public id */
export async function addPasskey(ctx: Ctx, accountId: string, site: Site, credential: NewCredential, name: string): Promise<string> {
  const challenge = await takeChallenge(ctx, credential, 'add', accountId)
  const made = await verified(ctx, async () => {
    const { transports = [], ...response } = credential.response
    const answer = await verifyRegistrationResponse({
      response: { ...credential, response: { ...response, transports }, clientExtensionResults: {} },
      expectedChallenge: challenge, expectedOrigin: site.publicUrl, expectedRPID: hostOf(site),
      requireUserVerification: true, supportedAlgorithmIDs: ALGORITHMS,
    })
    return answer.verified ? answer.registrationInfo : null
  })
  const publicId = newPublicId(ctx)
  await transaction(ctx, async (tx) => {
    await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
    const { count } = await tx.selectFrom('passkey').select((row) => row.fn.countAll<string>().as('count')).where('account_id', '=', accountId).executeTakeFirstOrThrow()
    assertRoom(Number(count))
    const inserted = await tx.insertInto('passkey').values({
      id: ctx.newId(), public_id: publicId, account_id: accountId, name, created_at: ctx.now(),
      credential_id: Buffer.from(made.credential.id, 'base64url'), public_key: Buffer.from(made.credential.publicKey), counter: made.credential.counter,
      transports: (credential.response.transports ?? []).filter((transport) => TRANSPORTS.has(transport)), is_backed_up: made.credentialBackedUp,
    }).onConflict((conflict) => conflict.column('credential_id').doNothing()).executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows !== 1n) throw new AppError('passkey_failed')
    await recordAudit(tx, ctx, ctx.now(), [{ action: 'create', subject: 'passkey', subjectCode: publicId, before: null, after: {} }])
    await tellOwner(tx, ctx, accountId, 'factor_added', { factor: 'passkey', name })
  })
  return publicId
}

/** Signing in with a passkey alone. It counts as both factors and as a fresh proof. Throws `ticket_expired` or `passkey_failed`. @returns the account's id */
export function signInWithPasskey(ctx: Ctx, site: Site, credential: UsedCredential): Promise<string> {
  return usePasskey(ctx, site, credential, 'sign_in', null)
}

/** A passkey as proof that the person of a session is still the one who holds it. Throws as signing in does. */
export async function proveWithPasskey(ctx: Ctx, accountId: string, site: Site, credential: UsedCredential): Promise<void> {
  await usePasskey(ctx, site, credential, 'proof', accountId)
}

export async function renamePasskey(ctx: Ctx, accountId: string, publicId: string, name: string): Promise<void> {
  const renamed = await ctx.db.updateTable('passkey').set({ name }).where('public_id', '=', publicId).where('account_id', '=', accountId).executeTakeFirst()
  if (renamed.numUpdatedRows === 0n) throw new AppError('not_found')
}

/** Throws `last_way_in` when the person could not sign in any more. */
export async function removePasskey(ctx: Ctx, accountId: string, publicId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    const row = await tx.selectFrom('passkey').select(['id', 'name']).where('public_id', '=', publicId).where('account_id', '=', accountId).executeTakeFirst()
    if (!row) throw new AppError('not_found')
    if (!(await hasOtherWayIn(tx, accountId, { passkey: row.id }))) throw new AppError('last_way_in')
    const removed = await tx.deleteFrom('passkey').where('id', '=', row.id).executeTakeFirst()
    if (removed.numDeletedRows === 0n) throw new AppError('not_found')
    await recordAudit(tx, ctx, ctx.now(), [{ action: 'remove', subject: 'passkey', subjectCode: publicId, before: {}, after: null }])
    await tellOwner(tx, ctx, accountId, 'factor_removed', { factor: 'passkey', name: row.name })
  })
}

async function usePasskey(ctx: Ctx, site: Site, credential: UsedCredential, purpose: ChallengePurpose, accountId: string | null): Promise<string> {
  const challenge = await takeChallenge(ctx, credential, purpose, accountId)
  const passkey = await ctx.db.selectFrom('passkey').innerJoin('account', 'account.id', 'passkey.account_id')
    .select(['passkey.id', 'passkey.account_id', 'passkey.public_key', 'passkey.counter', 'account.user_id'])
    .where('passkey.credential_id', '=', Buffer.from(credential.id, 'base64url')).executeTakeFirst()
  const { userHandle, ...response } = credential.response
  if (!passkey || userHandle !== passkey.user_id || (accountId !== null && passkey.account_id !== accountId)) throw new AppError('passkey_failed')
  const used = await verified(ctx, async () => {
    const answer = await verifyAuthenticationResponse({
      response: { ...credential, response: { ...response, userHandle }, clientExtensionResults: {} },
      expectedChallenge: challenge, expectedOrigin: site.publicUrl, expectedRPID: hostOf(site), requireUserVerification: true,
      credential: { id: credential.id, publicKey: Uint8Array.from(passkey.public_key), counter: Number(passkey.counter) },
    })
    return answer.verified ? answer.authenticationInfo : null
  })
  // A counter that stands still or goes back tells of a copy; zero for good means that the authenticator keeps none.
  const kept = await ctx.db.updateTable('passkey').set({ counter: used.newCounter, is_backed_up: used.credentialBackedUp, used_at: ctx.now() })
    .where('id', '=', passkey.id)
    .where((row) => row.or([row('counter', '<', String(used.newCounter)), row.and([row('counter', '=', '0'), row.val(used.newCounter === 0)])]))
    .executeTakeFirst()
  if (kept.numUpdatedRows === 0n) throw new AppError('passkey_failed')
  return passkey.account_id
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

async function newChallenge(ctx: Ctx, purpose: ChallengePurpose, accountId: string | null): Promise<Uint8Array<ArrayBuffer>> {
  const { secret = '' } = await transaction(ctx, (tx) =>
    issueVerification(tx, ctx, { purpose: 'passkey', accountId, target: '', withCode: false, withSecret: true, data: { for: purpose }, ttl: CHALLENGE_LIFE_MS }))
  return bytesOf(secret)
}

/** Finds the challenge that an answer names and uses it up, whatever comes of the answer. */
async function takeChallenge(ctx: Ctx, { response }: NewCredential | UsedCredential, purpose: ChallengePurpose, accountId: string | null): Promise<string> {
  const challenge = challengeIn(response.clientDataJSON)
  const row = await transaction(ctx, (tx) => consumeSecret(tx, ctx, { purpose: 'passkey', secret: challenge })).catch((error: unknown) => {
    throw isAppError(error) && error.code === 'link_expired' ? new AppError('ticket_expired') : error
  })
  if (challengeData.parse(row.data).for !== purpose || row.accountId !== accountId) throw new AppError('passkey_failed')
  return challenge
}

function challengeIn(clientDataJSON: string): string {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))).challenge
  } catch {
    throw new AppError('passkey_failed')
  }
}

/** The relying party's id (WebAuthn §5.4.2): the shop's host name. */
function hostOf({ publicUrl }: Site): string {
  if (!arePasskeysPossible(publicUrl)) throw new AppError('passkey_failed')
  return new URL(publicUrl).hostname
}

function assertRoom(passkeys: number): void {
  if (passkeys >= PASSKEYS_MAX) throw new AppError('passkey_limit', { max: PASSKEYS_MAX })
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64url, 'base64url'))
}
