import { beforeEach, expect, test } from 'vitest'
import type { Ctx } from '#platform/ctx.ts'
import { transaction } from '#platform/ctx.ts'
import { addAccount } from '../../../../test/support/accounts.ts'
import {
  createAuthenticator,
  type Authenticator,
  type Deviation,
} from '../../../../test/support/authenticator.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { removePasskey, renamePasskey } from './commands.ts'
import {
  addPasskey,
  askForNewPasskey,
  askForPasskey,
  proveWithPasskey,
  signInWithPasskey,
} from './flows.ts'
import { hasOtherWayIn, listPasskeys } from './queries.ts'
import type { Site } from '#features/base/authenticator/rules.ts'
import { newCredential, usedCredential } from '#features/base/authenticator/schema.ts'
import { signIn as enter } from '#features/people/sign-in/flows.ts'
import { NO_SESSION } from '../../../../test/support/people.ts'

const database = useDatabase()
const site: Site = { publicUrl: 'https://shop.example:8443', shopName: 'Lukado' }
const MANY = 100
let clock: Date
let ctx: Ctx
/** Why answers were refused, as the log tells. */
let reasons: unknown[]

beforeEach(() => {
  clock = new Date('2026-11-21T12:00:00Z')
  reasons = []
  ctx = {
    ...database.ctx,
    now: () => clock,
    log: { ...database.ctx.log, info: (_, fields) => void reasons.push(fields?.['reason']) },
  }
})

test('a browser is asked for a passkey that is found without a name and unlocked by the person', async () => {
  const accountId = await addAccount(ctx, { userName: 'asker11', nickname: 'Mia' })
  const options = await askForNewPasskey(ctx, accountId, site)
  expect(options).toMatchObject({
    rp: { name: 'Lukado', id: 'shop.example' },
    user: { name: 'asker11', displayName: 'Mia' },
    attestation: 'none',
    timeout: 300_000,
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    pubKeyCredParams: [
      { alg: -8, type: 'public-key' },
      { alg: -7, type: 'public-key' },
      { alg: -257, type: 'public-key' },
    ],
  })
  expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(16)
  expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32)
})

test('a passkey is added, listed, and signs in', async () => {
  const { accountId, device } = await withPasskey({ name: 'My phone' })
  expect(await listPasskeys(ctx.db, accountId)).toEqual([
    {
      id: expect.any(String) as string,
      name: 'My phone',
      isBackedUp: false,
      createdAt: clock,
      usedAt: null,
    },
  ])
  const options = await askForPasskey(ctx, site, 'sign_in', null)
  expect(options).toMatchObject({ rpId: 'shop.example', userVerification: 'required' })
  expect(options.allowCredentials ?? []).toEqual([])
  expect(await signInWithPasskey(ctx, site, usedCredential.parse(device.get(options)))).toBe(
    accountId,
  )
  expect((await listPasskeys(ctx.db, accountId))[0]?.usedAt).toEqual(clock)
  expect((await askForNewPasskey(ctx, accountId, site)).excludeCredentials).toEqual([
    { id: device.id, type: 'public-key', transports: ['internal', 'hybrid'] },
  ])
})

test('a passkey signs in during a pause that strangers have brought about', async () => {
  const { accountId, device } = await withPasskey({ name: 'My phone' })
  const { email } = await ctx.db
    .selectFrom('account')
    .select('email')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const visitor = { address: '203.0.113.9', network: '203.0.113.0/24', userAgent: '' }
  const wanted = { account: email ?? '', password: 'Wrong4You', visitor }
  for (let tries = 0; tries < 5; tries += 1)
    await expect(enter(ctx, wanted)).rejects.toMatchObject({ code: 'sign_in_failed' })
  await expect(enter(ctx, wanted)).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(await signIn(device)).toBe(accountId)
})

test('a passkey that is copied between devices keeps no counter and says that it is backed up', async () => {
  const { accountId, device } = await withPasskey({
    device: createAuthenticator(site.publicUrl, false),
  })
  expect((await listPasskeys(ctx.db, accountId))[0]?.isBackedUp).toBe(true)
  expect(await signIn(device)).toBe(accountId)
  expect(await signIn(device)).toBe(accountId)
})

const REFUSED: readonly (readonly [string, Deviation, RegExp])[] = [
  ['from another origin', { origin: 'https://shop.example.evil.example' }, /origin/],
  ['from another port of the host', { origin: 'https://shop.example' }, /origin/],
  ['for another relying party', { rpId: 'evil.example' }, /RP ID/],
  ['without the person unlocking it', { isUnverified: true }, /could not be verified/],
]

test.each([
  ...REFUSED,
  ['with a spoiled signature', { spoilSignature: true }, /signature/] as const,
])('signing in %s is refused', async (_, deviation, reason) => {
  const { device } = await withPasskey()
  await expect(signIn(device, deviation)).rejects.toMatchObject({ code: 'passkey_failed' })
  expect(reasons).toEqual([expect.stringMatching(reason)])
  await expect(signIn(device)).resolves.toEqual(expect.any(String))
})

