import { expect, onTestFinished, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { openPaypalSandbox } from '#sandbox/paypal/service.ts'
import { tryPaypalSettings } from './try-out.ts'

const given = { clientId: 'client', environment: 'live', now: () => new Date() } as const

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
  const account = { id: 'SANDB0XSH0P23', name: 'Sandbox shop' }
  expect(await asked('the secret', sandbox.origin)).toEqual({ answer: 'good', why: null, account })
  // Without the right to the name the balance report names the account; without that as well nothing does.
  sandbox.answerFor({ ...account, name: null })
  expect((await asked('the secret', sandbox.origin)).account).toEqual({ ...account, name: null })
  sandbox.answerFor(null)
  expect(await asked('the secret', sandbox.origin)).toEqual({
    answer: 'good',
    why: null,
    account: null,
  })
  expect(await asked('another', sandbox.origin)).toEqual({
    answer: 'refused',
    why: 'answer 401',
    account: null,
  })
  expect(await asked('the secret', 'http://127.0.0.1:9')).toEqual({
    answer: 'unknown',
    why: 'no answer',
    account: null,
  })
})
