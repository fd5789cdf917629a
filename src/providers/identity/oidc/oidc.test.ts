import { beforeEach, describe, expect, it } from 'vitest'
import { isAppError } from '#kernel/error.ts'
import { useHttpService, type Asked, type Reply } from '../../../../test/support/http-service.ts'
import { hs256, newSigningKey, rs256, unsigned } from '../../../../test/support/jwt.ts'
import type { IdentityProvider } from '../provider.ts'
import { oidcProvider } from './oidc.ts'

const service = useHttpService()
const key = newSigningKey('its-own')
const asked = {
  state: 'the-state',
  nonce: 'the-nonce',
  codeVerifier: 'v'.repeat(43),
  redirectUri: 'https://shop.example/loading/oidc',
}
const parameters = { code: 'the-code', state: 'the-state' }

let token: () => string
let provider: IdentityProvider
beforeEach(() => {
  token = () => rs256(key, claims())
  service.asked.length = 0
  service.answer = issuer
  provider = oidcProvider({
    platform: 'oidc',
    name: 'Other',
    issuer: service.origin,
    clientId: 'shop',
    clientSecret: 'hidden',
  })
})

function claims(change: Record<string, unknown> = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1_000)
  return {
    iss: service.origin,
    aud: 'shop',
    sub: 'somebody',
    nonce: 'the-nonce',
    iat: now,
    exp: now + 300,
    email: 'Some@Body.example',
    email_verified: true,
    name: 'Some\u202e Body\n',
    ...change,
  }
}

function issuer({ path }: Asked): Reply {
  if (path === '/.well-known/openid-configuration') return { body: metadata() }
  if (path === '/keys') return { body: { keys: [key.jwk] } }
  if (path === '/token')
    return { body: { access_token: 'access', token_type: 'Bearer', id_token: token() } }
  return { status: 404 }
}

