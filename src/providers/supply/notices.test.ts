import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { leastCpuMs } from '../../../test/support/cpu.ts'
import { NASTY_JSON } from '../../../test/support/loop/nasty.ts'
import { createDigiflazzSupplier } from './digiflazz/digiflazz.ts'
import { createDtoneSupplier } from './dtone/dtone.ts'
import { hookSignature } from './hook/api.ts'
import { createHookSupplier } from './hook/hook.ts'
import { createKinguinSupplier } from './kinguin/kinguin.ts'
import { SupplyRefusal, type SupplyProvider } from './provider.ts'
import { createReloadlySupplier } from './reloadly/reloadly.ts'
import { seagmSignature } from './seagm/api.ts'
import { createSeagmSupplier } from './seagm/seagm.ts'
import { openSupplyClient } from './wire/client.ts'

const NOW = new Date('2026-11-26T12:00:00Z')
const SECONDS = String(NOW.getTime() / 1_000)
const now = () => NOW
const KEY = 'key-of-tests-that-is-long-enough'
const key = secret(KEY)
const common = { baseUrl: 'http://127.0.0.1:9', client: openSupplyClient({ timeoutMs: 500 }), now }
const hmac = (algorithm: string, text: string) =>
  createHmac(algorithm, KEY).update(text).digest('hex')

interface Subject {
  readonly provider: SupplyProvider
  /** What makes a body theirs; SEAGM's signature stands in the body. */
  readonly sign: (body: string) => Readonly<Record<string, string>>
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  Digiflazz: {
    provider: createDigiflazzSupplier({
      ...common,
      username: 'x',
      apiKey: key,
      webhookSecret: key,
      isTest: true,
    }),
    sign: (body) => ({ 'x-hub-signature': `sha1=${hmac('sha1', body)}` }),
  },
  'DT One': {
    provider: createDtoneSupplier({
      ...common,
      key: 'x',
      secret: key,
      callbackCredentials: secret('us:er'),
    }),
    sign: () => ({ authorization: `Basic ${btoa('us:er')}` }),
  },
  'the hook': {
    provider: createHookSupplier({
      url: common.baseUrl,
      secret: key,
      client: common.client,
      now,
    }),
    sign: (body) => ({
      'supply-timestamp': SECONDS,
      'supply-signature': hookSignature(key, SECONDS, Buffer.from(body)),
    }),
  },
  Kinguin: {
    provider: createKinguinSupplier({ ...common, apiKey: key, eventSecret: key }),
    sign: () => ({ 'x-event-secret': KEY }),
  },
  Reloadly: {
    provider: createReloadlySupplier({
      ...common,
      clientId: 'x',
      clientSecret: key,
      webhookSecrets: [key],
      environment: 'sandbox',
    }),
    sign: (body) => ({
      'x-reloadly-request-timestamp': SECONDS,
      'x-reloadly-signature': hmac('sha256', `${body}:${SECONDS}`),
    }),
  },
  SEAGM: {
    provider: createSeagmSupplier({ ...common, uid: 'x', secret: key }),
    sign: () => ({}),
  },
}

/** As long as any notice may be that is read at all, and JSON of every kind that is hard to read. */
const BODIES = {
  ...NASTY_JSON,
  'members of a form': 'a&b&'.repeat(65_000),
  'members that are one': 'a=1&'.repeat(65_000),
  'a short form of many members': 'a&b&'.repeat(4_000),
  'many members, in short': `{${Array.from({ length: 1_600 }, (_, at) => `"k${at}":1`).join()}}`,
}

test.each(Object.entries(SUBJECTS))(
  'no notice to %s holds anybody, theirs or not',
  async (_, { provider, sign }) => {
    for (const [what, body] of Object.entries(BODIES)) {
      const bytes = Buffer.from(body)
      const read = (headers: Readonly<Record<string, string>>) =>
        provider.readNotice?.(bytes, new Headers(headers), NOW).catch((error: unknown) => error)
      expect([what, await read({})]).toEqual([what, expect.any(SupplyRefusal)])
      for (const headers of [{}, sign(body)])
        expect([what, leastCpuMs(() => read(headers))]).toEqual([what, expect.toSatisfy(isShort)])
    }
  },
)

/** What grows with the square of the length takes seconds; on a crowded machine the line takes 30 ms. */
const isShort = (ms: number) => ms < 100

const order = { id: '7', mch_order_id: 'reference-1', status_code: '10003', timestamp: SECONDS }
const signed = (told: Readonly<Record<string, string>>) => ({
  ...told,
  signature: seagmSignature(told, key),
})
const readSeagm = (body: string) =>
  SUBJECTS.SEAGM?.provider.readNotice?.(Buffer.from(body), new Headers(), NOW)

test('a notice of SEAGM is taken as a form and as JSON', async () => {
  const told = signed(order)
  for (const body of [JSON.stringify(told), String(new URLSearchParams(told))])
    expect(await readSeagm(body)).toMatchObject({ reference: 'reference-1', supplierId: '7' })
})

test('a notice of SEAGM that is larger than any order is refused, even signed', async () => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, '1']))
  for (const more of [many, { note: 'x'.repeat(16 * 1024) }]) {
    const told = signed({ ...order, ...more })
    for (const body of [JSON.stringify(told), String(new URLSearchParams(told))])
      await expect(readSeagm(body)).rejects.toThrow(SupplyRefusal)
  }
})
