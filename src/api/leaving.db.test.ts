import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { sendSms } from '#features/people/phone/jobs.ts'
import { issueVerification } from '#features/people/verification/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { importSmallCatalogue } from '../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../test/support/database.ts'
import { LAPTOP, PASSWORD, signedIn, somebody } from '../../test/support/people.ts'
import { testServices } from '../../test/support/services.ts'
import { createApi } from './app.ts'
import { PERSONAL_CALLS } from './personal/calls.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls } from './personal/run.ts'

const database = useDatabase()
const ORIGIN = 'https://shop.example'
let ctx: Ctx
let shop: ShopSnapshot
let server: Server

beforeAll(async () => {
  ctx = database.ctx
  await importSmallCatalogue(ctx)
  shop = await loadSnapshot(ctx.db, 1)
  const snapshot = () => shop
  const personal = createPersonalCalls({ ctx, snapshot, services: testServices })
  const pictures = () => Promise.resolve({ status: 404, headers: {}, body: new Uint8Array() })
  server = createServer(
    createApi({
      ctx,
      snapshot,
      pictures,
      timeZone: 'UTC',
      publicUrl: ORIGIN,
      release: '1',
      personal,
      payments: testServices.payments,
      suppliers: new Map(),
      visitorOf: () => LAPTOP,
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

interface Shopper {
  readonly accountId: string
  readonly email: string
  readonly cookie: string
  readonly handle: string
}

async function shopper(minutesAgo = 0): Promise<Shopper> {
  const { accountId, email } = await somebody(ctx)
  const { token, handle, person } = await signedIn(ctx, accountId)
  await ctx.db
    .updateTable('session')
    .set({ proved_at: new Date(Date.now() - minutesAgo * 60_000) })
    .where('id', '=', person.sessionId)
    .execute()
  return { accountId, email, cookie: `${sessionCookieName(true)}=${token}`, handle }
}

interface Reply {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly data: Record<string, unknown>
  readonly headers: Headers
  readonly text: string
}

async function send(
  path: string,
  init: RequestInit & { readonly headers?: Record<string, string> } = {},
): Promise<Reply> {
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
    ...init,
    headers: { origin: ORIGIN, ...init.headers },
  })
  const text = await answer.text()
  const envelope = answer.headers.get('content-type')?.startsWith('application/json')
    ? (JSON.parse(text) as Omit<Reply, 'status'>)
    : { code: 0, msg: '', data: {} }
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    code: envelope.code,
    msg: envelope.msg,
    data: envelope.data,
  }
}

const get = (who: Shopper | null, path: string) =>
  send(path, { headers: who ? { cookie: who.cookie } : {} })
const post = (who: Shopper | null, path: string, body: unknown) =>
  send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(who ? { cookie: who.cookie } : {}) },
    body: JSON.stringify(body),
  })

function upload(
  who: Shopper | null,
  file: Uint8Array | null,
  {
    name = 'photo.png',
    type = 'image/png',
    fields = { purpose: 'avatar' } as Record<string, string>,
    path = 'upload/image',
    key = '',
  } = {},
): Promise<Reply> {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  if (file) form.append('image', new Blob([new Uint8Array(file)], { type }), name)
  return send(path, {
    method: 'POST',
    headers: { ...(who ? { cookie: who.cookie } : {}), ...(key ? { 'idempotency-key': key } : {}) },
    body: form,
  })
}

const fieldsOf = ({ data }: Reply) =>
  ((data as { fields?: { field: string }[] } | null)?.fields ?? []).map(({ field }) => field)
const avatarOf = async ({ accountId }: Shopper) =>
  (
    await ctx.db
      .selectFrom('account')
      .select('avatar')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
  ).avatar

