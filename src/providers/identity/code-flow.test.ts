import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { isAppError } from '#kernel/error.ts'
import { secret } from '#platform/secret.ts'
import { useHttpService, type Reply } from '../../../test/support/http-service.ts'
import { discordProvider } from './discord/discord.ts'
import { facebookProvider } from './facebook/facebook.ts'

const service = useHttpService()
const settings = { clientId: 'shop', clientSecret: secret('hidden') }
const asked = {
  state: 's',
  nonce: 'n',
  codeVerifier: 'v'.repeat(43),
  redirectUri: 'https://shop.example/loading/x',
}
const parameters = { code: 'the-code', state: 's' }

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no failure',
    (error: unknown) =>
      isAppError(error) && error.code === 'identity_failed'
        ? (error.data as { reason: string }).reason
        : error,
  )
}

beforeEach(() => {
  service.asked.length = 0
})

/** A token for the right code and verifier, as both services' documentation has it, and then the person. */
function answering(tokenPath: string, personPath: string, person: Reply) {
  service.answer = ({ path, form, headers }) => {
    if (path === tokenPath) {
      const isRight =
        form.get('code') === 'the-code' &&
        form.get('code_verifier') === asked.codeVerifier &&
        form.get('client_secret') === 'hidden' &&
        form.get('redirect_uri') === asked.redirectUri
      return isRight
        ? { body: { access_token: 'the-token', token_type: 'Bearer', expires_in: 604800 } }
        : { status: 400, body: { error: 'invalid_grant' } }
    }
    return path === personPath && headers.authorization === 'Bearer the-token'
      ? person
      : { status: 401 }
  }
}

describe('Discord', () => {
  const provider = () => discordProvider(settings, service.origin)
  const answers = (person: unknown) =>
    answering('/api/v10/oauth2/token', '/api/v10/users/@me', { body: person })

  it('is asked with PKCE, and tells who somebody is', async () => {
    const url = await provider().authorizationUrl({ ...asked, codeChallenge: 'c', language: 'en' })
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      scope: 'identify email',
      response_type: 'code',
      state: 's',
      code_challenge: 'c',
      code_challenge_method: 'S256',
    })
    answers({
      id: '80351110224678912',
      username: 'nelly',
      global_name: 'Nelly',
      email: 'Nelly@Example.com',
      verified: true,
      avatar: null,
    })
    expect(await provider().exchange({ ...asked, parameters })).toEqual({
      issuer: 'https://discord.com',
      subject: '80351110224678912',
      email: 'nelly@example.com',
      emailVerified: true,
      displayName: 'Nelly',
    })
  })

  it('may know no address, an unverified one, or no display name', async () => {
    answers({ id: '1', username: 'nelly', global_name: null, email: null, verified: null })
    expect(await provider().exchange({ ...asked, parameters })).toMatchObject({
      email: '',
      emailVerified: false,
      displayName: 'nelly',
    })
    answers({ id: '1', username: 'nelly', email: 'nelly@example.com', verified: false })
    expect(await provider().exchange({ ...asked, parameters })).toMatchObject({
      email: 'nelly@example.com',
      emailVerified: false,
    })
  })

  it('is not believed with another state or verifier, or an answer of another form', async () => {
    answers({ id: '1', username: 'nelly' })
    expect(
      await reasonOf(
        provider().exchange({ ...asked, parameters: { ...parameters, state: 'other' } }),
      ),
    ).toBe('invalid')
    expect(
      await reasonOf(provider().exchange({ ...asked, codeVerifier: 'w'.repeat(43), parameters })),
    ).toBe('invalid')
    expect(await reasonOf(provider().exchange({ ...asked, parameters: { state: 's' } }))).toBe(
      'invalid',
    )
    for (const person of [
      {},
      { id: 1, username: 'nelly' },
      { id: '1; drop', username: 'nelly' },
      [],
      null,
    ]) {
      answers(person)
      expect(await reasonOf(provider().exchange({ ...asked, parameters }))).toBe('invalid')
    }
    expect(
      await reasonOf(
        provider().exchange({ ...asked, parameters: { state: 's', error: 'access_denied' } }),
      ),
    ).toBe('refused')
  })

  it('that is down or overrun is worth another try', async () => {
    answering('/api/v10/oauth2/token', '/api/v10/users/@me', { status: 429 })
    expect(await reasonOf(provider().exchange({ ...asked, parameters }))).toBe('unavailable')
    service.answer = () => ({ status: 502, body: '<html>' })
    expect(await reasonOf(provider().exchange({ ...asked, parameters }))).toBe('unavailable')
  })
})

describe('Facebook', () => {
  const provider = () =>
    facebookProvider(settings, { dialog: service.origin, graph: service.origin })
  const answers = (person: unknown) =>
    answering('/v24.0/oauth/access_token', '/v24.0/me', { body: person })

  it('is asked with PKCE, and its address counts as unverified', async () => {
    const url = await provider().authorizationUrl({ ...asked, codeChallenge: 'c', language: 'en' })
    expect(url.pathname).toBe('/v24.0/dialog/oauth')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      scope: 'public_profile email',
      state: 's',
      code_challenge: 'c',
      code_challenge_method: 'S256',
    })
    answers({ id: '10160000000000001', name: 'Ana Souza', email: 'ana@example.com' })
    expect(await provider().exchange({ ...asked, parameters })).toEqual({
      issuer: 'https://www.facebook.com',
      subject: '10160000000000001',
      email: 'ana@example.com',
      emailVerified: false,
      displayName: 'Ana Souza',
    })
    const question = service.asked.find(({ path }) => path === '/v24.0/me')
    expect(Object.fromEntries(question?.query ?? [])).toEqual({
      fields: 'id,name,email',
      appsecret_proof: createHmac('sha256', 'hidden').update('the-token').digest('hex'),
    })
  })

  it('may tell no address', async () => {
    answers({ id: '2', name: 'Ana' })
    expect(await provider().exchange({ ...asked, parameters })).toMatchObject({
      email: '',
      displayName: 'Ana',
    })
  })

  it('that refuses the code in its own way is told from one that is silent', async () => {
    service.answer = () => ({
      status: 400,
      body: {
        error: {
          message: 'This authorization code has been used.',
          type: 'OAuthException',
          code: 100,
        },
      },
    })
    expect(await reasonOf(provider().exchange({ ...asked, parameters }))).toBe('invalid')
    expect(
      await reasonOf(
        provider().exchange({
          ...asked,
          parameters: { state: 's', error: 'access_denied', error_reason: 'user_denied' },
        }),
      ),
    ).toBe('refused')
  })
})
