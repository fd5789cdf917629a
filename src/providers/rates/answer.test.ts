import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { parseDecimal } from '#kernel/money.ts'
import { secret } from '#platform/secret.ts'
import { checkedTable, plainDecimal } from './answer.ts'
import { createEcbRates } from './ecb/ecb.ts'
import { createOpenExchangeRates } from './open-exchange-rates/open-exchange-rates.ts'

const NOW = new Date('2026-11-26T17:00:00Z')
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const FILE = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
<Cube><Cube time='2026-11-26'><Cube currency='USD' rate='1.1567'/><Cube currency='JPY' rate='181.20'/><Cube currency='GBP' rate='0.8761'/><Cube currency='CHF' rate='0.9312'/><Cube currency='IDR' rate='19263.55'/></Cube></Cube></gesmes:Envelope>`

const LATEST = `{"disclaimer":"…","license":"…","timestamp":1764172800,"base":"USD","rates":{"AED":3.672538,"BTC":1.0512e-5,"CNH":7.09,"EUR":0.864529999999999999,"USD":1,"VEF_BLKMKT":1,"JPY":156.65}}`

test('what the servers answer is read with every digit', async () => {
  const asked: (string | undefined)[] = []
  const origin = await serve((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ''}`)
    response.end(request.url?.startsWith('/stats') ? FILE : LATEST)
  })
  const bank = await createEcbRates({ origin }).fetch(NOW)
  expect([bank.base, bank.publishedAt.toISOString(), bank.rates.get('JPY')]).toEqual([
    'EUR',
    '2026-11-26T00:00:00.000Z',
    '181.2',
  ])
  const appId = secret('0123456789abcdef')
  const other = await createOpenExchangeRates({ origin, appId }).fetch(NOW)
  expect([...other.rates]).toEqual([
    ['AED', '3.672538'],
    ['BTC', '0.000010512'],
    ['CNH', '7.09'],
    ['EUR', '0.864529999999999999'],
    ['JPY', '156.65'],
  ])
  // The id stands in a header, and in no address.
  expect(asked).toEqual([
    '/stats/eurofxref/eurofxref-daily.xml ',
    '/api/latest.json?prettyprint=false Token 0123456789abcdef',
  ])
})

test('a server that is slow, drips, or never ends is left in time', async () => {
  const silent = await serve(() => {})
  await expect(createEcbRates({ origin: silent, timeoutMs: 200 }).fetch(NOW)).rejects.toThrow(
    /^no answer from 127\.0\.0\.1:\d+: too late$/,
  )
  const dripping = await serve((_, response) => {
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  })
  await expect(createEcbRates({ origin: dripping, timeoutMs: 300 }).fetch(NOW)).rejects.toThrow(
    'too late',
  )
})

test('a gigabyte is not read, whether it is announced or not', async () => {
  let sent = 0
  const origin = await serve((request, response) => {
    if (request.url?.startsWith('/api')) response.setHeader('content-length', 2 ** 30)
    const chunk = Buffer.alloc(65_536, 0x20)
    const more = () => {
      while (sent < 2 ** 30) {
        sent += chunk.length
        if (!response.write(chunk)) return
      }
    }
    response.on('drain', more)
    more()
  })
  await expect(createEcbRates({ origin }).fetch(NOW)).rejects.toThrow('larger than 262144 bytes')
  const appId = secret('0123456789abcdef')
  await expect(createOpenExchangeRates({ origin, appId }).fetch(NOW)).rejects.toThrow(
    'larger than 262144 bytes',
  )
  expect(sent).toBeLessThan(2 ** 26)
})

test('a redirect to another host is not followed, one within the host is, and one in a circle ends', async () => {
  const asked: (string | undefined)[] = []
  const inside = await serve((request, response) => {
    asked.push(request.headers.authorization)
    response.end(FILE)
  })
  const leading = await serve((_, response) => {
    response.writeHead(302, { location: `${inside}/stats/eurofxref/eurofxref-daily.xml` }).end()
  })
  const appId = secret('0123456789abcdef')
  for (const source of [
    createEcbRates({ origin: leading }),
    createOpenExchangeRates({ origin: leading, appId }),
  ])
    await expect(source.fetch(NOW)).rejects.toThrow('leads to another host')
  expect(asked).toEqual([])

  const moved = await serve((request, response) => {
    if (request.url === '/new.xml') response.end(FILE)
    else response.writeHead(301, { location: '/new.xml' }).end()
  })
  expect((await createEcbRates({ origin: moved }).fetch(NOW)).rates.size).toBe(5)
  const circle = await serve((_, response) => response.writeHead(301, { location: '/' }).end())
  await expect(createEcbRates({ origin: circle }).fetch(NOW)).rejects.toThrow('in a circle')
})

test('what a server refuses is told by its word, and its other words are not', async () => {
  const answer = (text: string, status = 401) =>
    serve((_, response) => response.writeHead(status).end(text))
  const told = async (origin: string) =>
    createOpenExchangeRates({ origin, appId: secret('0123456789abcdef') })
      .fetch(NOW)
      .catch((error: unknown) => String(error))
  expect(
    await told(await answer('{"error":true,"status":401,"message":"invalid_app_id"}')),
  ).toMatch('answer 401: invalid_app_id')
  expect(await told(await answer('{"message":"<script>"}'))).toBe('OddAnswer: answer 401')
  expect(await told(await answer('', 503))).toBe('OddAnswer: answer 503')
  expect(await told('http://127.0.0.1:1')).toMatch(
    /no answer from 127\.0\.0\.1:1: (?:ECONNREFUSED|.*bad port)/,
  )
})

