import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { lukado } from '#providers/supply/lukado/service.ts'
import { openYente } from '#providers/screening/yente/yente.ts'
import { sendWebhook } from '#providers/webhook/standard-webhook.ts'
import { startChangingDns, type ChangingDns } from '../../../../test/support/changing-dns.ts'
import { openHookClient } from '../hook/client.ts'
import { isInsideLiteral, isOutside, outsideLookup } from './outside.ts'

/** Of the world by its number, and nobody's: no packet leaves for it. */
const NOWHERE = '2c0f:ffff::1'
const PRIVATE = ['127.0.0.1', '10.0.0.7', '192.168.1.1', '169.254.169.254', '0.0.0.0']

let server: Server
let port: number
let heard: string[]
let dns: ChangingDns | null = null

/** What must never be reached: a service of this machine that takes down who comes. */
beforeEach(async () => {
  heard = []
  server = createServer((req, res) => {
    heard.push(req.url ?? '')
    if (req.url === '/moved') res.writeHead(302, { location: `http://127.0.0.1:${port}/inside` })
    res.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterEach(() => {
  dns?.stop()
  dns = null
  server.closeAllConnections()
  server.close()
})

async function guarded(answers: readonly (readonly string[])[]) {
  dns = await startChangingDns(answers)
  return openHookClient(1_500, false, undefined, outsideLookup(dns.find))
}
const call = (path = '/') =>
  ({ method: 'POST', url: `http://supplier.example:${port}${path}`, body: '{}' }) as const

test('a name that leads outside when it is checked, and inside a moment later, is asked for once', async () => {
  const client = await guarded([[NOWHERE], ['127.0.0.1']])
  // Whether that address can be reached says this machine’s network; that another one was not, the server.
  expect(await client(call())).toMatchObject({ kind: 'not_sent' })
  expect(dns?.asked()).toBe(1)
  expect(heard).toEqual([])
  expect(await client(call())).toEqual({ kind: 'not_sent', why: 'EINSIDE' })
  expect(dns?.asked()).toBe(2)
  expect(heard).toEqual([])
})

test.each([
  ['loopback', ['127.0.0.1']],
  ['another of this machine’s', ['127.8.8.8']],
  ['a private network', ['10.1.2.3']],
  ['the cloud’s own', ['169.254.169.254']],
  ['nothing in particular', ['0.0.0.0']],
  ['loopback of version 6', ['::1']],
  ['version 4 within 6', ['::ffff:7f00:1']],
  ['version 4 within 6, the older way', ['::7f00:1']],
  ['NAT64', ['64:ff9b::7f00:1']],
  ['NAT64 of one’s own', ['64:ff9b:1::7f00:1']],
  ['6to4', ['2002:7f00:1::']],
  ['Teredo', ['2001:0:7f00:1::']],
  ['a unique local one', ['fd00::1']],
  ['a link’s own', ['fe80::1']],
  ['one outside and one inside', [NOWHERE, '127.0.0.1']],
])('a name that leads to %s is not connected to', async (_what, addresses) => {
  const client = await guarded([addresses])
  expect(await client(call())).toEqual({ kind: 'not_sent', why: 'EINSIDE' })
  expect(heard).toEqual([])
})

test.each([
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0',
  '0.0.0.0',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '１２７.０.０.１',
  '127。0。0。1',
])('%s is this machine however it is written', async (host) => {
  const client = openHookClient(1_500, false)
  const exchange = await client({ method: 'GET', url: `http://${host}:${port}/` })
  expect(exchange).toEqual({ kind: 'not_sent', why: 'the address leads inside' })
  expect(heard).toEqual([])
})

test.each(['localhost.', 'LOCALHOST.', 'localhost'])('%s is not called', async (host) => {
  const exchange = await openHookClient(
    1_500,
    false,
  )({
    method: 'GET',
    url: `http://${host}:${port}/`,
  })
  expect(exchange.kind).toBe('not_sent')
  expect(heard).toEqual([])
})

test('where this machine may be called a redirect to it is not followed, and a name for it is none', async () => {
  const client = openHookClient(1_500, true)
  const moved = await client({ method: 'GET', url: `http://127.0.0.1:${port}/moved` })
  expect(moved).toMatchObject({ kind: 'answer', status: 302 })
  expect(heard).toEqual(['/moved'])
  dns = await startChangingDns([['127.0.0.1']])
  const named = openHookClient(1_500, true, undefined, outsideLookup(dns.find))
  expect(await named(call())).toEqual({ kind: 'not_sent', why: 'EINSIDE' })
  expect(heard).toEqual(['/moved'])
})

test('alerts, another Lukado and the screening service go through the same door', async () => {
  const name = `http://10.0.0.7:${port}`
  const target = { url: `${name}/alert`, secret: secret(`whsec_${'A'.repeat(32)}`) }
  await expect(sendWebhook(target, { id: '1', body: '{}' }, new Date())).rejects.toThrow(
    /leads inside/,
  )
  const shop = await lukado.open(
    {
      ...settingsOf({
        SUPPLY_LUKADO_URL: `https://10.0.0.7:${port}`,
        SUPPLY_LUKADO_KEY: 'sandbox-key-0',
        SUPPLY_LUKADO_SECRET: 'a-secret-of-tests-that-is-long',
      }),
    },
    () => new Date(),
  )
  await expect(shop.balances()).rejects.toThrow()
  const yente = openYente({
    url: name,
    isInside: false,
    apiKey: null,
    dataset: 'sanctions',
    threshold: '0.7',
  })
  const person = { names: ['Ann'], email: null, countries: [] }
  expect(await yente.screen('r', person)).toEqual({
    kind: 'unknown',
    why: 'the address leads inside',
  })
  expect(heard).toEqual([])
})

test('nothing of this machine counts as outside', () => {
  expect(PRIVATE.some(isOutside)).toBe(false)
  expect(PRIVATE.every(isInsideLiteral)).toBe(true)
  expect(isOutside(NOWHERE)).toBe(true)
})

const settingsOf = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, secret(value)]))
