import { connect } from 'node:net'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PERSONAL_CALLS } from '#api/personal/calls.ts'
import { countTry } from '#features/base/guard/commands.ts'
import { cookieKnowing } from '#features/people/device/commands.ts'
import { addCurrencies, addItem, buy, stock } from '../test/support/buying.ts'
import { useDatabase } from '../test/support/database.ts'
import { PASSWORD, signedIn, somebody } from '../test/support/people.ts'
import { startShop, type RunningShop } from '../test/support/running-shop.ts'

/** What an attacker does with a shop over HTTP, in short. */
const database = useDatabase()
let shop: RunningShop

beforeAll(async () => {
  await addCurrencies(database.ctx)
  shop = await startShop(database.url, { TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => shop.stop())

interface Sent {
  readonly cookie?: string
  readonly address?: string
  readonly body?: unknown
  readonly type?: string
}

async function ask(method: 'GET' | 'POST', path: string, sent: Sent = {}) {
  const { cookie, address = '203.0.113.9', body, type = 'application/json' } = sent
  const answer = await fetch(`${shop.origin}/api/${path}`, {
    method,
    ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    headers: {
      ...(method === 'POST' ? { 'content-type': type } : {}),
      'x-forwarded-for': address,
      ...(cookie ? { cookie } : {}),
    },
  })
  const text = await answer.text()
  return {
    status: answer.status,
    code: (JSON.parse(text || '{"code":0}') as { code: number }).code,
    text,
    cookies: answer.headers.getSetCookie(),
  }
}

const sid = (token: string) => `sid=${token}`
const login = (account: string, password: string, sent: Sent = {}) =>
  ask('POST', 'user/login', { ...sent, body: { account, password } })

async function owned() {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 2)
  const order = await buy(database.ctx, [{ item }])
  const { rows } = await readIds(order.id)
  return { order: order.publicId, ...rows }
}

async function readIds(orderId: string) {
  const line = await database.ctx.db
    .selectFrom('order_line')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return { rows: { line: line.id } }
}

test('what belongs to another is not found, by no call', async () => {
  const theirs = await owned()
  const stranger = await somebody(database.ctx)
  const { token } = await signedIn(database.ctx, stranger.accountId)
  const cookie = sid(token)
  const id = theirs.order
  const tried: readonly (readonly ['GET' | 'POST', string, object?])[] = [
    ['GET', `order/detail?order=${id}`],
    ['GET', `order/receipt?order=${id}`],
    ['GET', `pay/methods?order=${id}`],
    ['GET', `pay/status?order=${id}`],
    ['GET', `cardpwd/export?order=${id}`],
    ['POST', 'order/cancel', { order: id }],
    ['POST', 'order/refund_request', { order: id, reason: 'other', text: 'x' }],
    ['POST', 'pay/start', { order: id, method: 'card' }],
    ['POST', 'pay/status', { order: id }],
    ['POST', 'cardpwd/reveal', { id }],
    ['POST', 'cardpwd/used', { id, used: true }],
    ['POST', 'cardpwd/report', { id, text: 'x' }],
    ['POST', 'user/sessions', { id }],
    ['POST', 'user/address', { id, remove: true }],
    ['POST', 'user/passkeys', { remove: id }],
    ['POST', 'user/passkeys', { rename: id, name: 'x' }],
    ['POST', 'cart/update', { id, quantity: 2 }],
    ['POST', 'cart/remove', { id }],
    ['POST', 'notice/read', { id }],
    ['POST', 'review/create', { order: id, line: theirs.line, grade: 5, text: 'x' }],
  ]
  for (const [method, path, body] of tried) {
    const own = await ask(method, path, { cookie, ...(body ? { body } : {}) })
    expect([path, own.status, own.code === 1 && own.text.includes(id)]).toEqual([
      path,
      expect.toSatisfy((status: number) => [200, 404, 405, 422].includes(status)),
      false,
    ])
    expect([path, own.text]).toEqual([path, expect.not.stringContaining('K00000000')])
  }
  const { status } = await database.ctx.db
    .selectFrom('shop_order')
    .select('status')
    .where('public_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(status).toBe('pending_payment')
})

test('bodies that are null, a list, a text, or of another type are refused by every call', async () => {
  const { accountId } = await somebody(database.ctx)
  const { token } = await signedIn(database.ctx, accountId)
  const bodies: readonly (readonly [string, string])[] = [
    ['null', 'application/json'],
    ['[]', 'application/json'],
    ['"text"', 'application/json'],
    ['7', 'application/json'],
    ['{"a":"\\ud800"}', 'application/json'],
    ['[{"op":"replace","path":"/role_id","value":1}]', 'application/json-patch+json'],
    ['{"role_id":1}', 'application/merge-patch+json'],
    ['{"account":"x"}', 'text/plain'],
    ['<a/>', 'application/xml'],
  ]
  for (const { path, method } of PERSONAL_CALLS.filter((call) => call.method === 'POST'))
    for (const [body, type] of bodies) {
      const { status } = await ask(method, path, { cookie: sid(token), body, type })
      expect([path, body, type, status]).toEqual([
        path,
        body,
        type,
        expect.toSatisfy((told: number) => told === 422 || told === 429),
      ])
    }
})

test('a session that somebody planted is never taken over', async () => {
  const planted = await signedIn(database.ctx, (await somebody(database.ctx)).accountId)
  const { email } = await somebody(database.ctx)
  for (const cookie of [sid(planted.token), sid('A'.repeat(43)), `__Host-${sid(planted.token)}`]) {
    const answer = await login(email, PASSWORD, { cookie, address: '198.51.100.9' })
    const own = answer.cookies.find((text) => text.startsWith('sid='))
    expect([answer.code, own]).toEqual([1, expect.stringMatching(/^sid=[\w-]{43};/)])
    expect(own).not.toContain(planted.token)
    expect(own).toMatch(/; HttpOnly/i)
    expect(own).toMatch(/; SameSite=Lax/i)
  }
  expect((await ask('GET', 'user/getUserInfo', { cookie: sid(planted.token) })).status).toBe(401)
})

test('a right password lifts the pause of the browser it was typed in', async () => {
  const { accountId } = await somebody(database.ctx)
  const device = 'D'.repeat(22)
  for (let n = 0; n < 4; n += 1) await countTry(database.ctx, { accountId, device })
  const fifth = await countTry(database.ctx, { accountId, device })
  expect(fifth.beginsPause).toBe(true)
  await expect(countTry(database.ctx, { accountId, device })).rejects.toMatchObject({
    code: 'too_many_requests',
  })
  await fifth.forgive()
  expect((await countTry(database.ctx, { accountId, device })).beginsPause).toBe(false)
})

test('while one address stuffs passwords and one site guesses at a name, a crowd gets in', async () => {
  const people = await Promise.all(Array.from({ length: 30 }, () => somebody(database.ctx)))
  const [target] = people
  const told = { attacker: new Map<number, number>(), crowd: new Map<number, number>() }
  const count = (who: keyof typeof told, code: number) =>
    told[who].set(code, (told[who].get(code) ?? 0) + 1)
  const stuffing = Array.from({ length: 20 }, (_, n) => async () => {
    const { code } = await login(`leaked${n}@shop.example`, 'Wrong4You', { address: '192.0.2.66' })
    count('attacker', code)
  })
  const guessing = Array.from({ length: 60 }, (_, n) => async () => {
    const address = `2001:db8:bad:${(n * 256).toString(16)}::1`
    const { code } = await login(target?.email ?? '', `Wrong4You${n}`, { address })
    count('attacker', code)
  })
  const crowd = people.map((person, n) => async () => {
    const device = cookieKnowing(database.ctx, undefined, person.accountId)
    const { code } = await login(person.email, PASSWORD, {
      address: `127.${n}.7.9`,
      cookie: n === 0 ? `device=${device}` : '',
    })
    count('crowd', code)
  })
  const waiting = [...stuffing, ...guessing]
  crowd.forEach((work, n) => waiting.splice(n * 3, 0, work))
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let work = waiting.shift(); work; work = waiting.shift()) await work()
    }),
  )
  const failed = told.attacker.get(2406) ?? 0
  expect(told.attacker.get(1)).toBeUndefined()
  expect(failed).toBeLessThanOrEqual(20 + 50)
  expect((told.crowd.get(1) ?? 0) + (told.crowd.get(429) ?? 0)).toBe(30)
  expect(told.crowd.get(1)).toBeGreaterThanOrEqual(29)
}, 240_000)

