import {
  Provider,
  interactionPolicy,
  type Account,
  type Configuration,
  type JWK,
} from 'oidc-provider'
import type { SigningKeys } from './kept-keys.ts'
import { memoryAdapter } from './memory-adapter.ts'
import { PAGE_HEADERS, problemPage } from './page.ts'
import type { People } from './people.ts'

/** Below the shop's address. */
export const PATH = '/sandbox/identity'
export const INTERACTION_PATH = `${PATH}/interaction`
export const CLIENT_ID = 'lukado'

const MINUTE = 60

export interface ProviderOptions {
  /** Of the shop; the issuer is PATH below it. */
  readonly publicUrl: string
  readonly clientSecret: string
  readonly keys: SigningKeys
  readonly people: People
}

/** An OpenID provider for one client, the shop: code flow with PKCE, no registration, no consent to remember. */
export function demoProvider(options: ProviderOptions): Provider {
  const provider = new Provider(`${options.publicUrl}${PATH}`, configurationOf(options))
  // The web process stands before it and says how it was reached.
  provider.proxy = true
  return provider
}

function configurationOf({
  publicUrl,
  clientSecret,
  keys,
  people,
}: ProviderOptions): Configuration {
  return {
    adapter: memoryAdapter(),
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        client_name: new URL(publicUrl).host,
        redirect_uris: [`${publicUrl}/loading/demo`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    clientAuthMethods: ['client_secret_post'],
    clientBasedCORS: () => false,
    jwks: { keys: [keys.signing as JWK] },
    cookies: {
      keys: keys.cookies,
      names: {
        session: 'demo_id_session',
        interaction: 'demo_id_interaction',
        resume: 'demo_id_resume',
      },
      long: { path: PATH, httpOnly: true, sameSite: 'lax' },
      short: { path: PATH, httpOnly: true, sameSite: 'lax' },
    },
    scopes: ['openid', 'email', 'profile'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
    },
    ttl: {
      AccessToken: 5 * MINUTE,
      AuthorizationCode: MINUTE,
      Grant: 10 * MINUTE,
      IdToken: 5 * MINUTE,
      Interaction: 10 * MINUTE,
      Session: 10 * MINUTE,
    },
    interactions: {
      policy: askEveryTime(),
      url: (_ctx, interaction) => `${INTERACTION_PATH}/${interaction.uid}`,
    },
    findAccount: (_ctx, subject) => accountOf(people, subject),
    loadExistingGrant: grantEverything,
    renderError(ctx, out) {
      ctx.set(PAGE_HEADERS)
      ctx.body = problemPage(
        ctx.get('accept-language'),
        'fault',
        out.error_description ?? out.error,
      )
    },
  }
}

async function accountOf(
  people: ProviderOptions['people'],
  subject: string,
): Promise<Account | undefined> {
  const person = people.find(subject)
  if (!person) return undefined
  return {
    accountId: subject,
    claims: () => ({
      sub: subject,
      ...(person.name === '' ? {} : { name: person.name }),
      ...(person.email === '' ? {} : { email: person.email, email_verified: person.emailVerified }),
    }),
  }
}

/** The page on which a person is chosen is the consent too. */
const grantEverything: Configuration['loadExistingGrant'] = async ({ oidc }) => {
  if (!oidc.client || !oidc.session?.accountId) return undefined
  const grant = new oidc.provider.Grant({
    clientId: oidc.client.clientId,
    accountId: oidc.session.accountId,
  })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}

/** Nobody stays signed in here: who to be is a question at every visit. */
function askEveryTime(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check(
        'ask_every_time',
        'The person chooses at every visit',
        (ctx) => !ctx.oidc.result?.login,
      ),
    )
  return policy
}
