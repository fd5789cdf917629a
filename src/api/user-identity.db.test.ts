import fc from 'fast-check'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdSnapshot, type SnapshotHolder } from '#features/goods/browse/flows.ts'
import { beginSecondFactor, confirmSecondFactor } from '#features/people/factor/commands.ts'
import { startSession } from '#features/people/session/commands.ts'
import { readConfig } from '#platform/config.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { hashPassword } from '#platform/password-hash.ts'
import { offeredProviders } from '#providers/identity/offered.ts'
import { addAccount } from '../../test/support/accounts.ts'
import { useDatabase } from '../../test/support/database.ts'
import { signInAtDemoId, useDemoId } from '../../test/support/demo-id.ts'
import { testServices } from '../../test/support/services.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls, type PersonalCalls } from './personal/run.ts'
import { NO_SESSION } from '../../test/support/people.ts'

const database = useDatabase()
const demo = useDemoId()
const visitor = {
  address: '203.0.113.9',
  network: '203.0.113.0/24',
  userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
}
let holder: SnapshotHolder
let ctx: Ctx
let calls: PersonalCalls

beforeAll(async () => {
  ctx = database.ctx
  holder = await holdSnapshot({
    db: ctx.db,
    databaseUrl: database.url,
    log: ctx.log,
    onChange: () => {},
  })
  const config = readConfig({
    DEMO: '1',
    PUBLIC_URL: demo.publicUrl,
    SANDBOX_IDENTITY_SECRET: demo.clientSecret,
    SANDBOX_PORTS: `identity:${demo.port}`,
  })
  const services = {
    ...testServices,
    publicUrl: demo.publicUrl,
    isHttps: false,
    identityProviders: await offeredProviders(config, ctx.now),
  }
  calls = createPersonalCalls({ ctx, snapshot: holder.current, services })
})
afterAll(() => holder.close())

/** The parts of answers that later steps use. */
interface Reply {
  readonly redirect_url: string
  readonly ticket: string
  readonly list: readonly unknown[]
}