const odd: readonly (readonly [string, (file: string) => string, RegExp])[] = [
  ['nothing', () => '', /not the file/],
  ['a page', () => '<!doctype html><title>Sorry</title>', /not the file/],
  ['half of it', (file) => file.slice(0, file.length / 2), /not the file/],
  ['an entity', (file) => file.replace('?>', '?><!DOCTYPE x [<!ENTITY a "1">]>'), /not the file/],
  [
    'a day more',
    (file) =>
      file.replace("<Cube><Cube time='2026-11-26'>", '<Cube>$&').replace('</gesmes:E', '</Cube>$&'),
    /shape|no rate/,
  ],
  ['a day that is none', (file) => file.replace('2026-11-26', '2026-02-30'), /no day/],
  ['a day to come', (file) => file.replace('2026-11-26', '2027-11-26'), /to come/],
  ['a rate twice', (file) => file.replace("'JPY'", "'USD'"), /USD twice/],
  ['its own base', (file) => file.replace("'JPY'", "'EUR'"), /EUR twice/],
  ['no dollar', (file) => file.replace("'USD'", "'SEK'"), /no US dollar/],
  ['zero', (file) => file.replace('1.1567', '0.0000'), /no rate/],
  ['less than nothing', (file) => file.replace('1.1567', '-1.1567'), /no rate/],
  ['a comma', (file) => file.replace('1.1567', '1,1567'), /no rate/],
  ['words', (file) => file.replace('1.1567', 'N/A'), /no rate/],
  ['two points', (file) => file.replace('1.1567', '1.15.67'), /no rate/],
  ['next to nothing', (file) => file.replace('1.1567', '0.00000000001'), /is no rate/],
  ['a fortune', (file) => file.replace('1.1567', '11567000000'), /is no rate/],
  ['a currency of another shape', (file) => file.replace("'JPY'", "'jpy'"), /no rate/],
  [
    'something between',
    (file) => file.replace('<Cube currency', '<!-- --><Cube currency'),
    /no rate/,
  ],
  ['one currency', (file) => file.replace(/<Cube currency='(?!USD)[^>]*>/g, ''), /1 currencies/],
]
test.each(odd)("the bank's file with %s is refused whole", async (_, change, reason) => {
  const origin = await serve((_request, response) => response.end(change(FILE)))
  await expect(createEcbRates({ origin }).fetch(NOW)).rejects.toMatchObject({
    name: 'OddAnswer',
    message: expect.stringMatching(reason),
  })
})

test.each([
  ['no JSON', () => 'oops', /no JSON/],
  ['a list', () => '[]', /shape/],
  ['no time', (text: string) => text.replace('1764172800', 'null'), /timestamp/],
  ['a time with a fraction', (text: string) => text.replace('1764172800', '17.5'), /timestamp/],
  ['a time to come', (text: string) => text.replace('1764172800', '1964172800'), /to come/],
  ['a rate as text', (text: string) => text.replace('3.672538', '"3.672538"'), /rates.AED/],
  ['no rate', (text: string) => text.replace('3.672538', 'null'), /rates.AED/],
  ['less than nothing', (text: string) => text.replace('3.672538', '-3.67'), /no rate/],
  ['zero', (text: string) => text.replace('3.672538', '0.0'), /no rate/],
  ['more than there is', (text: string) => text.replace('3.672538', '1e99'), /no rate/],
  ['a list inside', (text: string) => text.replace('3.672538', '[1]'), /rates.AED/],
  ['another base', (text: string) => text.replace('"USD":1,', '"USD":1.1,'), /base USD/],
  ['no UTF-8', () => Buffer.from([0x7b, 0xff, 0x7d]), /UTF-8/],
])('an answer of Open Exchange Rates with %s is refused whole', async (_, change, reason) => {
  const origin = await serve((_request, response) => response.end(change(LATEST)))
  const source = createOpenExchangeRates({ origin, appId: secret('0123456789abcdef') })
  await expect(source.fetch(NOW)).rejects.toMatchObject({
    name: 'OddAnswer',
    message: expect.stringMatching(reason),
  })
})

test('a decimal keeps its value in plain writing, whatever its exponent', () => {
  const digits = (min: number, max: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max })
  fc.assert(
    fc.property(
      digits(1, 5),
      digits(0, 8),
      fc.integer({ min: -9, max: 5 }),
      (whole, fraction, exponent) => {
        const plain = plainDecimal(`${whole}${fraction === '' ? '' : `.${fraction}`}e${exponent}`)
        const all = BigInt(whole + fraction)
        if (all === 0n) return plain === null
        const { numerator, denominator } = parseDecimal(plain ?? '')
        const shift = exponent - fraction.length
        const [up, down] = [10n ** BigInt(Math.max(0, shift)), 10n ** BigInt(Math.max(0, -shift))]
        return numerator * down === all * up * denominator
      },
    ),
  )
})

test('garbage of any kind never makes a table', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 4 }), (entries) => {
      expect(() =>
        checkedTable({ base: 'EUR', publishedAt: NOW, rates: new Map(entries) }, NOW),
      ).toThrow()
    }),
  )
})