function metadata(change: Record<string, unknown> = {}) {
  return {
    issuer: service.origin,
    authorization_endpoint: `${service.origin}/authorize`,
    token_endpoint: `${service.origin}/token`,
    jwks_uri: `${service.origin}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    ...change,
  }
}

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no failure',
    (error: unknown) =>
      isAppError(error) && error.code === 'identity_failed'
        ? (error.data as { reason: string }).reason
        : error,
  )
}

const exchange = () => provider.exchange({ ...asked, parameters })

describe('an OpenID provider', () => {
  it('is asked with state, nonce and the S256 challenge, and given the verifier and the exact landing', async () => {
    const url = await provider.authorizationUrl({
      ...asked,
      codeChallenge: 'the-challenge',
      language: 'de',
    })
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'shop',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: asked.redirectUri,
      state: 'the-state',
      nonce: 'the-nonce',
      code_challenge: 'the-challenge',
      code_challenge_method: 'S256',
      ui_locales: 'de',
    })
    expect(await exchange()).toEqual({
      issuer: service.origin,
      subject: 'somebody',
      email: 'some@body.example',
      emailVerified: true,
      displayName: 'Some Body',
    })
    const sent = service.asked.find(({ path }) => path === '/token')?.form
    expect(Object.fromEntries(sent ?? [])).toEqual({
      grant_type: 'authorization_code',
      code: 'the-code',
      redirect_uri: asked.redirectUri,
      code_verifier: asked.codeVerifier,
      client_id: 'shop',
      client_secret: 'hidden',
    })
  })

  it.each([
    ['for another client', () => rs256(key, claims({ aud: 'another-shop' }))],
    [
      'for several clients, with another as the one asked for',
      () => rs256(key, claims({ aud: ['shop', 'other'], azp: 'other' })),
    ],
    ['of another issuer', () => rs256(key, claims({ iss: 'https://evil.example' }))],
    ['with another nonce', () => rs256(key, claims({ nonce: 'replayed' }))],
    ['without a nonce', () => rs256(key, claims({ nonce: undefined }))],
    ['that has expired', () => rs256(key, claims({ exp: Math.floor(Date.now() / 1_000) - 120 }))],
    ['without a subject', () => rs256(key, claims({ sub: '' }))],
    ['with an endless subject', () => rs256(key, claims({ sub: 's'.repeat(300) }))],
    ['without a signature', () => unsigned(claims())],
    ['signed with the client secret', () => hs256('hidden', claims())],
    [
      'signed with the public key as if it were a secret',
      () => hs256(JSON.stringify(key.jwk), claims()),
    ],
    [
      'signed by somebody else under the same key id',
      () => rs256({ ...newSigningKey('its-own') }, claims()),
    ],
    ['that is none', () => 'not.a.token'],
  ])('is not believed with a token %s', async (_, made) => {
    token = made
    expect(await reasonOf(exchange())).toBe('invalid')
  })

  it('is not believed when it says that it is another issuer', async () => {
    service.answer = (request) =>
      request.path.startsWith('/.well-known')
        ? { body: metadata({ issuer: 'https://evil.example' }) }
        : issuer(request)
    expect(await reasonOf(exchange())).toBe('invalid')
  })

  it('leads nowhere by a redirect: no secret is sent to another address', async () => {
    service.answer = (request) =>
      request.path === '/token'
        ? { status: 307, headers: { location: `${service.origin}/elsewhere` } }
        : issuer(request)
    expect(await reasonOf(exchange())).toBe('unavailable')
    expect(service.asked.some(({ path }) => path === '/elsewhere')).toBe(false)
  })

  it('that is down, broken or endless is told from one that lies', async () => {
    service.answer = () => ({ status: 503 })
    expect(await reasonOf(exchange())).toBe('unavailable')
    service.answer = (request) =>
      request.path === '/token' ? { status: 500, body: 'oops' } : issuer(request)
    expect(await reasonOf(exchange())).toBe('unavailable')
    service.answer = (request) =>
      request.path === '/token' ? { body: `{"x":"${'x'.repeat(600_000)}"}` } : issuer(request)
    expect(await reasonOf(exchange())).toBe('unavailable')
    const gone = oidcProvider({
      platform: 'oidc',
      name: 'Gone',
      issuer: 'http://127.0.0.1:9',
      clientId: 'shop',
      clientSecret: 'hidden',
    })
    expect(
      await reasonOf(gone.authorizationUrl({ ...asked, codeChallenge: 'c', language: 'en' })),
    ).toBe('unavailable')
  })

  it('that says nothing is given up in time', async () => {
    const slow = oidcProvider({
      platform: 'oidc',
      name: 'Slow',
      issuer: service.origin,
      clientId: 'shop',
      clientSecret: 'hidden',
      timeoutMs: 300,
    })
    await slow.authorizationUrl({ ...asked, codeChallenge: 'c', language: 'en' })
    service.answer = () => ({ isSilent: true })
    expect(await reasonOf(slow.exchange({ ...asked, parameters }))).toBe('unavailable')
  })

  it('is asked about itself once, and again after a failure', async () => {
    service.answer = () => ({ status: 503 })
    await reasonOf(exchange())
    service.answer = issuer
    await Promise.all([exchange(), exchange(), exchange()])
    expect(service.asked.filter(({ path }) => path.startsWith('/.well-known'))).toHaveLength(2)
  })

  it('is asked for the address where the token tells none', async () => {
    token = () => rs256(key, claims({ email: undefined }))
    const info = { sub: 'somebody', email: 'told@later.example', email_verified: false }
    service.answer = (request) => {
      if (request.path.startsWith('/.well-known'))
        return { body: metadata({ userinfo_endpoint: `${service.origin}/me` }) }
      return request.path === '/me' ? { body: info } : issuer(request)
    }
    expect(await exchange()).toMatchObject({
      email: 'told@later.example',
      emailVerified: false,
      displayName: 'Some Body',
    })
    info.sub = 'somebody-else'
    expect(await reasonOf(exchange())).toBe('invalid')
  })

  it('that the person refused says so, and hears nothing from us', async () => {
    expect(
      await reasonOf(
        provider.exchange({ ...asked, parameters: { state: 'the-state', error: 'access_denied' } }),
      ),
    ).toBe('refused')
    expect(
      await reasonOf(
        provider.exchange({ ...asked, parameters: { state: 'the-state', error: 'server_error' } }),
      ),
    ).toBe('unavailable')
    expect(service.asked.some(({ path }) => path === '/token')).toBe(false)
  })

  it('is not reached over an open network without https', () => {
    expect(() =>
      oidcProvider({
        platform: 'oidc',
        name: 'Open',
        issuer: 'http://id.example',
        clientId: 'shop',
        clientSecret: 'hidden',
      }),
    ).toThrow('https')
  })
})