test('signing in with a passkey that names another person is refused', async () => {
  const { device } = await withPasskey()
  await expect(signIn(device, { userHandle: 'A'.repeat(22) })).rejects.toMatchObject({
    code: 'passkey_failed',
  })
})

test.each(REFUSED)('adding a passkey %s is refused', async (_, deviation, reason) => {
  const accountId = await addAccount(ctx)
  await expect(
    add(accountId, createAuthenticator(site.publicUrl), deviation),
  ).rejects.toMatchObject({ code: 'passkey_failed' })
  expect(reasons).toEqual([expect.stringMatching(reason)])
  expect(await listPasskeys(ctx.db, accountId)).toEqual([])
})

test('a counter that goes back or stands still is refused', async () => {
  const { device } = await withPasskey()
  await signIn(device)
  await signIn(device, { counter: 9 })
  await expect(signIn(device, { counter: 9 })).rejects.toMatchObject({ code: 'passkey_failed' })
  await expect(signIn(device, { counter: 4 })).rejects.toMatchObject({ code: 'passkey_failed' })
  await expect(signIn(device, { counter: 0 })).rejects.toMatchObject({ code: 'passkey_failed' })
  expect(reasons).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/counter/) as string),
  )
  await signIn(device, { counter: 10 })
})

test('an answer counts once, for what was asked, from whom it was asked, within five minutes', async () => {
  const { accountId, device } = await withPasskey({
    device: createAuthenticator(site.publicUrl, false),
  })
  const answer = usedCredential.parse(device.get(await askForPasskey(ctx, site, 'sign_in', null)))
  await signInWithPasskey(ctx, site, answer)
  await expect(signInWithPasskey(ctx, site, answer)).rejects.toMatchObject({
    code: 'ticket_expired',
  })

  const proof = await askForPasskey(ctx, site, 'proof', accountId)
  await expect(
    signInWithPasskey(ctx, site, usedCredential.parse(device.get(proof))),
  ).rejects.toMatchObject({ code: 'passkey_failed' })
  const old = await askForPasskey(ctx, site, 'sign_in', null)
  clock = new Date(clock.getTime() + 300_001)
  await expect(
    signInWithPasskey(ctx, site, usedCredential.parse(device.get(old))),
  ).rejects.toMatchObject({ code: 'ticket_expired' })
  await expect(signIn(device, {}, 'A'.repeat(43))).rejects.toMatchObject({ code: 'ticket_expired' })
})

test('a refused answer has used its challenge up', async () => {
  const { device } = await withPasskey()
  const options = await askForPasskey(ctx, site, 'sign_in', null)
  await expect(
    signInWithPasskey(
      ctx,
      site,
      usedCredential.parse(device.get(options, { spoilSignature: true })),
    ),
  ).rejects.toMatchObject({ code: 'passkey_failed' })
  await expect(
    signInWithPasskey(ctx, site, usedCredential.parse(device.get(options))),
  ).rejects.toMatchObject({ code: 'ticket_expired' })
})

test('of a hundred uses of one answer at the same time one succeeds', async () => {
  const { accountId, device } = await withPasskey({
    device: createAuthenticator(site.publicUrl, false),
  })
  const answer = usedCredential.parse(device.get(await askForPasskey(ctx, site, 'sign_in', null)))
  expect(await successesOf(() => signInWithPasskey(ctx, site, answer))).toBe(1)
  const options = await askForNewPasskey(ctx, accountId, site)
  const made = newCredential.parse(createAuthenticator(site.publicUrl).create(options))
  expect(await successesOf(() => addPasskey(ctx, accountId, site, made, 'Key'))).toBe(1)
  expect(await listPasskeys(ctx.db, accountId)).toHaveLength(2)
})

test("a proof is the person's own passkey or none", async () => {
  const mine = await withPasskey()
  const theirs = await withPasskey()
  const prove = async (device: Authenticator) =>
    proveWithPasskey(
      ctx,
      mine.accountId,
      site,
      usedCredential.parse(device.get(await askForPasskey(ctx, site, 'proof', mine.accountId))),
    )
  await prove(mine.device)
  await expect(prove(theirs.device)).rejects.toMatchObject({ code: 'passkey_failed' })
})

test("nobody adds a passkey to another's account with a challenge of their own", async () => {
  const mine = await addAccount(ctx)
  const theirs = await addAccount(ctx)
  const made = newCredential.parse(
    createAuthenticator(site.publicUrl).create(await askForNewPasskey(ctx, mine, site)),
  )
  await expect(addPasskey(ctx, theirs, site, made, 'Key')).rejects.toMatchObject({
    code: 'passkey_failed',
  })
})

test('one passkey belongs to one account, and twenty to an account', async () => {
  const { device } = await withPasskey()
  const accountId = await addAccount(ctx)
  await expect(add(accountId, device)).rejects.toMatchObject({ code: 'passkey_failed' })
  for (let count = 0; count < 20; count += 1)
    await add(accountId, createAuthenticator(site.publicUrl))
  await expect(add(accountId, createAuthenticator(site.publicUrl))).rejects.toMatchObject({
    code: 'passkey_limit',
  })
})

