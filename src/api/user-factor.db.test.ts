import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { holdSnapshot, type SnapshotHolder } from '#features/goods/browse/flows.ts'
import { startSession } from '#features/people/session/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { addAccount } from '../../test/support/accounts.ts'
import { createAuthenticator } from '../../test/support/authenticator.ts'
import { useDatabase } from '../../test/support/database.ts'
import { testServices } from '../../test/support/services.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls, type PersonalCalls } from './personal/run.ts'

const database = useDatabase()
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0'
const visitor = { address: '203.0.113.9', network: '203.0.113.0/24', userAgent: WINDOWS }
let holder: SnapshotHolder
let clock: Date
let ctx: Ctx
let calls: PersonalCalls

beforeAll(async () => {
  holder = await holdSnapshot({
    db: database.ctx.db,
    databaseUrl: database.url,
    log: database.ctx.log,
    onChange: () => {},
  })
})
afterAll(() => holder.close())

beforeEach(() => {
  clock = new Date('2026-11-21T12:00:00Z')
  ctx = { ...database.ctx, now: () => clock }
  calls = createPersonalCalls({ ctx, snapshot: holder.current, services: testServices })
})

test('a passkey is added, renamed, and stays while it is the only way in', async () => {
  const cookie = await signedIn()
  expect(await data(cookie, 'GET', 'user/passkeys')).toEqual({ possible: true, list: [] })
  const device = createAuthenticator(testServices.publicUrl)
  const { options } = await data(cookie, 'POST', 'user/passkey_options', { for: 'add' })
  const added = await data(cookie, 'POST', 'user/passkeys', {
    add: {
      ...device.create(options),
      authenticatorAttachment: 'platform',
      clientExtensionResults: { credProps: { rk: true } },
    },
  })
  expect(added.list).toEqual([
    {
      id: expect.any(String) as string,
      name: 'Firefox · Windows',
      backed_up: false,
      added_text: '21 November 2026',
      used_text: '',
    },
  ])
  const id = added.list[0]?.id
  expect(
    (await data(cookie, 'POST', 'user/passkeys', { rename: id, name: ' My laptop ' })).list[0]
      ?.name,
  ).toBe('My laptop')
  expect(await call(cookie, 'POST', 'user/passkeys', { remove: id })).toMatchObject({
    status: 200,
    envelope: { code: 2408 },
  })
})

test('codes are turned on, renewed and turned off', async () => {
  const cookie = await signedIn()
  const begun = await data(cookie, 'POST', 'user/second_factor', { begin: true })
  expect(begun).toMatchObject({
    on: false,
    recovery_codes: [],
    invitation: {
      uri: expect.stringContaining('otpauth://totp/Lukado:') as string,
      qr: expect.stringContaining('<svg') as string,
    },
  })
  const app = new TOTP({ secret: Secret.fromBase32(begun.invitation.seed.replaceAll(' ', '')) })
  expect(await call(cookie, 'POST', 'user/second_factor', { confirm: '12 34' })).toMatchObject({
    status: 200,
    envelope: { code: 2422, data: { fields: [{ field: 'confirm' }] } },
  })
  const on = await data(cookie, 'POST', 'user/second_factor', {
    confirm: app.generate({ timestamp: clock.getTime() }),
  })
  expect(on).toMatchObject({ on: true, recovery_codes_left: 10, invitation: null })
  expect(new Set(on.recovery_codes).size).toBe(10)
  expect(await call(cookie, 'POST', 'user/second_factor', { begin: true })).toMatchObject({
    status: 200,
    envelope: { code: 2418 },
  })
  const renewed = await data(cookie, 'POST', 'user/second_factor', { renew_recovery: true })
  expect(renewed.recovery_codes).not.toEqual(on.recovery_codes)
  expect(await data(cookie, 'GET', 'user/second_factor')).toEqual({
    on: true,
    since_text: '21 November 2026',
    recovery_codes_left: 10,
  })
  expect(await data(cookie, 'POST', 'user/second_factor', { remove: true })).toMatchObject({
    on: false,
    since_text: '',
    recovery_codes_left: 0,
  })
})

test('whoever turns codes on or off, or takes a passkey away, signs everybody else out', async () => {
  const accountId = await addAccount(ctx)
  const cookie = await signedInAs(accountId)
  const ended = async (change: object, path = 'user/second_factor'): Promise<boolean> => {
    const other = await signedInAs(accountId)
    await data(cookie, 'POST', path, change)
    expect((await call(cookie, 'GET', 'user/passkeys')).status).toBe(200)
    return (await call(other, 'GET', 'user/passkeys')).status === 401
  }
  const begun = await data(cookie, 'POST', 'user/second_factor', { begin: true })
  const app = new TOTP({ secret: Secret.fromBase32(begun.invitation.seed.replaceAll(' ', '')) })
  expect(await ended({ confirm: app.generate({ timestamp: clock.getTime() }) })).toBe(true)
  expect(await ended({ renew_recovery: true })).toBe(false)
  expect(await ended({ remove: true })).toBe(true)
  for (const name of ['One', 'Two']) {
    const { options } = await data(cookie, 'POST', 'user/passkey_options', { for: 'add' })
    const add = createAuthenticator(testServices.publicUrl).create(options)
    await data(cookie, 'POST', 'user/passkeys', { add, name })
  }
  const { list } = await data(cookie, 'GET', 'user/passkeys')
  expect(await ended({ remove: list[0]?.id }, 'user/passkeys')).toBe(true)
})