describe('pictures', () => {
  const picture = (width = 400, height = 300) =>
    sharp({ create: { width, height, channels: 3, background: '#205080' } })
      .png()
      .toBuffer()

  test('an avatar is sent by a form, shown at its address and in the account, replaced and removed', async () => {
    const who = await shopper()
    const first = await upload(who, await picture(), {
      name: '../../etc/passwd',
      type: 'text/html',
    })
    expect(first).toMatchObject({
      status: 200,
      code: 1,
      data: { url: expect.stringMatching(/^\/img\/upload\/[\w-]{22}\.webp$/) },
    })
    const shown = await send(`..${String(first.data['url'])}`)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect((await get(who, 'user/getUserInfo')).data['avatar']).toBe(first.data['url'])

    const second = await upload(who, await picture(30, 40))
    expect((await send(`..${String(first.data['url'])}`)).status).toBe(404)
    expect((await send(`..${String(second.data['url'])}`)).status).toBe(200)
    expect(
      await upload(who, null, { fields: { purpose: 'avatar', remove: 'true' } }),
    ).toMatchObject({ code: 1, data: { id: '', url: '' } })
    expect((await get(who, 'user/getUserInfo')).data['avatar']).toBe('')
  })

  test('the three refusals have their sentences, whatever name and type a file claims', async () => {
    const who = await shopper()
    const chunk = (name: string, data: Buffer) =>
      Buffer.concat([Buffer.from([0, 0, 0, data.length]), Buffer.from(name), data, Buffer.alloc(4)])
    const header = Buffer.from([0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff, 8, 2, 0, 0, 0])
    const bomb = Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.alloc(100))),
      chunk('IEND', Buffer.alloc(0)),
    ])
    const jpeg = await sharp({
      create: { width: 900, height: 900, channels: 3, background: '#fff' },
    })
      .composite([{ input: await picture(200, 200) }])
      .jpeg()
      .toBuffer()
    const cases: [Uint8Array, number, string][] = [
      [
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
        2413,
        'Incorrect upload format',
      ],
      [Buffer.from('<!doctype html><script>alert(1)</script>'), 2413, 'Incorrect upload format'],
      [Buffer.from('GIF89a=1;alert(1)'), 2413, 'Incorrect upload format'],
      [Buffer.from('%PDF-1.7'), 2413, 'Incorrect upload format'],
      [Buffer.alloc(5 * 1024 * 1024 + 1), 2414, 'Upload size is too large'],
      [await picture(5001, 5000), 2414, 'Upload size is too large'],
      [jpeg.subarray(0, jpeg.length / 2), 2415, 'Upload failed'],
    ]
    for (const [bytes, code, msg] of cases)
      expect(await upload(who, bytes)).toMatchObject({ status: 200, code, msg })
    expect([2414, 2415]).toContain((await upload(who, bomb)).code)
    expect(await upload(who, Buffer.alloc(9 * 1024 * 1024))).toMatchObject({
      code: 2414,
      msg: 'Upload size is too large',
    })
    expect(await avatarOf(who)).toBeNull()
  })

  test('nothing but a picture of oneself is taken, from who is signed in', async () => {
    const who = await shopper()
    const bytes = await picture()
    expect((await upload(null, bytes)).status).toBe(401)
    expect((await upload(who, bytes, { path: `upload/image?token=${who.handle}` })).code).toBe(1)
    const byHandle = await upload(null, bytes, { path: `upload/image?token=${who.handle}` })
    expect(byHandle).toMatchObject({ status: 200, code: 2403 })
    expect(
      await upload(null, bytes, {
        path: `upload/image?token=${who.handle}`,
        fields: { purpose: 'avatar', password: PASSWORD },
      }),
    ).toMatchObject({ code: 1 })
    for (const fields of [
      {},
      { purpose: 'passport' },
      { purpose: 'ticket', remove: 'true' },
      { purpose: 'avatar', account_id: 'x' },
      { purpose: 'avatar', remove: 'true' },
      { purpose: 'avatar', remove: 'yes' },
    ] as Record<string, string>[]) {
      expect([fields, (await upload(who, bytes, { fields })).status]).toEqual([fields, 422])
    }
    expect(fieldsOf(await upload(who, null))).toEqual(['image'])
    expect(fieldsOf(await upload(who, new Uint8Array()))).toEqual(['image'])
    expect((await upload(who, null, { fields: { purpose: 'avatar', image: 'text' } })).status).toBe(
      422,
    )
    expect((await post(who, 'upload/image', { purpose: 'avatar', image: { 0: 137 } })).status).toBe(
      422,
    )
  })

  test('a repeated call of one key hears the same answer, another file under it is refused', async () => {
    const who = await shopper()
    const bytes = await picture()
    const first = await upload(who, bytes, { key: 'one' })
    expect((await upload(who, bytes, { key: 'one' })).data).toEqual(first.data)
    expect((await upload(who, await picture(10, 10), { key: 'one' })).status).toBe(409)
  })

  test('whoever may not send one is told before a byte of it is read', async () => {
    const begun = (path: string, headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        const { port } = server.address() as AddressInfo
        const sent = request(
          {
            port,
            path: `/api/${path}`,
            method: 'POST',
            headers: {
              'content-type': 'multipart/form-data; boundary=x',
              'content-length': 5_000_000,
              ...headers,
            },
          },
          (answer) => {
            resolve(answer.statusCode ?? 0)
            sent.destroy()
          },
        )
        sent
          .on('error', reject)
          .setTimeout(10_000, () => sent.destroy(new Error('it waits for the body')))
          .flushHeaders()
      })
    const { cookie } = await shopper()
    expect(await begun('upload/image', { origin: ORIGIN })).toBe(401)
    expect(await begun('upload/image', { origin: 'https://elsewhere.example', cookie })).toBe(403)
    expect(await begun('user/login', { origin: ORIGIN })).toBe(422)
    expect(await begun('user/profile', { origin: ORIGIN, cookie })).toBe(422)
    expect(
      await begun('user/profile', {
        origin: ORIGIN,
        cookie,
        'content-type': 'application/x-www-form-urlencoded',
      }),
    ).toBe(413)
    expect(
      await begun('user/profile', { origin: ORIGIN, cookie, 'content-type': 'application/json' }),
    ).toBe(413)
  })

  test('a file is taken as bytes and never walked as text', async () => {
    const who = await shopper()
    for (const bytes of [
      Buffer.alloc(5 * 1024 * 1024, 'a'),
      Buffer.alloc(5 * 1024 * 1024),
      Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(5_000_000, 7)]),
    ]) {
      const before = process.cpuUsage()
      expect([2413, 2415]).toContain((await upload(who, bytes, { key: `key ${bytes[0]}` })).code)
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1_000).toBeLessThan(1_000)
    }
  })

  test('broken forms are refused as such', async () => {
    const who = await shopper()
    const broken = (type: string, body: string) =>
      send('upload/image', {
        method: 'POST',
        headers: { cookie: who.cookie, 'content-type': type },
        body,
      })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          'multipart/form-data',
          'multipart/form-data; boundary=x',
          'image/png',
          'application/json',
        ),
        fc.string({ maxLength: 300 }),
        async (type, text) => {
          const { status, code } = await broken(type, `--x\r\n${text}`)
          expect([status, code]).toEqual([422, 422])
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('the phone number', () => {
  const codes = async (who: Shopper): Promise<string> => {
    let text = ''
    const sms = {
      close: () => {},
      send: (message: { readonly text: string }) => (
        (text = message.text), Promise.resolve({ kind: 'sent' as const, reference: '1' })
      ),
    }
    const rows = await ctx.db
      .selectFrom('outgoing_sms')
      .select('id')
      .where('account_id', '=', who.accountId)
      .where('sent_at', 'is', null)
      .execute()
    for (const { id } of rows) await sendSms(ctx, { id }, { sms, publicUrl: ORIGIN })
    return /\d{6}/.exec(text)?.[0] ?? ''
  }

  test('is added with a code, in whatever way it is typed, and removed', async () => {
    const who = await shopper()
    expect(
      await post(who, 'user/send_code', {
        type: 'phone',
        account: '(201) 555-0123',
        country: 'US',
      }),
    ).toMatchObject({ status: 200, code: 1 })
    const code = await codes(who)
    expect(
      await post(who, 'user/phone', {
        mobile: '1 201 555 0123',
        country: 'us',
        code: code === '111111' ? '222222' : '111111',
      }),
    ).toMatchObject({ code: 2422, data: { fields: [{ field: 'code' }] } })
    expect(await post(who, 'user/phone', { mobile: '+1 201 555 0123', code })).toMatchObject({
      code: 1,
      data: { mobile: '+12015550123' },
    })
    expect((await get(who, 'user/getUserInfo')).data['mobile']).toBe('+12015550123')
    expect(
      fieldsOf(await post(who, 'user/send_code', { type: 'phone', account: '+12015550123' })),
    ).toEqual(['account'])
    expect(await post(who, 'user/phone', { remove: true })).toMatchObject({
      code: 1,
      data: { mobile: '' },
    })
  })

  test('names the field at fault', async () => {
    const who = await shopper()
    const faults = async (body: Record<string, unknown>) =>
      fieldsOf(await post(who, 'user/phone', body))
    expect(await faults({})).toEqual(['mobile'])
    expect(await faults({ mobile: '2015550123', code: '123456' })).toEqual(['mobile'])
    expect(await faults({ mobile: '2015550123', country: 'XX', code: '123456' })).toEqual([
      'country',
    ])
    expect(await faults({ mobile: '2015550123', country: 'US' })).toEqual(['code'])
    expect(await faults({ remove: true, mobile: '2015550123' })).toEqual(['remove'])
    expect(
      await faults({
        mobile: '2015550123',
        country: 'US',
        code: '123456',
        mobile_verified_at: 'now',
        account_id: 'x',
      }),
    ).toEqual(['mobile_verified_at', 'account_id'])
    expect((await post(null, 'user/phone', { remove: true })).status).toBe(401)
    expect(
      (await post(null, 'user/send_code', { type: 'phone', account: '+12015550123' })).status,
    ).toBe(401)
  })

  test('a shop that sends no text messages says so', async () => {
    const who = await shopper()
    const calls = createPersonalCalls({
      ctx,
      snapshot: () => shop,
      services: { ...testServices, isSmsPossible: false },
    })
    const answer = await calls.run({
      method: 'POST',
      path: 'user/send_code',
      params: new URLSearchParams(),
      body: { type: 'phone', account: '+12015550199' },
      cookieHeader: who.cookie,
      visitor: LAPTOP,
    })
    expect(answer).toMatchObject({ status: 200, envelope: { code: 2419 } })
  })

  test('any other values are refused or told, never a fault of ours', async () => {
    const who = await shopper()
    const hostile = fc.oneof(
      fc.string({ maxLength: 90 }),
      fc.constantFrom(
        null,
        true,
        0,
        -1,
        1e21,
        [],
        {},
        '\0',
        '+'.repeat(60),
        "'; drop table account",
        '\u202e+1201',
        'ＵＳ',
        '😀',
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.record({ mobile: hostile, country: hostile, code: hostile }, { requiredKeys: [] }),
        async (body) => {
          const { status, code } = await post(who, 'user/phone', body)
          expect([
            [200, 2422],
            [422, 422],
          ]).toContainEqual([status, code])
        },
      ),
      { numRuns: 120 },
    )
  })
})

describe('leaving', () => {
  async function undoKey(accountId: string): Promise<string> {
    const { secret = '' } = await transaction(ctx, (tx) =>
      issueVerification(tx, ctx, {
        purpose: 'undo_cancel',
        accountId,
        target: '',
        withCode: false,
        withSecret: true,
      }),
    )
    return secret
  }

  test('asks for a fresh proof, ends the session here and there, and is undone by one of a hundred uses of the link', async () => {
    const who = await shopper(11)
    expect(await post(who, 'user/cancel', {})).toMatchObject({ status: 200, code: 2403 })
    expect((await post(who, 'user/cancel', { password: 'Wrong4You' })).code).not.toBe(1)
    const left = await post(who, 'user/cancel', { password: PASSWORD })
    expect(left).toMatchObject({
      status: 200,
      code: 1,
      data: { erase_date_text: expect.stringMatching(/20\d\d/) },
    })
    expect(left.headers.getSetCookie().join()).toMatch(/__Host-sid=;/)
    expect((await get(who, 'user/getUserInfo')).status).toBe(401)
    expect((await get(null, `user/getUserInfo?token=${who.handle}`)).status).toBe(401)
    expect(
      await post(null, 'user/login', { account: who.email, password: PASSWORD }),
    ).toMatchObject({ code: 2406 })

    const key = await undoKey(who.accountId)
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => post(null, 'user/undo_cancel', { key })),
    )
    expect(answers.filter(({ code }) => code === 1)).toHaveLength(1)
    expect(
      answers.filter(({ code, msg }) => code === 2410 && msg === 'Link has expired'),
    ).toHaveLength(99)
    expect(
      await post(null, 'user/login', { account: who.email, password: PASSWORD }),
    ).toMatchObject({ code: 1 })
  })

  test('a token in the address alone is not enough, nor is another site', async () => {
    const who = await shopper()
    const headers = { 'content-type': 'application/json' }
    expect(
      await send(`user/cancel?token=${who.handle}`, { method: 'POST', headers, body: '{}' }),
    ).toMatchObject({ code: 2403 })
    expect(
      (
        await send('user/cancel', {
          method: 'POST',
          headers: { ...headers, cookie: who.cookie, origin: 'https://evil.example' },
          body: '{}',
        })
      ).status,
    ).toBe(403)
    expect((await get(who, 'user/cancel')).status).toBe(405)
    expect((await get(who, 'user/undo_cancel?key=x')).status).toBe(405)
    for (const body of [
      { account_id: who.accountId },
      { status: 'erased' },
      { erase_at: '2020-01-01' },
    ])
      expect((await post(who, 'user/cancel', body)).status).toBe(422)
    expect((await get(who, 'user/getUserInfo')).code).toBe(1)
  })

  test('a key of any kind is expired or malformed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ maxLength: 300 }), fc.constantFrom(null, 1, {}, [], undefined)),
        async (key) => {
          const { status, code } = await post(null, 'user/undo_cancel', { key })
          expect([
            [200, 2410],
            [422, 422],
          ]).toContainEqual([status, code])
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('the export', () => {
  test('is in the envelope, or a table to download, for a fresh proof', async () => {
    const stale = await shopper(11)
    expect((await get(stale, 'user/export')).code).toBe(2403)
    const who = await shopper()
    const json = await get(who, 'user/export?format=json')
    const shape = PERSONAL_CALLS.find(({ path }) => path === 'user/export')
    expect(shape?.data.parse(json.data)).toEqual(json.data)
    expect(json.text).toContain(who.email)
    const csv = await get(who, 'user/export?format=csv')
    expect(Object.fromEntries(csv.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="my-data.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(csv.text.replace(/^\uFEFF/, '')).toMatch(
      /^section,number,field,value\r\nexport,1,exported_at,/,
    )
    expect(csv.text).toContain(`account,1,email,${who.email}\r\n`)
    expect((await get(who, 'user/export?format=exe')).code).toBe(1)
    expect((await get(null, 'user/export')).status).toBe(401)
  })
})
