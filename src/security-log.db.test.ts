import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { beginSecondFactor, confirmSecondFactor } from '#features/people/factor/commands.ts'
import { importSmallCatalogue } from '../test/support/catalogue-folder.ts'
import { useDatabase } from '../test/support/database.ts'
import { NO_SESSION, PASSWORD, signedIn, somebody } from '../test/support/people.ts'
import { startShop, type RunningShop } from '../test/support/running-shop.ts'

const database = useDatabase()
const SIGNING = 'whsec_0123456789abcdef'
let shop: RunningShop

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  shop = await startShop(database.url, {
    TRUSTED_PROXIES: '127.0.0.1',
    STRIPE_SECRET_KEY: 'sk_test_1234567890',
    STRIPE_WEBHOOK_SECRETS: SIGNING,
  })
})
afterAll(() => shop.stop())
beforeEach(() => {
  ;(shop.log as string[]).length = 0
})

interface Line {
  readonly event: string
  readonly request: string
  readonly network: string
  readonly [name: string]: unknown
}

const ADDRESS = '203.0.113.77'

/** Sends a request as from `ADDRESS`; its answer's id and what the security log says of it. */
async function ask(
  path: string,
  {
    body,
    cookie,
    address = ADDRESS,
    headers = {},
  }: {
    readonly body?: object | string
    readonly cookie?: string
    readonly address?: string
    readonly headers?: Record<string, string>
  } = {},
) {
  const seen = shop.log.length
  const answer = await fetch(shop.origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(cookie ? { cookie: `sid=${cookie}` } : {}),
      ...headers,
    },
  })
  const text = await answer.text()
  const lines = shop.log
    .slice(seen)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ message }) => message === 'security')
  return { status: answer.status, text, id: answer.headers.get('x-request-id'), lines }
}

test('a failed sign-in leaves a line that names neither what was typed nor the address', async () => {
  const { email } = await somebody(database.ctx)
  const one = await ask('/api/user/login', { body: { account: email, password: 'Wrong4You' } })
  const other = await ask('/api/user/login', { body: { account: email, password: 'Wrong5You' } })
  const nobody = await ask('/api/user/login', {
    body: { account: 'nobody@shop.example', password: 'Wrong4You' },
  })
  expect(one.lines).toEqual([
    expect.objectContaining({
      event: 'sign_in.failed',
      how: 'password',
      network: '203.0.113.0/24',
      request: one.id,
      level: 'warn',
    }),
  ])
  expect(other.lines[0]?.['subject']).toBe(one.lines[0]?.['subject'])
  expect(nobody.lines[0]?.['subject']).not.toBe(one.lines[0]?.['subject'])
  expect(nobody.lines[0]?.event).toBe('sign_in.failed')
  const all = shop.log.join('')
  for (const word of [email, email.split('@')[0] ?? '', 'Wrong4You', 'nobody', ADDRESS])
    expect(all).not.toContain(word)
})

test('so do a pause that begins, what is refused in it, and a sign-in', async () => {
  const { accountId, email } = await somebody(database.ctx)
  const address = '198.51.100.20'
  const wrong = { account: email, password: 'Wrong4You' }
  const told: string[] = []
  for (let n = 0; n < 6; n += 1)
    for (const { event } of (await ask('/api/user/login', { body: wrong, address })).lines)
      told.push(event)
  expect(told).toEqual([...Array(5).fill('sign_in.failed'), 'sign_in.paused', 'limit.refused'])
  const right = await ask('/api/user/login', { body: { account: email, password: PASSWORD } })
  expect(right.lines).toEqual([
    expect.objectContaining({ event: 'sign_in.done', how: 'password', account: accountId }),
  ])
})

