import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { identityEnvironment } from './identity-config.ts'

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
  SANDBOX_IDENTITY_SECRET: 'ss',
}

describe('settings of services that people sign in with', () => {
  it('are all absent by default', () => {
    expect(Object.values(readConfig({}).identity)).toEqual([null, null, null, null, null, null])
  })

  it('come back whole from the environment made for a child process', () => {
    const { identity } = readConfig(everything)
    expect(identity.apple?.privateKey.reveal()).toBe(pem.trim())
    expect(JSON.stringify(readConfig(identityEnvironment(identity)).identity)).toBe(
      JSON.stringify(identity),
    )
    expect(identityEnvironment(identity)).toMatchObject({
      GOOGLE_CLIENT_SECRET: 'gs',
      OIDC_NAME: 'Example ID',
    })
  })

  it('are refused when a service is given only in part', () => {
    expect(() => readConfig({ GOOGLE_CLIENT_ID: 'g' })).toThrow(
      'GOOGLE_CLIENT_ID needs GOOGLE_CLIENT_SECRET beside it.',
    )
    expect(() => readConfig({ ...everything, APPLE_PRIVATE_KEY: '' })).toThrow(
      'APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID need APPLE_PRIVATE_KEY beside them.',
    )
  })

  it('refuse an issuer reached over an open network, and never print a secret', () => {
    expect(() => readConfig({ ...everything, OIDC_ISSUER: 'http://id.example' })).toThrow(
      'OIDC_ISSUER must be an https address',
    )
    expect(
      readConfig({ ...everything, OIDC_ISSUER: 'http://localhost:9000' }).identity.oidc?.issuer,
    ).toBe('http://localhost:9000')
    expect(() => readConfig({ ...everything, APPLE_PRIVATE_KEY: 'very-hidden' })).toThrow(
      /^(?!.*very-hidden).*APPLE_PRIVATE_KEY must be the content/s,
    )
  })
})