/** A browser that keeps the cookies it is given. */
function newBrowser(cookies = new Map<string, string>()) {
  return {
    cookies,
    async call(method: 'GET' | 'POST', path: string, body: Record<string, unknown> = {}) {
      const answer = await calls.run({
        method,
        path,
        body,
        params: new URLSearchParams(method === 'GET' ? (body as Record<string, string>) : {}),
        visitor,
        cookieHeader: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      })
      for (const cookie of answer.cookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer as Omit<typeof answer, 'envelope'> & {
        readonly envelope: { readonly code: number; readonly data: Reply }
      }
    },
  }
}
type Browser = ReturnType<typeof newBrowser>

async function signedInBrowser(): Promise<{ browser: Browser; accountId: string }> {
  const accountId = await addAccount(ctx)
  const session = await transaction(ctx, (tx) => startSession(tx, ctx, { accountId, visitor }))
  return { browser: newBrowser(new Map([[sessionCookieName(false), session.token]])), accountId }
}

async function comeBack(browser: Browser, redirectUrl: string, person: string) {
  return browser.call('POST', 'user/callback', {
    platform: 'demo',
    ...(await signInAtDemoId(new URL(redirectUrl), { person })),
  })
}

test('the offered services are listed', async () => {
  expect((await newBrowser().call('GET', 'user/authorize')).envelope.data).toEqual({
    list: [{ platform: 'demo', name: 'Demo ID' }],
  })
  expect(
    (await newBrowser().call('POST', 'user/authorize', { platform: 'google' })).envelope.code,
  ).toBe(404)
})

test('an identity without an account is told as such, is linked by somebody who signs in, signs in, and is unlinked', async () => {
  const { browser, accountId } = await signedInBrowser()
  const begun = await browser.call('POST', 'user/authorize', {
    platform: 'demo',
    redirect: '/cards',
  })
  expect(begun.cookies.join()).toContain('HttpOnly')
  const unknown = await comeBack(browser, begun.envelope.data.redirect_url, 'demo-ada')
  expect(unknown).toMatchObject({
    status: 200,
    envelope: {
      code: 2404,
      data: {
        platform: 'demo',
        name: 'Demo ID',
        email: 'ada@demo-id.example',
        email_verified: true,
        display_name: 'Ada Sample',
        redirect: '/cards',
      },
    },
  })
  const { ticket } = unknown.envelope.data
  const stranger = await signedInBrowser()
  expect((await stranger.browser.call('POST', 'user/link', { ticket })).envelope.code).toBe(2401)
  expect((await browser.call('POST', 'user/link', { ticket })).envelope).toMatchObject({
    code: 1,
    data: { redirect_url: `${demo.publicUrl}/cards` },
  })
  expect((await browser.call('POST', 'user/link', { ticket })).envelope.code).toBe(2401)

  const other = newBrowser()
  const again = await other.call('POST', 'user/authorize', {
    platform: 'demo',
    redirect: 'https://evil.example',
  })
  const back = await comeBack(other, again.envelope.data.redirect_url, 'demo-ada')
  expect(back.envelope).toMatchObject({
    code: 1,
    data: { is: 'signed_in', redirect: '/', userinfo: { token: expect.any(String) as string } },
  })
  expect((await other.call('GET', 'user/link')).envelope.data.list).toMatchObject([
    { platform: 'demo', linked: true, offered: true, display_name: 'Ada Sample' },
  ])
  // Signing in elsewhere proved nothing to the shop.
  expect((await other.call('POST', 'user/unlink', { platform: 'demo' })).envelope.code).toBe(2403)
  expect((await browser.call('POST', 'user/unlink', { platform: 'demo' })).envelope.code).toBe(2408)
  await ctx.db
    .updateTable('account')
    .set({ password_hash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA' })
    .where('id', '=', accountId)
    .execute()
  expect((await browser.call('POST', 'user/unlink', { platform: 'demo' })).envelope).toMatchObject({
    code: 1,
    data: { list: [{ platform: 'demo', linked: false }] },
  })
})

test('a service is linked from the account', async () => {
  const { browser } = await signedInBrowser()
  const begun = await browser.call('POST', 'user/link', { platform: 'demo' })
  const back = await comeBack(browser, begun.envelope.data.redirect_url, 'demo-chiyo')
  expect(back.envelope).toMatchObject({ code: 1, data: { is: 'linked', redirect: '/user/link' } })
  const second = await signedInBrowser()
  const taken = await second.browser.call('POST', 'user/link', { platform: 'demo' })
  expect(
    (await comeBack(second.browser, taken.envelope.data.redirect_url, 'demo-chiyo')).envelope.code,
  ).toBe(2409)
})

test('an identity is linked to an account that asks for a second factor', async () => {
  const accountId = await addAccount(ctx, {
    email: 'careful@example.com',
    passwordHash: await hashPassword('Kelapa7Muda'),
  })
  const { seed } = await beginSecondFactor(ctx, accountId, 'Shop')
  const app = new TOTP({ secret: Secret.fromBase32(seed.replaceAll(' ', '')) })
  await confirmSecondFactor(
    ctx,
    { accountId, sessionId: NO_SESSION },
    app.generate({ timestamp: Date.now() - 30_000 }),
  )
  const browser = newBrowser()
  const begun = await browser.call('POST', 'user/authorize', { platform: 'demo' })
  const { ticket } = (await comeBack(browser, begun.envelope.data.redirect_url, 'demo-bilal'))
    .envelope.data
  const step = await browser.call('POST', 'user/login', {
    account: 'careful@example.com',
    password: 'Kelapa7Muda',
    ticket,
  })
  expect(step.envelope.code).toBe(2405)
  const done = await browser.call('POST', 'user/login', {
    ticket: step.envelope.data.ticket,
    code: app.generate(),
    link: ticket,
  })
  expect(done.envelope.code).toBe(1)
  expect((await browser.call('GET', 'user/link')).envelope.data.list).toMatchObject([
    { platform: 'demo', linked: true },
  ])
})

test('an answer sent by another browser, twice or refused is told from a good one', async () => {
  const browser = newBrowser()
  const begun = await browser.call('POST', 'user/authorize', { platform: 'demo' })
  const parameters = await signInAtDemoId(new URL(begun.envelope.data.redirect_url), {
    person: 'demo-dara',
  })
  expect(
    (await newBrowser().call('POST', 'user/callback', { platform: 'demo', ...parameters })).envelope
      .code,
  ).toBe(2401)
  expect(
    (await browser.call('POST', 'user/callback', { platform: 'demo', ...parameters })).envelope
      .code,
  ).toBe(2404)
  expect(
    (await browser.call('POST', 'user/callback', { platform: 'demo', ...parameters })).envelope
      .code,
  ).toBe(2401)
  const again = await browser.call('POST', 'user/authorize', { platform: 'demo' })
  const refused = await signInAtDemoId(new URL(again.envelope.data.redirect_url), {
    decision: 'refuse',
  })
  const { error_description: _, ...kept } = refused
  expect(
    (await browser.call('POST', 'user/callback', { platform: 'demo', ...kept })).envelope,
  ).toMatchObject({ code: 2412, data: { reason: 'refused' } })
})

test('bodies that do not fit are refused at the field', async () => {
  const { browser } = await signedInBrowser()
  for (const body of [
    {},
    { platform: 'demo', ticket: 'x' },
    { platform: 7 },
    { platform: 'demo', account_id: 'x' },
  ]) {
    expect(await browser.call('POST', 'user/link', body)).toMatchObject({ status: 422 })
  }
  expect(
    await newBrowser().call('POST', 'user/callback', { platform: 'demo', code: ['x'] }),
  ).toMatchObject({ status: 422 })
  expect(await newBrowser().call('POST', 'user/link', { platform: 'demo' })).toMatchObject({
    status: 401,
  })
  expect(await newBrowser().call('GET', 'user/link')).toMatchObject({ status: 401 })
})

test('whatever is sent, the answer is one of the contract', async () => {
  const { browser } = await signedInBrowser()
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.jsonValue(),
    fc.constantFrom('demo', '../demo', 'x'.repeat(5_000), '\u0000', '__proto__'),
  )
  const names = fc.constantFrom(
    'platform',
    'code',
    'state',
    'iss',
    'error',
    'user',
    'redirect',
    'ticket',
    'role_id',
    'account_id',
  )
  const body = fc.dictionary(names, value, { maxKeys: 5 })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('user/authorize', 'user/callback', 'user/link', 'user/unlink'),
      body,
      async (path, sent) => {
        const { status, envelope } = await browser.call('POST', path, sent)
        expect([200, 404, 422]).toContain(status)
        if ('role_id' in sent || 'account_id' in sent) expect(status).toBe(422)
        if (envelope.code === 1)
          expect(
            new URL(envelope.data.redirect_url).href.startsWith(
              `${demo.publicUrl}/sandbox/identity/`,
            ),
          ).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})

test('a browser that only believes to be signed in is set right', async () => {
  const browser = newBrowser(new Map([['signed_in', '1']]))
  expect(await browser.call('GET', 'user/getUserInfo')).toMatchObject({ status: 401 })
  expect([...browser.cookies.keys()]).toEqual([])
})
