import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test, vi } from 'vitest'
import { IDENTITY_SERVICES } from '#providers/identity/services.ts'
import { PAYMENT_SERVICES } from '#providers/payment/services.ts'
import { SUPPLY_SERVICES } from '#providers/supply/services.ts'
import { RATE_SERVICES } from '#providers/rates/services.ts'
import { SCREENING_SERVICES } from '#providers/screening/services.ts'
import { bareEnvironment, environmentOf } from './child-environment.ts'
import { readConfig } from './config.ts'
import { PROJECT_ROOT } from './project.ts'

const pem = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

const everything = {
  GOOGLE_CLIENT_ID: 'g',
  GOOGLE_CLIENT_SECRET: 'gs',
  APPLE_CLIENT_ID: 'a',
  APPLE_TEAM_ID: 'ABCDE12345',
  APPLE_KEY_ID: 'FGHIJ67890',
  APPLE_PRIVATE_KEY: pem.replaceAll('\n', '\\n'),
  FACEBOOK_CLIENT_ID: 'f',
  FACEBOOK_CLIENT_SECRET: 'fs',
  DISCORD_CLIENT_ID: 'd',
  DISCORD_CLIENT_SECRET: 'ds',
  OIDC_ISSUER: 'https://id.example/realm',
  OIDC_CLIENT_ID: 'o',
  OIDC_CLIENT_SECRET: 'os',
  OIDC_NAME: 'Example ID',
  STRIPE_SECRET_KEY: 'sk_test_0123456789',
  STRIPE_WEBHOOK_SECRETS: 'whsec_0123456789, whsec_9876543210',
  PAYPAL_CLIENT_ID: 'p',
  PAYPAL_CLIENT_SECRET: 'ps',
  PAYPAL_WEBHOOK_ID: 'W1',
  PAYPAL_ENVIRONMENT: 'sandbox',
  OPEN_EXCHANGE_RATES_APP_ID: '0123456789abcdef0123456789abcdef',
  SANDBOX_IDENTITY_SECRET: 'ss',
}

describe('settings of outside services', () => {
  it('are all absent by default', () => {
    const { identity, payment } = readConfig({})
    expect([identity.services, payment.services]).toEqual([{}, {}])
  })

  it('come back whole from the environment made for a child process', () => {
    const config = readConfig(everything)
    expect(environmentOf(config)).toMatchObject(everything)
    expect(Object.keys(config.identity.services)).toEqual([
      'google',
      'apple',
      'facebook',
      'discord',
      'oidc',
    ])
    expect(Object.keys(config.payment.services)).toEqual(['stripe', 'paypal'])
    expect(Object.keys(config.rates)).toEqual(['ecb', 'open-exchange-rates'])
    expect(JSON.stringify(config)).not.toMatch(/sk_test|whsec|PRIVATE KEY|0123456789abcdef/)
  })

  it('are refused when a service is given only in part', () => {
    expect(() => readConfig({ GOOGLE_CLIENT_ID: 'g' })).toThrow(
      'GOOGLE_CLIENT_ID needs GOOGLE_CLIENT_SECRET beside it.',
    )
    expect(() => readConfig({ ...everything, APPLE_PRIVATE_KEY: '' })).toThrow(
      'APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID need APPLE_PRIVATE_KEY beside them.',
    )
    expect(() => readConfig({ ...everything, STRIPE_SECRET_KEY: ' ' })).toThrow(
      'STRIPE_WEBHOOK_SECRETS needs STRIPE_SECRET_KEY beside it.',
    )
  })

  it('refuse an issuer reached over an open network, and never print a value', () => {
    expect(() => readConfig({ ...everything, OIDC_ISSUER: 'http://id.example' })).toThrow(
      'OIDC_ISSUER must be an https address',
    )
    const local = { ...everything, OIDC_ISSUER: 'http://localhost:9000' }
    expect(readConfig(local).identity.services).toHaveProperty('oidc')
    expect(() => readConfig({ ...everything, APPLE_PRIVATE_KEY: 'very-hidden' })).toThrow(
      /^(?!.*very-hidden).*APPLE_PRIVATE_KEY must be the content/s,
    )
  })
})

const services = [
  ...IDENTITY_SERVICES.map((service) => ({ service, kind: 'identity' })),
  ...PAYMENT_SERVICES.map((service) => ({ service, kind: 'payment' })),
  ...SUPPLY_SERVICES.map((service) => ({ service, kind: 'supply' })),
  ...RATE_SERVICES.map((service) => ({ service, kind: 'rates' })),
  ...SCREENING_SERVICES.map((service) => ({ service, kind: 'screening' })),
]

test.each(services)(
  'the page of $service.code names every setting it reads',
  ({ service, kind }) => {
    const page = join(PROJECT_ROOT, 'src', 'providers', kind, service.code, 'README.md')
    const text = readFileSync(page, 'utf8')
    expect(Object.keys(service.settings).filter((name) => !text.includes(`\`${name}\``))).toEqual(
      [],
    )
  },
)

test('no two services read the same variable or have the same code', () => {
  const names = services.flatMap(({ service }) => Object.keys(service.settings))
  const codes = services.map(({ service }) => service.code)
  expect([new Set(names).size, new Set(codes).size]).toEqual([names.length, codes.length])
})

test('a process that has no use for outside services inherits none of their settings', () => {
  for (const [name, value] of Object.entries(everything)) vi.stubEnv(name, value)
  try {
    const bare = bareEnvironment({ dataDirectory: '/data', logLevel: 'info' })
    expect(Object.keys(everything).filter((name) => name in bare)).toEqual([])
  } finally {
    vi.unstubAllEnvs()
  }
})
