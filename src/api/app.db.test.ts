import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type Server,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { brotliDecompressSync } from 'node:zlib'
import { HtmlValidate } from 'html-validate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdSnapshot, type SnapshotHolder } from '#features/goods/browse/flows.ts'
import { readCookie } from '#platform/http/cookies.ts'
import { useDemoDatabase } from '../../test/support/demo-database.ts'
import { testServices } from '../../test/support/services.ts'
import { createApi } from './app.ts'
import { PERSONAL_CALLS } from './personal/calls.ts'
import { createPersonalCalls } from './personal/run.ts'
import { PUBLISHED_CALLS } from './openapi.ts'
import { ACCESS } from './console/access.ts'
import { RESELLER_CALLS } from './reseller/calls.ts'

const database = useDemoDatabase()
let holder: SnapshotHolder
let server: Server
let port: number
/** Of a shop that has just got another name. */
let shopName: string | null = null

beforeAll(async () => {
  const { ctx, url } = database
  holder = await holdSnapshot({ db: ctx.db, databaseUrl: url, log: ctx.log, onChange: () => {} })
  const pictures = () =>
    Promise.resolve({
      status: 200,
      headers: { 'content-type': 'image/webp' },
      body: new Uint8Array([1, 2, 3]),
    })
  const personal = createPersonalCalls({ ctx, snapshot: holder.current, services: testServices })
  server = createServer(
    createApi({
      ctx,
      snapshot: () => {
        const shop = holder.current()
        if (shopName === null) return shop
        return { ...shop, settings: { ...shop.settings, name: shopName } }
      },
      pictures,
      timeZone: 'UTC',
      publicUrl: 'https://shop.example',
      release: '1.2.3',
      personal,
      payments: testServices.payments,
      suppliers: new Map(),
      visitorOf: () => ({ address: '203.0.113.9', network: '203.0.113.0/24', userAgent: '' }),
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await holder.close()
})

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: '127.0.0.1', port, method, path, headers, agent: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              body: Buffer.concat(chunks),
            }),
          )
      },
    )
    sent.on('error', reject).end(body)
  })
}

const READING_PATHS = PUBLISHED_CALLS.map(({ path }) => path).filter(
  (path) => !PERSONAL_CALLS.some((call) => call.path === path),
)

const envelope = (reply: Reply) =>
  JSON.parse(reply.body.toString()) as { code: number; msg: string; data: unknown }

describe('every reading call', () => {
  test('answers as JSON that no browser takes for anything else, sets no cookie, opens itself to no other site', async () => {
    for (const path of READING_PATHS) {
      const { headers } = await send('GET', `/api/${path}`, { origin: 'https://evil.example' })
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['set-cookie']).toBeUndefined()
      expect(headers['access-control-allow-origin']).toBeUndefined()
      expect(headers['cache-control']).toMatch(/^(private, max-age=0, must-revalidate|no-store)$/)
    }
  })

  test('has the same head with and without its body', async () => {
    for (const path of [
      '/api/goods/index',
      '/api/analysis/trackVisit',
      '/api/openapi.json',
      '/api/docs',
      '/api/goods/detail?code=nope',
    ]) {
      const [get, head] = [await send('GET', path), await send('HEAD', path)]
      expect(head.status).toBe(get.status)
      expect(head.body).toHaveLength(0)
      expect(head.headers['content-length']).toBe(String(get.body.length))
    }
  })

  test('refuses other methods and says which it takes', async () => {
    for (const path of READING_PATHS) {
      for (const method of ['POST', 'DELETE', 'PROPFIND']) {
        const reply = await send(method, `/api/${path}`)
        expect([reply.status, reply.headers.allow, envelope(reply).code]).toEqual([
          405,
          'GET, HEAD, OPTIONS',
          405,
        ])
      }
      expect((await send('OPTIONS', `/api/${path}`)).headers.allow).toBe('GET, HEAD, OPTIONS')
    }
  })

  test('is compressed for who takes it: long answers at once, short ones when asked for again', async () => {
    const long = await send('GET', '/api/index/regions?lang=fr', { 'accept-encoding': 'br' })
    expect(long.headers['content-encoding']).toBe('br')
    expect(JSON.parse(brotliDecompressSync(long.body).toString())).toMatchObject({ code: 1 })
    const short = () => send('GET', '/api/goods/index?limit=9', { 'accept-encoding': 'gzip, br' })
    const plain = await short()
    expect(plain.headers['content-encoding']).toBeUndefined()
    await short()
    await expect.poll(async () => (await short()).headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync((await short()).body).equals(plain.body)).toBe(true)
  })
})