test('without a fresh proof nothing changes and no device is asked to make a passkey', async () => {
  const cookie = await signedIn()
  clock = new Date(clock.getTime() + 11 * 60_000)
  for (const [path, body] of [
    ['user/passkey_options', { for: 'add' }],
    ['user/second_factor', { begin: true }],
    ['user/second_factor', { remove: true }],
    ['user/passkeys', { remove: 'A'.repeat(22) }],
  ] as const)
    expect(await call(cookie, 'POST', path, body)).toMatchObject({
      status: 200,
      envelope: { code: 2403 },
    })
  expect(await call(cookie, 'POST', 'user/passkey_options', { for: 'proof' })).toMatchObject({
    envelope: { code: 1, data: { possible: true } },
  })
})

test('a visitor may ask to sign in and nothing else, and hears of no account', async () => {
  const { options } = await data(undefined, 'POST', 'user/passkey_options', { for: 'sign_in' })
  expect(options).toMatchObject({ rpId: 'shop.example', userVerification: 'required' })
  expect(options.allowCredentials ?? []).toEqual([])
  for (const wanted of ['add', 'proof'])
    expect(await call(undefined, 'POST', 'user/passkey_options', { for: wanted })).toMatchObject({
      status: 401,
    })
  for (const path of ['user/passkeys', 'user/second_factor'])
    expect(await call(undefined, 'GET', path)).toMatchObject({ status: 401 })
})

test.each([
  ['user/passkeys', {}],
  ['user/passkeys', { remove: 7 }],
  ['user/passkeys', { remove: 'x' }],
  ['user/passkeys', { rename: 'A'.repeat(22) }],
  ['user/passkeys', { rename: 'A'.repeat(22), name: '\u0000' }],
  ['user/passkeys', { rename: 'A'.repeat(22), name: 'x'.repeat(61) }],
  ['user/passkeys', { rename: 'A'.repeat(22), name: ' ' }],
  ['user/passkeys', { remove: 'A'.repeat(22), account_id: 'x' }],
  ['user/passkeys', { rename: 'A'.repeat(22), remove: 'A'.repeat(22), name: 'x' }],
  ['user/passkeys', { add: {} }],
  ['user/second_factor', {}],
  ['user/second_factor', { begin: false }],
  ['user/second_factor', { begin: true, remove: true }],
  ['user/second_factor', { confirm: 123456 }],
  ['user/second_factor', { confirm: '1'.repeat(41) }],
  ['user/second_factor', { begin: true, role_id: 1 }],
  ['user/passkey_options', {}],
  ['user/passkey_options', { for: 'else' }],
])('%s refuses %j as input', async (path, body) => {
  expect(await call(await signedIn(), 'POST', path, body)).toMatchObject({
    status: 422,
    envelope: { code: 422, data: { fields: expect.any(Array) as unknown[] } },
  })
})

test('a text that is too long or empty says so at its field', async () => {
  const answer = await call(await signedIn(), 'POST', 'user/passkeys', {
    rename: 'A'.repeat(22),
    name: 'x'.repeat(61),
  })
  expect(answer.envelope.data).toEqual({
    fields: [{ field: 'name', msg: 'Use at most 60 characters.' }],
  })
})

test("where the shop's address is a number passkeys are not offered", async () => {
  calls = createPersonalCalls({
    ctx,
    snapshot: holder.current,
    services: { ...testServices, publicUrl: 'http://127.0.0.1:3000', isHttps: false },
  })
  expect(await data(undefined, 'POST', 'user/passkey_options', { for: 'sign_in' })).toEqual({
    possible: false,
    options: null,
  })
})

async function signedIn(): Promise<string> {
  return signedInAs(await addAccount(ctx))
}

async function signedInAs(accountId: string): Promise<string> {
  const { token } = await transaction(ctx, (tx) => startSession(tx, ctx, { accountId, visitor }))
  return `${sessionCookieName(true)}=${token}`
}

function call(
  cookieHeader: string | undefined,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
) {
  return calls.run({ method, path, params: new URLSearchParams(), body, cookieHeader, visitor })
}

/** The parts of the answers that are taken further. */
interface Reply {
  readonly options: Parameters<ReturnType<typeof createAuthenticator>['create']>[0] & {
    readonly allowCredentials?: unknown[]
  }
  readonly list: readonly { readonly id: string; readonly name: string }[]
  readonly invitation: { readonly seed: string }
  readonly recovery_codes: readonly string[]
}

async function data(
  cookieHeader: string | undefined,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<Reply> {
  const { envelope } = await call(cookieHeader, method, path, body)
  expect(envelope).toMatchObject({ code: 1 })
  return envelope.data as Reply
}