test('so do refused proofs, codes and second factors', async () => {
  const { accountId, email } = await somebody(database.ctx)
  const { token: cookie } = await signedIn(database.ctx, accountId)
  const proof = await ask('/api/user/prove', { body: { password: 'Wrong4You' }, cookie })
  expect(proof.lines).toEqual([
    expect.objectContaining({ event: 'proof.refused', how: 'password', account: accountId }),
  ])
  const code = await ask('/api/user/reset', {
    body: { account: email, code: '000000', password: 'Nangka8Manis' },
  })
  expect(code.lines).toEqual([
    expect.objectContaining({ event: 'code.refused', purpose: 'reset', account: accountId }),
  ])
  await turnSecondFactorOn(accountId)
  const first = await ask('/api/user/login', { body: { account: email, password: PASSWORD } })
  expect(first.lines).toEqual([
    expect.objectContaining({ event: 'sign_in.second_step', account: accountId }),
  ])
  const { data } = JSON.parse(first.text) as { data: { ticket: string } }
  const factor = await ask('/api/user/login', { body: { ticket: data.ticket, code: '000000' } })
  expect(factor.lines).toEqual([
    expect.objectContaining({ event: 'factor.refused', account: accountId }),
  ])
  const passkey = await ask('/api/user/login', {
    body: {
      passkey: {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        response: {
          clientDataJSON: Buffer.from('{}').toString('base64url'),
          authenticatorData: 'AAAA',
          signature: 'AAAA',
          userHandle: 'AAAA',
        },
      },
    },
  })
  expect(passkey.lines).toEqual([
    expect.objectContaining({ event: 'sign_in.failed', how: 'passkey' }),
  ])
  expect(shop.log.join('')).not.toContain('000000')
})

test('so do requests of other sites, by every way they may come', async () => {
  const headers = { origin: 'https://elsewhere.example' }
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
  for (const [path, sent] of [
    ['/api/user/login', headers],
    ['/login', form],
    ['/language_currency', form],
  ] as const) {
    const { status, lines } = await ask(path, { body: 'a=1', headers: sent })
    expect([status, lines.map(({ event }) => event)]).toEqual([403, ['origin.refused']])
  }
})

test('so do notices that nobody signed, and too many of them', async () => {
  const forged = await ask('/api/webhook/stripe', {
    body: { id: 'evt_1' },
    headers: { 'stripe-signature': `t=1,v1=${createHmac('sha256', 'x').digest('hex')}` },
  })
  expect([forged.status, forged.lines]).toEqual([
    400,
    [expect.objectContaining({ event: 'webhook.refused', provider: 'stripe', request: forged.id })],
  ])
  for (let n = 0; n < 29; n += 1) await ask('/api/webhook/stripe', { body: { id: 'evt_1' } })
  const many = await ask('/api/webhook/stripe', { body: { id: 'evt_1' } })
  expect([many.status, many.lines[0]?.event]).toEqual([429, 'limit.refused'])
})

test('so does what is refused for whom it is, how it is written, or how often it comes', async () => {
  const { accountId } = await somebody(database.ctx)
  const { token: cookie } = await signedIn(database.ctx, accountId)
  const foreign = await ask(`/api/order/detail?order=${'A'.repeat(22)}`, { cookie })
  expect([foreign.status, foreign.lines]).toEqual([
    404,
    [
      expect.objectContaining({
        event: 'access.refused',
        call: 'order/detail',
        reason: 'not_found',
        account: accountId,
      }),
    ],
  ])
  const asPage = await ask(`/order/detail?order=${'A'.repeat(22)}`, { cookie })
  expect([asPage.status, asPage.lines]).toEqual([
    404,
    [
      expect.objectContaining({
        event: 'access.refused',
        page: 'order-detail',
        reason: 'not_found',
        account: accountId,
      }),
    ],
  ])
  expect((await ask('/api/order/index')).lines).toEqual([
    expect.objectContaining({ event: 'access.refused', reason: 'unauthorised' }),
  ])
  expect((await ask('/api/user/login', { body: { account: ['x'] } })).lines).toEqual([
    expect.objectContaining({ event: 'input.refused', call: 'user/login' }),
  ])
  for (let n = 0; n < 100; n += 1)
    await ask('/api/user/send_code', { body: { type: 'proof' }, address: '192.0.2.9' })
  const many = await ask('/api/user/send_code', { body: { type: 'proof' }, address: '192.0.2.9' })
  expect([many.status, many.lines]).toEqual([
    429,
    [
      expect.objectContaining({
        event: 'limit.refused',
        call: 'user/send_code',
        network: '192.0.2.0/24',
      }),
    ],
  ])
})

/** With a code of the seed's own, as its app would make it (RFC 6238). */
async function turnSecondFactorOn(accountId: string): Promise<void> {
  const { seed } = await beginSecondFactor(database.ctx, accountId, 'Shop')
  await confirmSecondFactor(
    database.ctx,
    { accountId, sessionId: NO_SESSION },
    timeCode(seed, database.ctx.now()),
  )
}

function timeCode(seed: string, at: Date): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...seed.replaceAll(' ', '')]
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 30_000)))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