describe('what names nothing', () => {
  test('an unknown call is 404 in the envelope, whatever the method; a broken path 422', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/nope/index',
      '/api/goods/index/',
      '/api/goods%2Findex',
      '/api/Goods/Index',
      '/api/__proto__',
      '/api/goods/detail/steam-us',
    ]) {
      for (const method of ['GET', 'POST']) {
        const reply = await send(method, path)
        expect([path, reply.status, envelope(reply).code]).toEqual([path, 404, 404])
      }
    }
    const broken = await send('GET', '/api/%ff')
    expect([broken.status, envelope(broken)]).toEqual([
      422,
      expect.objectContaining({ data: { fields: [expect.objectContaining({ field: 'path' })] } }),
    ])
  })

  test('requests that are hardly HTTP leave the server standing', async () => {
    for (const head of [
      'GET /api/x HTTP/1.1\r\nHost: a b\r\n\r\n',
      'GET /api/x HTTP/1.0\r\n\r\n',
      'GET http://evil.example/api/goods/index HTTP/1.1\r\nHost: x\r\n\r\n',
      'TRACE /api/nope HTTP/1.1\r\nHost: x\r\n\r\n',
      'POST /language_currency HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab',
    ]) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.end(head))
        socket
          .on('data', () => socket.destroy())
          .on('close', () => resolve())
          .on('error', () => resolve())
        setTimeout(() => socket.destroy(), 300)
      })
    }
    expect((await send('GET', '/api/common/init')).status).toBe(200)
  })
})

test('a visit is counted once, a malformed one not at all, and both are told the same', async () => {
  const { db } = database.ctx
  const count = async () => (await db.selectFrom('visit').selectAll().execute()).length
  for (const vt of ['x'.repeat(36), 'x'.repeat(36), 'short', '', '%3Cscript%3E'])
    expect(envelope(await send('GET', `/api/analysis/trackVisit?vt=${vt}`))).toMatchObject({
      code: 1,
      data: null,
    })
  expect(await count()).toBe(1)
  expect((await send('GET', '/api/analysis/trackVisit?vt=%ff')).status).toBe(422)
})

test('pictures are handed to their service', async () => {
  const reply = await send('GET', '/img/goods_thumb_1_1/brand/steam.webp')
  expect([reply.status, reply.headers['content-type'], [...reply.body]]).toEqual([
    200,
    'image/webp',
    [1, 2, 3],
  ])
})

