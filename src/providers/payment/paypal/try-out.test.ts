import { expect, onTestFinished, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { openPaypalSandbox } from '#sandbox/paypal/service.ts'
import { tryPaypalSettings } from './try-out.ts'

const given = { clientId: 'client', environment: 'live' } as const

test('an app that PayPal knows is good, another is refused, and silence says nothing', async () => {
  const sandbox = await openPaypalSandbox({
    port: 0,
    clientId: 'client',
    clientSecret: 'the secret',
    webhookId: 'WEBHOOK1',
    webhookUrl: null,
    now: () => new Date(),
  })
  onTestFinished(() => sandbox.close())
  const asked = (clientSecret: string, baseUrl: string) =>
    tryPaypalSettings({ ...given, clientSecret: secret(clientSecret), baseUrl })
  expect(await asked('the secret', sandbox.origin)).toEqual({ answer: 'good', why: null })
  expect(await asked('another', sandbox.origin)).toEqual({ answer: 'refused', why: 'answer 401' })
  expect(await asked('the secret', 'http://127.0.0.1:9')).toEqual({
    answer: 'unknown',
    why: 'no answer',
  })
})
