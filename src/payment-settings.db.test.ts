import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { saveService, removeService } from '#features/office/payment-service/flows.ts'
import { actingAs, createFirstOwner, type OperatorCtx } from '#features/team/operator/commands.ts'
import { readConfig, type Config } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { guardProviders } from '#providers/payment/guarded.ts'
import { openStripeSandbox, type StripeSandbox } from '#sandbox/stripe/service.ts'
import { useDatabase } from '../test/support/database.ts'
import { followPayments, type FollowedPayments } from './payment-providers.ts'

const KEY = 'sk_test_0123456789abcdef'
const TAKEN_UP = { timeout: 5_000, interval: 20 }
const database = useDatabase()
let ctx: Ctx
let mara: OperatorCtx
let stripe: StripeSandbox
let config: Config
let processes: readonly FollowedPayments[]

beforeAll(async () => {
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  mara = actingAs(
    ctx,
    await createFirstOwner(ctx, { name: 'mara', password: 'correct horse battery' }),
  )
  stripe = await openStripeSandbox({
    port: 0,
    secretKey: KEY,
    webhookSecret: 'whsec_one0123456789',
    webhookUrl: null,
  })
  config = readConfig({ STRIPE_API_URL: stripe.origin })
  processes = [
    await followPayments(config, ctx, database.url),
    await followPayments(config, ctx, database.url),
  ]
})
afterAll(async () => {
  for (const each of processes) await each.close()
  stripe.close()
})

const save = (webhooks: string, version: number) =>
  saveService(mara, config.payment, {
    code: 'stripe',
    version,
    values: { STRIPE_SECRET_KEY: KEY, STRIPE_WEBHOOK_SECRETS: webhooks },
    isAlthoughRefused: false,
  })
const taken = (isThere: boolean) =>
  vi.waitFor(
    () =>
      expect(processes.map(({ providers }) => providers.has('stripe'))).toEqual([isThere, isThere]),
    TAKEN_UP,
  )

test('every process takes settings up, changed and taken away, within five seconds', async () => {
  const [web, worker] = processes
  if (!web || !worker) throw new Error('no processes')
  const guarded = guardProviders(
    worker.providers,
    { warn: () => {}, info: () => {} },
    worker.onChange,
  )
  expect(web.origins()).toEqual([])
  await save('whsec_one0123456789', 0)
  await taken(true)
  expect(web.origins()).toContain('https://checkout.stripe.com')
  expect(guarded.providers.has('stripe')).toBe(true)
  const first = web.providers.get('stripe')
  expect(
    await first
      ?.list({ since: new Date(0), until: new Date() })
      [Symbol.asyncIterator]()
      .next(),
  ).toEqual({
    done: true,
    value: undefined,
  })

  await save('whsec_two0123456789', 1)
  await vi.waitFor(() => expect(web.providers.get('stripe')).not.toBe(first), TAKEN_UP)

  await removeService(mara, config.payment, { code: 'stripe', version: 2 })
  await taken(false)
  expect([...guarded.providers.keys()]).toEqual([...worker.providers.keys()])
  expect(web.origins()).toEqual([])
})

test('a process that starts takes what was entered, and one with another key goes on without it', async () => {
  await save('whsec_one0123456789', 3)
  const later = await followPayments(config, ctx, database.url)
  const said: string[] = []
  const log = { ...ctx.log, warn: (text: string) => void said.push(text) }
  const other = await followPayments(
    config,
    { ...ctx, log, keys: createKeys(Buffer.alloc(32, 8)) },
    database.url,
  )
  try {
    expect(later.providers.has('stripe')).toBe(true)
    expect(other.providers.has('stripe')).toBe(false)
    expect(said).toEqual(['settings of a payment service cannot be read: enter them anew'])
  } finally {
    await later.close()
    await other.close()
  }
})