describe('every personal call', () => {
  test('refuses other methods, says which it takes, and is kept by nobody', async () => {
    for (const { path } of PERSONAL_CALLS) {
      const allowed = (await send('OPTIONS', `/api/${path}`)).headers.allow ?? ''
      const reply = await send('DELETE', `/api/${path}`)
      expect([reply.status, reply.headers.allow, reply.headers['cache-control']]).toEqual([
        405,
        allowed,
        'no-store',
      ])
    }
  })

  test('posted from a page of another site is refused before anything is read', async () => {
    for (const { path } of PERSONAL_CALLS.filter((call) => call.method === 'POST')) {
      for (const headers of [
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: 'https://other.shop.example' },
      ]) {
        expect(
          (
            await send(
              'POST',
              `/api/${path}`,
              { ...headers, 'content-type': 'application/json' },
              '{}',
            )
          ).status,
        ).toBe(403)
      }
    }
  })

  test('takes JSON and forms only, whole and not too long', async () => {
    const post = (body: string, type: string) =>
      send('POST', '/api/user/logout', { 'content-type': type }, body)
    expect((await post('{}', 'text/plain')).status).toBe(422)
    expect((await post('{"a":', 'application/json')).status).toBe(422)
    expect((await post('{"account_id":1}', 'application/json')).status).toBe(422)
    expect((await post(`{"a":"${'x'.repeat(70_000)}"}`, 'application/json')).status).toBe(413)
    expect((await post('['.repeat(30_000), 'application/json')).status).toBe(422)
    expect(envelope(await post('{}', 'application/json'))).toMatchObject({ code: 1, data: true })
  })
})

