import { expect, test } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { useHttpService } from '../../../test/support/http-service.ts'
import { offeredPayments } from './offered.ts'

const service = useHttpService()

test.each([
  [
    'stripe',
    {
      STRIPE_SECRET_KEY: 'sk_test_basesaddress1',
      STRIPE_WEBHOOK_SECRETS: 'whsec_baseaddress1',
    },
    'STRIPE_API_URL',
  ],
  [
    'paypal',
    {
      PAYPAL_CLIENT_ID: 'client',
      PAYPAL_CLIENT_SECRET: 'secret',
      PAYPAL_WEBHOOK_ID: 'webhook',
      PAYPAL_ENVIRONMENT: 'live',
    },
    'PAYPAL_API_URL',
  ],
])('%s is asked at the address that is set, and nowhere else', async (code, given, name) => {
  service.asked.length = 0
  service.answer = () => ({ status: 503, body: {} })
  const config = readConfig({ ...given, [name]: service.origin, DEMO: '0' })
  const { providers, origins } = await offeredPayments(config, () => new Date())
  const provider = providers.find((one) => one.code === code)
  expect(origins).toContain(service.origin)
  const until = new Date()
  const asked = provider?.list({ since: new Date(until.getTime() - 60_000), until })
  await expect(asked?.[Symbol.asyncIterator]().next()).rejects.toThrow()
  expect(service.asked.length).toBeGreaterThan(0)
})

test.each(['http://api.example', 'https://user@api.example', 'https://api.example/path'])(
  '%s is no address for money and secrets',
  (address) => {
    const given = {
      PAYPAL_CLIENT_ID: 'client',
      PAYPAL_CLIENT_SECRET: 'secret',
      PAYPAL_WEBHOOK_ID: 'webhook',
      PAYPAL_API_URL: address,
    }
    expect(() => readConfig({ ...given, DEMO: '0' })).toThrow(/PAYPAL_API_URL must be/)
  },
)

const OWN = {
  PAYMENT_HOOK_URL: 'https://pay.owner.example/lukado',
  PAYMENT_HOOK_SECRET: 'of the owner and their shop alone, for payments',
  DEMO: '0',
}

test.each([
  ['http://pay.owner.example/lukado', undefined],
  ['https://10.1.2.3/lukado', undefined],
  ['https://user:word@pay.owner.example/', undefined],
  ['https://169.254.169.254/', undefined],
  [OWN.PAYMENT_HOOK_URL, 'https://pages.example/path'],
  [OWN.PAYMENT_HOOK_URL, 'http://pages.example'],
  [OWN.PAYMENT_HOOK_URL, 'javascript:alert(1)'],
])("%s and %s are no place for an owner's own service and its payers", (url, pages) => {
  const given = { ...OWN, PAYMENT_HOOK_URL: url, PAYMENT_HOOK_PAGES: pages }
  expect(() => readConfig(given)).toThrow(/PAYMENT_HOOK_(?:URL|PAGES) must be/)
})

test("an owner's own service on this machine is opened for development alone, and forms lead to its pages", async () => {
  const here = {
    ...OWN,
    PAYMENT_HOOK_URL: `${service.origin}/lukado`,
    PAYMENT_HOOK_PAGES: 'https://one.example, https://two.example',
  }
  const now = () => new Date()
  await expect(offeredPayments(readConfig(here), now)).rejects.toThrow('on this machine')
  const { providers, origins } = await offeredPayments(
    readConfig({ ...here, PAYMENT_HOOK_LOOPBACK: 'allow' }),
    now,
  )
  expect(providers.map(({ code }) => code)).toEqual(['payment-hook'])
  expect(origins).toEqual([service.origin, 'https://one.example', 'https://two.example'])
})