test("names change; what is somebody else's does not", async () => {
  const { accountId, id } = await withPasskey()
  const other = await withPasskey()
  await renamePasskey(ctx, accountId, id, 'Work laptop')
  expect((await listPasskeys(ctx.db, accountId))[0]?.name).toBe('Work laptop')
  await expect(renamePasskey(ctx, other.accountId, id, 'Mine')).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(
    removePasskey(ctx, { accountId: other.accountId, sessionId: NO_SESSION }, id),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('the last way in stays, however many removals come at once', async () => {
  const { accountId, id } = await withPasskey()
  const second = await add(accountId, createAuthenticator(site.publicUrl))
  const outcomes = await Promise.allSettled(
    [id, second].map((passkey) =>
      removePasskey(ctx, { accountId, sessionId: NO_SESSION }, passkey),
    ),
  )
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  const left = await listPasskeys(ctx.db, accountId)
  expect(left).toHaveLength(1)
  await expect(
    removePasskey(ctx, { accountId, sessionId: NO_SESSION }, left[0]?.id ?? ''),
  ).rejects.toMatchObject({
    code: 'last_way_in',
  })
  await ctx.db
    .insertInto('linked_identity')
    .values({
      id: ctx.newId(),
      account_id: accountId,
      platform: 'google',
      issuer: 'https://idp.example',
      subject: accountId,
      linked_at: clock,
    })
    .execute()
  await removePasskey(ctx, { accountId, sessionId: NO_SESSION }, left[0]?.id ?? '')
  const identity = await ctx.db
    .selectFrom('linked_identity')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  expect(
    await transaction(ctx, (tx) => hasOtherWayIn(tx, accountId, { identity: identity.id })),
  ).toBe(false)
})

test('passkeys added and removed are told of by mail and in the shop', async () => {
  const { accountId, id } = await withPasskey({ name: 'Old key' })
  await add(accountId, createAuthenticator(site.publicUrl))
  await removePasskey(ctx, { accountId, sessionId: NO_SESSION }, id)
  const mails = await ctx.db
    .selectFrom('outgoing_mail')
    .select(['kind', 'params'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  expect(mails.map((mail) => mail.kind)).toEqual(['factor_added', 'factor_added', 'factor_removed'])
  expect(mails[2]?.params).toEqual({ factor: 'passkey', name: 'Old key' })
  const audit = await ctx.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('subject', '=', 'passkey')
    .where('subject_code', '=', id)
    .orderBy('id')
    .execute()
  expect(audit).toEqual([
    { action: 'create', before: null, after: {} },
    { action: 'remove', before: {}, after: null },
  ])
})

test("no passkey is asked for where the shop's address is a number", async () => {
  const local: Site = { publicUrl: 'http://127.0.0.1:3000', shopName: 'Lukado' }
  await expect(askForPasskey(ctx, local, 'sign_in', null)).rejects.toMatchObject({
    code: 'passkey_failed',
  })
})

test.each([
  ['nothing', Buffer.from('')],
  ['no JSON', Buffer.from('{')],
  ['a list', Buffer.from('[]')],
  ['no challenge', Buffer.from('{}')],
  ['a challenge of another kind', Buffer.from('{"challenge":7}')],
  ['bytes', Buffer.from([0xff, 0xfe, 0])],
])('client data of %s is refused', async (_, bytes) => {
  const { device } = await withPasskey()
  const answer = device.get(await askForPasskey(ctx, site, 'sign_in', null))
  const spoiled = {
    ...answer,
    response: { ...answer.response, clientDataJSON: bytes.toString('base64url') },
  }
  await expect(signInWithPasskey(ctx, site, spoiled)).rejects.toMatchObject({
    code: 'passkey_failed',
  })
})

async function add(
  accountId: string,
  device: Authenticator,
  deviation: Deviation = {},
  name = 'Key',
): Promise<string> {
  return addPasskey(
    ctx,
    accountId,
    site,
    newCredential.parse(device.create(await askForNewPasskey(ctx, accountId, site), deviation)),
    name,
  )
}

async function withPasskey({ name = 'Key', device = createAuthenticator(site.publicUrl) } = {}) {
  const accountId = await addAccount(ctx)
  return { accountId, device, id: await add(accountId, device, {}, name) }
}

async function signIn(
  device: Authenticator,
  deviation: Deviation = {},
  challenge?: string,
): Promise<string> {
  const options = await askForPasskey(ctx, site, 'sign_in', null)
  return signInWithPasskey(
    ctx,
    site,
    usedCredential.parse(
      device.get({ ...options, ...(challenge ? { challenge } : {}) }, deviation),
    ),
  )
}

async function successesOf(attempt: () => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: MANY }, attempt))
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'AppError' })
  return outcomes.filter((outcome) => outcome.status === 'fulfilled').length
}