describe('the published contract', () => {
  test('describes every call, and each reference leads to something', async () => {
    const document = JSON.parse((await send('GET', '/api/openapi.json')).body.toString()) as {
      openapi: string
      paths: object
      components: object
    }
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(Object.keys(document.paths).sort()).toEqual(
      [
        ...new Set([
          ...PUBLISHED_CALLS.map((call) => `/api/${call.path}`),
          ...RESELLER_CALLS.map((call) => `/api/${call.path}`),
          ...Object.keys(ACCESS).map((path) => `/api/${path}`),
          '/api/webhook/{provider}',
        ]),
      ].sort(),
    )
    for (const [, pointer = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      expect(
        pointer
          .split('/')
          .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document),
        pointer,
      ).toBeDefined()
    }
  })

  test('has no question whose answer would let somebody in, and no hint at a password', async () => {
    const document = (await send('GET', '/api/openapi.json')).body.toString()
    const names = [...document.matchAll(/"(\w+)":\{/g)].map(([, name = '']) => name)
    expect(names).toContain('password')
    expect(names.filter((name) => /question|maiden|remind|password_?hint/i.test(name))).toEqual([])
  })

  test('gives an example of each answer that fits its shape', async () => {
    const document = JSON.parse((await send('GET', '/api/openapi.json')).body.toString()) as {
      paths: Record<
        string,
        Record<
          string,
          { responses: Record<string, { content: Record<string, { example: { data: unknown } }> }> }
        >
      >
    }
    for (const call of PUBLISHED_CALLS) {
      const answer = document.paths[`/api/${call.path}`]?.[call.method]?.responses['200']?.content
      const example = answer?.['application/json']?.example
      // What goes out as a file alone has none to show.
      if (answer && !example) {
        expect(Object.keys(answer), call.path).toEqual([expect.stringMatching(/csv|pdf/)])
        continue
      }
      expect(call.data.safeParse(example?.data), call.path).toMatchObject({ success: true })
    }
  })

  test("is the shop's own, by whatever name it has now", async () => {
    const named = async (name: string) => {
      shopName = name
      const document = JSON.parse((await send('GET', '/api/openapi.json')).body.toString()) as {
        info: { title: string }
      }
      return [document.info.title, (await send('GET', '/api/docs')).body.toString()] as const
    }
    const [title, page] = await named('Tea & "Toast" $&')
    expect(title).toBe('Tea & "Toast" $&: wire contract')
    expect(page).toMatch(/<h1>Tea &amp; (?:"|&quot;)Toast(?:"|&quot;) \$&amp;: wire contract<\/h1>/)
    expect(page).not.toContain('Lukado')
    expect((await named('Corner Shop'))[0]).toBe('Corner Shop: wire contract')
    shopName = null
  })

  test('is a valid page that needs nothing from elsewhere and no script', async () => {
    const reply = await send('GET', '/api/docs')
    const html = reply.body.toString()
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'/,
    )
    expect(html).not.toMatch(/<script|<link[^>]+https?:|src="https?:|@import|url\(/)
    const report = await new HtmlValidate({
      extends: ['html-validate:standard'],
      rules: { 'no-inline-style': 'off', 'require-sri': 'off' },
    }).validateString(html)
    expect(
      report.results.flatMap((result) =>
        result.messages.map((message) => `${message.ruleId} ${message.line}: ${message.message}`),
      ),
    ).toEqual([])
  })
})

describe('language and currency', () => {
  const FORM = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
  }
  const choose = (path: string, body: string, headers: Record<string, string> = FORM) =>
    send('POST', path, headers, body)

  test('are kept in two cookies for a year, and the visitor goes back where they came from, in the language chosen', async () => {
    const reply = await choose(
      '/fr/language_currency',
      'country=DE&currency=EUR&language=de&redirect=%2Fcards%3Fsort%3Dnew',
    )
    expect([reply.status, reply.headers.location]).toEqual([303, '/de/cards?sort=new'])
    const cookies = reply.headers['set-cookie'] ?? []
    expect(cookies).toHaveLength(2)
    for (const cookie of cookies)
      expect(cookie).toMatch(/; Path=\/; Max-Age=31536000; SameSite=Lax; Secure$/)
    const header = cookies.map((cookie) => cookie.split(';')[0]).join('; ')
    expect(readCookie(header, '__Host-i18n_redirected')).toBe('de')
    expect(JSON.parse(readCookie(header, '__Host-user_selection') ?? '')).toEqual({
      country_icon: expect.stringMatching(/^\/img\/national_flag\/flag\/de\.webp/) as string,
      country_code: 'DE',
      currency_code: 'EUR',
      language_code: 'de',
    })
  })

  test('what the shop does not have leaves the earlier choice, else the default; foreign addresses lead home', async () => {
    const empty = await choose(
      '/language_currency',
      'country=XX&currency=ZZZ&language=xx&redirect=%2F%2Fevil.example',
    )
    expect(empty.headers.location).toBe('/')
    expect(decodeURIComponent(empty.headers['set-cookie']?.[0] ?? '')).toContain(
      '"country_code":"US","currency_code":"USD","language_code":"en"',
    )
    const cookie = `user_selection=${encodeURIComponent(JSON.stringify({ country_code: 'JP', currency_code: 'JPY', language_code: 'ja' }))}`
    const earlier = await choose('/ja/language_currency', 'redirect=/de/news', { ...FORM, cookie })
    expect(earlier.headers.location).toBe('/ja/news')
    expect(decodeURIComponent(earlier.headers['set-cookie']?.[0] ?? '')).toContain(
      '"country_code":"JP","currency_code":"JPY","language_code":"ja"',
    )
  })

  test('a form of another site is refused', async () => {
    const type = { 'content-type': FORM['content-type'] }
    for (const headers of [
      { ...type, 'sec-fetch-site': 'cross-site' },
      { ...type, 'sec-fetch-site': 'same-site' },
      { ...type, origin: 'https://evil.example' },
      { ...type, origin: 'null' },
    ]) {
      const reply = await choose('/language_currency', 'language=de', headers)
      expect([reply.status, envelope(reply).code, reply.headers['set-cookie']]).toEqual([
        403,
        403,
        undefined,
      ])
    }
    for (const headers of [{ ...type, origin: 'https://shop.example' }, type])
      expect((await choose('/language_currency', 'language=de', headers)).status).toBe(303)
  })

  test('only a small form is read', async () => {
    expect(
      (await choose('/language_currency', '{}', { ...FORM, 'content-type': 'application/json' }))
        .status,
    ).toBe(422)
    expect((await choose('/language_currency', 'redirect=%ff')).status).toBe(422)
    expect((await choose('/language_currency', `redirect=/${'a'.repeat(70_000)}`)).status).toBe(422)
    expect((await choose('/nope/language_currency', 'language=de')).status).toBe(404)
  })
})
