import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withPostedLanding } from './posted-landing.ts'

let server: Server
let origin: string
beforeAll(async () => {
  server = createServer(
    withPostedLanding((_, res) => res.writeHead(200).end('the shop'), 'https://shop.example'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const post = (path: string, body: string | URLSearchParams) =>
  fetch(origin + path, {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://appleid.apple.com',
    },
  })

it("leads on from Apple's post with what was answered, and the name alone", async () => {
  const user = JSON.stringify({
    name: { firstName: 'Rizky', lastName: 'Pratama' },
    email: 'rizky@example.com',
  })
  const answer = await post(
    '/loading/apple',
    new URLSearchParams({ code: 'c 1', state: 's', id_token: 'unasked', user }),
  )
  expect(answer.status).toBe(303)
  const to = new URL(answer.headers.get('location') ?? '', origin)
  expect(to.origin + to.pathname).toBe(`${origin}/loading/apple`)
  expect(Object.fromEntries(to.searchParams)).toEqual({
    code: 'c 1',
    state: 's',
    user: '{"name":{"firstName":"Rizky","lastName":"Pratama"}}',
  })
})

it('leads nowhere else whatever is posted', async () => {
  for (const state of [
    'https://evil.example',
    '//evil.example',
    '\r\nlocation: https://evil.example',
    '&state=2#',
  ]) {
    const answer = await post(
      '/loading/apple?x=1',
      new URLSearchParams({ state, user: '{"name":' }),
    )
    expect(
      new URL(answer.headers.get('location') ?? '', origin).href.startsWith(
        `${origin}/loading/apple?state=`,
      ),
    ).toBe(true)
    expect(answer.headers.getSetCookie()).toEqual([])
  }
  expect((await post('/loading/apple', 'x'.repeat(70_000))).status).toBe(400)
})

it('leaves everything else to the shop', async () => {
  expect(await (await post('/loading/google', 'code=1')).text()).toBe('the shop')
  expect(await (await fetch(`${origin}/loading/apple?code=1`)).text()).toBe('the shop')
  const own = await fetch(`${origin}/loading/apple?code=1`, {
    method: 'POST',
    body: new URLSearchParams({ form: 'finish' }),
    headers: { origin: 'https://shop.example' },
  })
  expect(await own.text()).toBe('the shop')
})
