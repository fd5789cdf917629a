import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { secret } from '#platform/secret.ts'
import { useHttpService } from '../../../../test/support/http-service.ts'
import { newSigningKey, rs256 } from '../../../../test/support/jwt.ts'
import { appleProvider } from './apple.ts'

const service = useHttpService()
const apples = newSigningKey('apples')
const team = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const settings = {
  clientId: 'example.shop.web',
  teamId: 'ABCDE12345',
  keyId: 'FGHIJ67890',
  privateKey: secret(team.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
}
const now = () => new Date()
const asked = {
  state: 's',
  nonce: 'n',
  codeVerifier: 'v'.repeat(43),
  redirectUri: 'https://shop.example/loading/apple',
}

let told: Record<string, unknown>
beforeEach(() => {
  const seconds = Math.floor(Date.now() / 1_000)
  told = {
    iss: service.origin,
    aud: settings.clientId,
    sub: '001234.abcdef.0123',
    nonce: 'n',
    nonce_supported: true,
    iat: seconds,
    exp: seconds + 600,
    email: 'relay@privaterelay.appleid.com',
    email_verified: 'true',
    is_private_email: 'true',
  }
  service.asked.length = 0
  service.answer = ({ path }) => {
    if (path === '/.well-known/openid-configuration') {
      return {
        body: {
          issuer: service.origin,
          authorization_endpoint: `${service.origin}/auth/authorize`,
          token_endpoint: `${service.origin}/auth/token`,
          jwks_uri: `${service.origin}/auth/keys`,
          response_types_supported: ['code'],
          response_modes_supported: ['query', 'fragment', 'form_post'],
          subject_types_supported: ['pairwise'],
          id_token_signing_alg_values_supported: ['RS256'],
          token_endpoint_auth_methods_supported: ['client_secret_post'],
        },
      }
    }
    if (path === '/auth/keys') return { body: { keys: [apples.jwk] } }
    return path === '/auth/token'
      ? {
          body: {
            access_token: 'a',
            token_type: 'Bearer',
            expires_in: 3600,
            id_token: rs256(apples, told),
          },
        }
      : { status: 404 }
  }
})

describe('Sign in with Apple', () => {
  it('asks for name and address by a posted answer', async () => {
    const url = await appleProvider(settings, now, service.origin).authorizationUrl({
      ...asked,
      codeChallenge: 'c',
      language: 'en',
    })
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      scope: 'openid email name',
      response_mode: 'form_post',
      nonce: 'n',
      state: 's',
    })
    expect(url.searchParams.has('code_challenge')).toBe(false)
  })

  it("shows a client secret signed by the team's key, for minutes only", async () => {
    const provider = appleProvider(settings, now, service.origin)
    expect(await provider.exchange({ ...asked, parameters: { code: 'c', state: 's' } })).toEqual({
      issuer: service.origin,
      subject: '001234.abcdef.0123',
      email: 'relay@privaterelay.appleid.com',
      emailVerified: true,
      displayName: '',
    })
    const form = service.asked.find(({ path }) => path === '/auth/token')?.form
    expect(form?.get('client_id')).toBe(settings.clientId)
    const [head = '', claims = '', signature = ''] = (form?.get('client_secret') ?? '').split('.')
    const read = (part: string) =>
      JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, number>
    expect(read(head)).toEqual({ alg: 'ES256', kid: settings.keyId })
    expect(read(claims)).toMatchObject({
      iss: settings.teamId,
      sub: settings.clientId,
      aud: 'https://appleid.apple.com',
    })
    expect((read(claims).exp ?? 0) - (read(claims).iat ?? 0)).toBe(300)
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      {
        key: createPublicKey(team.publicKey.export({ type: 'spki', format: 'pem' })),
        dsaEncoding: 'ieee-p1363',
      },
      Buffer.from(signature, 'base64url'),
    )
    expect(isSigned).toBe(true)
  })

  it('takes the name that comes beside the first answer, and nothing else from there', async () => {
    const exchange = (user: string) =>
      appleProvider(settings, now, service.origin).exchange({
        ...asked,
        parameters: { code: 'c', state: 's', user },
      })
    expect(
      await exchange(
        '{"name":{"firstName":"Rizky","lastName":"Pratama"},"email":"forged@example.com"}',
      ),
    ).toMatchObject({ displayName: 'Rizky Pratama', email: 'relay@privaterelay.appleid.com' })
    for (const broken of ['{', '[]', '{"name":7}', '{"name":{"firstName":{}}}'])
      expect(await exchange(broken)).toMatchObject({ displayName: '' })
  })

  it('believes a verified address only when Apple says so', async () => {
    told = { ...told, email_verified: 'false' }
    expect(
      await appleProvider(settings, now, service.origin).exchange({
        ...asked,
        parameters: { code: 'c', state: 's' },
      }),
    ).toMatchObject({ emailVerified: false })
  })
})