test('a code of six digits that was mailed is not found by trying', async () => {
  const { email } = await somebody(database.ctx)
  let judged = 0
  for (let n = 0; n < 60; n += 1) {
    const answer = await ask('POST', 'user/reset', {
      address: `11.9.${n}.7`,
      body: { account: email, code: String(100_000 + n), password: 'Nangka8Manis' },
    })
    if (answer.code === 2422) judged += 1
    else expect(answer.code).toBe(429)
  }
  expect(judged).toBeLessThanOrEqual(20)
})

test('two lengths of one message are refused, and no second request hides in a body', async () => {
  const { port } = new URL(shop.origin)
  const told = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(
        'POST /api/user/login HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\n\r\n',
      ),
    )
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
    socket.on('close', () => resolve(text))
    socket.on('error', () => resolve(text))
  })
  expect(told.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
})

test('no folder is listed, and no file is served but those of the program that are meant to be', async () => {
  for (const path of [
    '/assets/',
    '/.git/config',
    '/.env',
    '/package.json',
    '/src/web.ts',
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/assets/..%2f..%2fpackage.json',
    '/img/..%2f..%2fpackage.json',
    '/data/secret.key',
  ]) {
    const answer = await fetch(shop.origin + path)
    expect([path, answer.status]).toEqual([path, 404])
    expect(await answer.text()).not.toMatch(/root:|"name": ?"lukado"|\[core\]/)
  }
})

test('other methods do nothing: TRACE says nothing back', async () => {
  for (const [method, path] of [
    ['TRACE', '/'],
    ['TRACE', '/api/goods/index'],
    ['PUT', '/api/user/profile'],
    ['DELETE', '/api/user/sessions'],
    ['PATCH', '/api/user/profile'],
  ] as const) {
    const status = await new Promise<number>((resolve, reject) => {
      request(shop.origin + path, { method }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })
    expect([method, path, status]).toEqual([method, path, 405])
  }
})
