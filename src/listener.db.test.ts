import { createServer, request, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importSmallCatalogue } from '../test/support/catalogue-folder.ts'
import { useDatabase } from '../test/support/database.ts'
import { LAPTOP, signedIn, somebody } from '../test/support/people.ts'
import { createListener, type ListenerParts } from './listener.ts'
import { startShop, type RunningShop } from '../test/support/running-shop.ts'

const database = useDatabase()
let shop: RunningShop

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  shop = await startShop(database.url)
})
afterAll(() => shop.stop())

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends the head of a form, and of its body only what is given: an answer must not wait for the rest. */
function begin(
  path: string,
  headers: Record<string, string | number>,
  body = '',
  origin = shop.origin,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      origin + path,
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        agent: false,
      },
      (answer) => {
        let text = ''
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => (text += part))
          .on('end', () => {
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
            sent.destroy()
          })
      },
    )
    sent
      .on('error', reject)
      .setTimeout(120_000, () => sent.destroy(new Error('it waits for the body')))
    sent.flushHeaders()
    if (body !== '') sent.end(body)
  })
}

describe('a form posted to its page', () => {
  const large = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 5_000_000 }

  test('from another site is refused before a byte of it is read', async () => {
    for (const headers of [
      { origin: 'https://elsewhere.example' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      expect(await begin('/de/login', { ...headers, 'content-length': 60_000 })).toMatchObject({
        status: 403,
        text: 'Wir haben diese Anfrage blockiert, weil sie von einer anderen Website kam.',
      })
  })

  test('may be long on a page that takes a file, from somebody signed in, and nowhere else', async () => {
    const { token } = await signedIn(database.ctx, (await somebody(database.ctx)).accountId)
    const own = { origin: shop.origin }
    expect((await begin('/login', { ...own, ...large })).status).toBe(422)
    expect((await begin('/userDetail', { ...own, ...large })).status).toBe(422)
    expect((await begin('/login', { ...own, 'content-length': 70_000 })).status).toBe(413)
    expect(
      (
        await begin('/userDetail', {
          ...own,
          ...large,
          cookie: `sid=${token}`,
          'content-length': 7_000_000,
        })
      ).status,
    ).toBe(413)
    const form = '--x\r\nContent-Disposition: form-data; name="form"\r\n\r\nnone\r\n--x--\r\n'
    expect(
      (
        await begin(
          '/userDetail',
          { ...own, ...large, cookie: `sid=${token}`, 'content-length': form.length },
          form,
        )
      ).status,
    ).toBe(303)
  })

  test('is refused in the language of its address when it cannot be read', async () => {
    for (const [body, type] of [
      ['email=%', 'application/x-www-form-urlencoded'],
      ['{}', 'application/json'],
      ['a&'.repeat(2_000), 'application/x-www-form-urlencoded'],
    ] as const)
      expect(
        await begin('/fr/login', { origin: shop.origin, 'content-type': type }, body),
      ).toMatchObject({ status: 422, text: expect.stringContaining('formulaire') })
  })

  test('is refused to an address that sends very many, before a byte of it is read', async () => {
    const server = createServer(
      createListener({
        takeShare: () => 3,
        publicUrl: 'https://shop.example',
        visitorOf: () => LAPTOP,
        log: database.ctx.log,
        pages: {
          takesForms: () => true,
          answerForm: () => Promise.reject(new Error('it was asked for')),
        },
      } as unknown as ListenerParts),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const headers = { origin: 'https://shop.example', 'content-length': 60_000 }
    const told = await begin('/login', headers, '', `http://127.0.0.1:${port}`)
    expect([told.status, told.headers['retry-after']]).toEqual([429, '3'])
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})
