import { describe, expect, test } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { secret } from '#platform/secret.ts'
import { supplyContract } from '../../../../test/support/supply-contract.ts'
import type { SupplyContract } from '../../../../test/support/supply-contract.ts'
import { openHookClient } from './client.ts'
import { hook } from './service.ts'
import { createHookSupplier } from './hook.ts'

const open: SupplyContract['open'] = ({ origin, secret: key, client }) =>
  createHookSupplier({
    url: `${origin}/supply`,
    secret: secret(key),
    client,
    now: () => new Date(),
  })
const refusals = { 9005: ['customer'], 9006: ['wait'], 9007: ['stock'], 9008: ['ours'] }

supplyContract("An owner's endpoint, top-ups", {
  code: 'hook',
  open,
  order: (scenario) => ({
    kind: 'topup',
    product: 'game:17live:jp:100',
    quantity: 1,
    face: null,
    fields: { live_id: `sunny${scenario}` },
  }),
  refusals,
})

supplyContract("An owner's endpoint, cards", {
  code: 'hook',
  open,
  order: (scenario) => ({
    kind: 'giftcard',
    product: String(scenario),
    quantity: 1,
    face: null,
    fields: {},
  }),
  refusals,
  isCards: true,
})

describe('a token that is asked for in the moment of buying', () => {
  const purchase = {
    kind: 'topup',
    product: 'pack',
    quantity: 1,
    face: null,
    fields: { user_id: '1' },
    reference: 'ours-1',
    maxCost: null,
    token: 'of an hour ago',
    buyerAddress: null,
  } as const

  /** An endpoint that answers `validate` so, and sells whatever it is asked for. */
  function endpoint(validated: unknown, checksFirst = true) {
    const calls: Record<string, unknown>[] = []
    const provider = createHookSupplier({
      url: 'https://endpoint.example/supply',
      secret: secret('x'.repeat(32)),
      client: async ({ body }) => {
        const call = JSON.parse(String(body)) as Record<string, unknown>
        calls.push(call)
        if (call['action'] === 'validate' && validated === null)
          return { kind: 'broken', why: 'no answer' }
        const json =
          call['action'] === 'validate'
            ? validated
            : { outcome: 'accepted', reference: call['reference'], id: 'theirs' }
        return { kind: 'answer', status: 200, headers: {}, text: JSON.stringify(json), json }
      },
      now: () => new Date(),
      checksFirst,
    })
    return { provider, calls }
  }

  test('goes with the purchase, and the one from before is forgotten', async () => {
    const { provider, calls } = endpoint({ valid: true, token: 'of now' })
    expect((await provider.purchase(purchase)).kind).toBe('accepted')
    expect(calls.map(({ action, token }) => [action, token])).toEqual([
      ['validate', undefined],
      ['purchase', 'of now'],
    ])
    expect(provider.capabilities.answersWithinSeconds).toBe(60)
  })

  test.each([
    [{ valid: false, fault: 'account', text: 'gone' }, 'customer'],
    [null, 'supplier'],
    ['nonsense', 'supplier'],
  ] as const)('an answer of %j buys nothing, which is certain', async (validated, of) => {
    const { provider, calls } = endpoint(validated)
    expect(await provider.purchase(purchase)).toMatchObject({ kind: 'failed', class: of })
    expect(calls.map(({ action }) => action)).toEqual(['validate'])
  })

  test('is not asked for of cards, nor where the endpoint wants none', async () => {
    const cards = endpoint({ valid: true, token: 'of now' })
    await cards.provider.purchase({ ...purchase, kind: 'giftcard' })
    const plain = endpoint({ valid: true, token: 'of now' }, false)
    await plain.provider.purchase(purchase)
    for (const { calls } of [cards, plain])
      expect(calls.map(({ action, token }) => [action, token])).toEqual([['purchase', null]])
  })
})

describe('addresses that lead inside', () => {
  const call = { method: 'POST', body: '{}' } as const
  test.each([
    'https://127.0.0.1/x',
    'https://localhost/x',
    'https://[::1]/x',
    'https://10.1.2.3/x',
    'https://192.168.1.1/x',
    'https://169.254.169.254/latest/meta-data',
    'https://172.20.0.1/x',
    'https://100.100.100.100/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://[fe80::1]/x',
    'https://[fd00::1]/x',
    'https://[64:ff9b::a00:1]/x',
    'https://[2002:0a00:0001::]/x',
    'https://0/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
  ])('%s is not called, and refused as a setting', async (url) => {
    const exchange = await openHookClient(1_000, false)({ ...call, url })
    expect(exchange).toEqual({ kind: 'not_sent', why: 'the address leads inside' })
    const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
    if (!isLoopback)
      expect(() =>
        readConfig({ DEMO: '0', SUPPLY_HOOK_URL: url, SUPPLY_HOOK_SECRET: 'x'.repeat(32) }),
      ).toThrow(/^SUPPLY_HOOK_URL must be an https address outside your own network\.$/)
  })

  test('an endpoint on this machine is opened only where that is allowed', async () => {
    const given = (loopback: string) => ({
      SUPPLY_HOOK_URL: secret('http://localhost:8080/supply'),
      SUPPLY_HOOK_SECRET: secret('x'.repeat(32)),
      SUPPLY_HOOK_LOOPBACK: secret(loopback),
    })
    const now = () => new Date()
    await expect(hook.open(given('off'), now)).rejects.toThrow(/SUPPLY_HOOK_LOOPBACK=allow/)
    expect((await hook.open(given('allow'), now)).code).toBe('hook')
  })

  test('this machine may be allowed, and no other address inside with it', async () => {
    const client = openHookClient(1_000, true)
    expect(await client({ ...call, url: 'http://127.0.0.1:9/x' })).toEqual({
      kind: 'not_sent',
      why: 'ECONNREFUSED',
    })
    expect(await client({ ...call, url: 'https://10.1.2.3/x' })).toEqual({
      kind: 'not_sent',
      why: 'the address leads inside',
    })
  })
})
