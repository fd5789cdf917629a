import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isAppError } from '#kernel/error.ts'
import { readConfig } from '#platform/config.ts'
import { signInAtDemoId, useDemoId } from '../../../test/support/demo-id.ts'
import { offeredProviders } from './offered.ts'
import type { IdentityProvider } from './provider.ts'

const demo = useDemoId()

async function demoProvider(): Promise<IdentityProvider> {
  const config = readConfig({
    DEMO: '1',
    PUBLIC_URL: demo.publicUrl,
    SANDBOX_IDENTITY_SECRET: demo.clientSecret,
    SANDBOX_PORTS: `identity:${demo.port}`,
  })
  const provider = (await offeredProviders(config, () => new Date())).get('demo')
  if (!provider) throw new Error('the demo offers no Demo ID')
  return provider
}

async function begin(given?: IdentityProvider) {
  const provider = given ?? (await demoProvider())
  const asked = {
    state: random(),
    nonce: random(),
    codeVerifier: random(),
    redirectUri: `${demo.publicUrl}/loading/demo`,
  }
  const codeChallenge = createHash('sha256').update(asked.codeVerifier).digest('base64url')
  return {
    provider,
    asked,
    url: await provider.authorizationUrl({ ...asked, codeChallenge, language: 'en' }),
  }
}

const random = () => randomBytes(32).toString('base64url')

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no failure',
    (error: unknown) => (isAppError(error) ? (error.data as { reason: string }).reason : error),
  )
}

describe('signing in at a real OpenID provider', () => {
  it('tells who somebody is, under the issuer and a lasting subject', async () => {
    const { provider, asked, url } = await begin()
    const parameters = await signInAtDemoId(url, { person: 'demo-ada' })
    const ada = {
      issuer: `${demo.publicUrl}/sandbox/identity`,
      subject: 'demo-ada',
      email: 'ada@demo-id.example',
      emailVerified: true,
      displayName: 'Ada Sample',
    }
    expect(await provider.exchange({ ...asked, parameters })).toEqual(ada)
  })

  it('tells of a typed person, of an unverified address and of none', async () => {
    const told = async (form: Record<string, string>) => {
      const { provider, asked, url } = await begin()
      return provider.exchange({ ...asked, parameters: await signInAtDemoId(url, form) })
    }
    const typed = await told({
      person: 'other',
      email: 'New.Person@Example.com',
      name: 'New <b>Person</b>',
      verified: '1',
    })
    expect(typed).toMatchObject({
      email: 'new.person@example.com',
      emailVerified: true,
      displayName: 'New <b>Person</b>',
    })
    expect(
      (await told({ person: 'other', email: 'new.person@example.com', name: '' })).subject,
    ).toBe(typed.subject)
    expect(await told({ person: 'demo-chiyo' })).toMatchObject({
      email: 'chiyo@demo-id.example',
      emailVerified: false,
    })
    expect(await told({ person: 'demo-dara' })).toMatchObject({ email: '', emailVerified: false })
  })

  it('says that the person refused', async () => {
    const { provider, asked, url } = await begin()
    const parameters = await signInAtDemoId(url, { decision: 'refuse' })
    expect(parameters).toMatchObject({ error: 'access_denied', state: asked.state })
    expect(await reasonOf(provider.exchange({ ...asked, parameters }))).toBe('refused')
  })

  it('refuses an answer with another state, nonce, verifier, issuer or without issuer', async () => {
    const attempt = async (
      change: Partial<Record<'state' | 'nonce' | 'codeVerifier', string>>,
      sent: Record<string, string> = {},
      dropped = '',
    ) => {
      const { provider, asked, url } = await begin()
      const parameters = { ...(await signInAtDemoId(url, { person: 'demo-ada' })), ...sent }
      delete (parameters as Record<string, string>)[dropped]
      return reasonOf(provider.exchange({ ...asked, ...change, parameters }))
    }
    expect(await attempt({ state: random() })).toBe('invalid')
    expect(await attempt({ nonce: random() })).toBe('invalid')
    expect(await attempt({ codeVerifier: random() })).toBe('invalid')
    expect(await attempt({}, { iss: 'https://evil.example' })).toBe('invalid')
    expect(await attempt({}, {}, 'iss')).toBe('invalid')
    expect(await attempt({}, { code: 'made-up' })).toBe('invalid')
  })

  it('redeems a code once', async () => {
    const { provider, asked, url } = await begin()
    const parameters = await signInAtDemoId(url, { person: 'demo-ada' })
    await provider.exchange({ ...asked, parameters })
    expect(await reasonOf(provider.exchange({ ...asked, parameters }))).toBe('invalid')
  })
})
