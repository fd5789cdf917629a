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
