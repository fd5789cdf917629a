import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { createTwilioSender } from './sender.ts'

const ACCOUNT = `AC${'0123456789abcdef'.repeat(2)}`
const SMS = {
  id: '0198a000-0000-7000-8000-000000000001',
  to: '+6281234567890',
  text: 'Lukado: 123456 ist dein Code 🎮',
  validSeconds: 600,
}
const SID = `SM${'ab'.repeat(16)}`
const MESSAGE = {
  sid: SID,
  status: 'queued',
  error_code: null,
  error_message: null,
  to: SMS.to,
  num_segments: '1',
  direction: 'outbound-api',
}

interface Asked {
  method: string | undefined
  path: string | undefined
  headers: IncomingHttpHeaders
  form: URLSearchParams
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server that answers as the published contract says, and the sender that asks it. */
async function open(answer: (res: ServerResponse) => void, from = '+15005550006') {
  const asked: Asked[] = []
  const server = createServer((req, res) => {
    let body = ''
    req
      .on('data', (chunk: Buffer) => (body += chunk.toString()))
      .on('end', () => {
        asked.push({
          method: req.method,
          path: req.url,
          headers: req.headers,
          form: new URLSearchParams(body),
        })
        answer(res)
      })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    asked,
    origin,
    server,
    sender: createTwilioSender({
      accountSid: ACCOUNT,
      authToken: secret('the token'),
      from,
      origin,
      timeoutMs: 500,
    }),
  }
}

const json = (status: number, body: unknown) => (res: ServerResponse) =>
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const error = (status: number, code: number) =>
  json(status, {
    code,
    message: `The number ${SMS.to} is not valid`,
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  })

test('asks for a message as the contract has it', async () => {
  const { asked, sender } = await open(json(201, MESSAGE))
  expect(await sender.send(SMS)).toEqual({ kind: 'sent', reference: SID })
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({
    method: 'POST',
    path: `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`,
  })
  expect(asked[0]?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
  expect(asked[0]?.headers.authorization).toBe(
    `Basic ${Buffer.from(`${ACCOUNT}:the token`).toString('base64')}`,
  )
  expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
    To: SMS.to,
    Body: SMS.text,
    From: '+15005550006',
    ValidityPeriod: '600',
  })
})

test('a messaging service stands in for the sender', async () => {
  const service = `MG${'0'.repeat(32)}`
  const { asked, sender } = await open(json(201, MESSAGE), service)
  await sender.send(SMS)
  expect([asked[0]?.form.get('MessagingServiceSid'), asked[0]?.form.has('From')]).toEqual([
    service,
    false,
  ])
})

test.each([
  ['no mobile number', error(400, 21614), 'refused', 'answer 400, error 21614'],
  ['a country we may not send to', error(400, 21408), 'refused', 'answer 400, error 21408'],
  ['a recipient who wants none', error(400, 21610), 'refused', 'answer 400, error 21610'],
  ['a wrong token', error(401, 20003), 'refused', 'answer 401, error 20003'],
  [
    'a message that failed at once',
    json(201, { ...MESSAGE, status: 'failed', error_code: 30008 }),
    'refused',
    'message failed, error 30008',
  ],
  ['too many messages', error(429, 20429), 'later', 'answer 429, error 20429'],
  ['a service that is away', error(503, 20503), 'later', 'answer 503, error 20503'],
  [
    'a broken service',
    (res: ServerResponse) => res.writeHead(500).end('<html>'),
    'unknown',
    'answer 500',
  ],
  [
    'an answer that is none',
    (res: ServerResponse) => res.writeHead(201).end('<html>'),
    'unknown',
    'answer 201 without a message id',
  ],
  [
    'an endless answer',
    (res: ServerResponse) => res.writeHead(201).end('['.repeat(200_000)),
    'unknown',
    'answer 201 without a message id',
  ],
])('%s', async (_, answer, kind, reason) => {
  const { sender } = await open((res) => void answer(res))
  const outcome = await sender.send(SMS)
  expect(outcome).toEqual({ kind, reason })
  expect(JSON.stringify(outcome)).not.toContain(SMS.to)
})

test('a connection that breaks or stays silent leaves it unknown, one that never was does not', async () => {
  const broken = await open((res) => res.destroy())
  expect((await broken.sender.send(SMS)).kind).toBe('unknown')
  const silent = await open(() => {})
  expect(await silent.sender.send(SMS)).toEqual({ kind: 'unknown', reason: 'TimeoutError' })
  const gone = await open(() => {})
  await new Promise((resolve) => gone.server.close(resolve))
  expect(await gone.sender.send(SMS)).toEqual({ kind: 'later', reason: 'ECONNREFUSED' })
})

test('is not led elsewhere with the token, and shows it nowhere', async () => {
  const elsewhere = await open(json(201, MESSAGE))
  const { sender } = await open((res) => res.writeHead(307, { location: elsewhere.origin }).end())
  expect((await sender.send(SMS)).kind).toBe('unknown')
  expect(elsewhere.asked).toHaveLength(0)
  expect(inspect(sender, { depth: 5 })).not.toContain('the token')
})

test.each([
  ['an account that may send', json(200, { status: 'active' }), null],
  ['a suspended account', json(200, { status: 'suspended' }), 'the account is suspended'],
  ['a wrong token', error(401, 20003), 'answer 401, error 20003'],
] as const)('is asked whether it knows the shop: %s', async (_, answer, complaint) => {
  const { asked, sender } = await open(answer)
  const said = await sender.check().then(
    () => null,
    (failure: unknown) => (failure as Error).message,
  )
  expect(said).toBe(complaint)
  expect(asked[0]).toMatchObject({ method: 'GET', path: `/2010-04-01/Accounts/${ACCOUNT}.json` })
})
