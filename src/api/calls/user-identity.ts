import { z } from 'zod'
import { takeAccountChange } from '#features/base/limit/commands.ts'
import { unlinkIdentity } from '#features/people/identity/commands.ts'
import { beginSignIn, bindTicket, finishSignIn } from '#features/people/identity/flows.ts'
import { listIdentities } from '#features/people/identity/queries.ts'
import {
  ANSWER_PARAMETERS,
  BINDING_COOKIE,
  BINDING_SECONDS,
  type Intent,
  type OfferedService,
} from '#features/people/identity/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import { formatDate } from '#platform/i18n/format.ts'
import { personalCall, type Caller, type SignedInCaller } from '../personal/call.ts'
import { signedIn } from './signed-in.ts'
import { signedInShape } from './user-info.ts'

const platformShape = z
  .string()
  .max(40)
  .meta({ description: 'Name of the service, of user/authorize', examples: ['google'] })
const redirectShape = z
  .string()
  .max(2_048)
  .meta({
    description: 'Page of the shop to go on to; anything else means its front page',
    examples: ['/user'],
  })
const answerShape = z.string().max(4_096)
const ticketShape = z.string().max(100).meta({ description: 'Of user/callback (2404)' })
const goThereShape = z
  .object({
    redirect_url: z.url().meta({
      description: 'Send the browser there; it comes back to /loading/{platform}',
      examples: ['https://accounts.google.com/o/oauth2/v2/auth?client_id=shop'],
    }),
  })
  .meta({ id: 'GoThere' })

export const userServices = personalCall({
  path: 'user/authorize',
  method: 'GET',
  summary: 'Other services to sign in with',
  access: 'anyone',
  limit: 'read',
  body: z.object({}),
  data: z
    .object({
      list: z.array(
        z
          .object({ platform: platformShape, name: z.string().meta({ examples: ['Google'] }) })
          .meta({ id: 'SignInService' }),
      ),
    })
    .meta({ id: 'SignInServices' }),
  example: {},
  answer: async ({ services }) => ({
    list: [...services.identityProviders.values()].map(({ platform, name }) => ({
      platform,
      name,
    })),
  }),
})

export const userAuthorize = personalCall({
  path: 'user/authorize',
  method: 'POST',
  summary: 'Begin signing in with another service',
  description: 'Good for ten minutes, once, in the browser that asked.',
  access: 'anyone',
  limit: 'sign-in',
  body: z.strictObject({ platform: platformShape, redirect: redirectShape.optional() }),
  data: goThereShape,
  example: { platform: 'google', redirect: '/user' },
  isSecretAnswer: true,
  answer: (caller, { platform, redirect }) => goThere(caller, 'sign_in', platform, redirect ?? '/'),
})

async function goThere(
  { ctx, services, person, cookies }: Caller,
  intent: Intent,
  platform: string,
  redirect: string,
): Promise<z.input<typeof goThereShape>> {
  const accountId = intent === 'link' ? (person?.accountId ?? null) : null
  const { url, binding } = await beginSignIn(ctx, {
    provider: providerOf(services, platform),
    publicUrl: services.publicUrl,
    intent,
    accountId,
    redirect,
    binding: cookies.read(BINDING_COOKIE),
  })
  cookies.keep(BINDING_COOKIE, binding, BINDING_SECONDS)
  return { redirect_url: url }
}

function providerOf({ identityProviders }: Caller['services'], platform: string) {
  const provider = identityProviders.get(platform)
  if (!provider) throw new AppError('not_found')
  return provider
}

export const userCallback = personalCall({
  path: 'user/callback',
  method: 'POST',
  summary: 'Finish signing in with another service',
  description:
    'Takes what the service sent to /loading/{platform}. 1: signed in, or linked. 2404: the identity has no account here; `data` is `{ticket, platform, name, email, email_verified, display_name, redirect}`: sign in and link it (user/link), or register with it (user/register, type `third`). 2401: this sign-in was finished already, has expired, or began in another browser. 2405: the account asks for a second factor.',
  access: 'anyone',
  limit: 'sign-in',
  body: z.strictObject({
    platform: platformShape,
    ...(Object.fromEntries(
      ANSWER_PARAMETERS.map((name) => [name, answerShape.optional()]),
    ) as Record<(typeof ANSWER_PARAMETERS)[number], z.ZodOptional<z.ZodString>>),
  }),
  data: z
    .object({
      ...signedInShape.partial().shape,
      is: z.enum(['signed_in', 'linked']),
      redirect: z.string().meta({
        description: 'Path with its language, as asked for at the beginning',
        examples: ['/de/user'],
      }),
    })
    .meta({ id: 'SignedInElsewhere' }),
  example: {
    platform: 'google',
    code: '4/0Ab…',
    state: 'j3kqTt0Yb1nq4p8T2cVx9sKd3LwAj3kqTt0Yb1nq4p8',
  },
  isSecretAnswer: true,
  async answer(caller, { platform, ...parameters }) {
    const { ctx, services, person, visitor, cookies } = caller
    const provider = providerOf(services, platform)
    const binding = cookies.read(BINDING_COOKIE)
    const outcome = await finishSignIn(ctx, {
      provider,
      publicUrl: services.publicUrl,
      parameters: definedOf(parameters),
      binding,
      visitor,
      accountId: person?.via === 'cookie' ? person.accountId : null,
      replaces: person?.sessionId ?? null,
    })
    if (outcome.is === 'linked') return { is: 'linked' as const, redirect: outcome.redirect }
    if (outcome.is === 'signed_in')
      return {
        is: 'signed_in' as const,
        redirect: outcome.redirect,
        ...(await signedIn(caller, outcome.session, 'service')),
      }
    if (binding !== null) cookies.keep(BINDING_COOKIE, binding, BINDING_SECONDS)
    const { identity, ticket, redirect } = outcome
    throw new AppError(
      'not_bound',
      {},
      {
        data: {
          ticket,
          platform,
          name: provider.name,
          email: identity.email,
          email_verified: identity.emailVerified,
          display_name: identity.displayName,
          redirect,
        },
      },
    )
  },
})

function definedOf(
  parameters: Readonly<Partial<Record<string, string | undefined>>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}

const linksShape = z
  .object({
    list: z.array(
      z
        .object({
          platform: platformShape,
          name: z.string().meta({ examples: ['Google'] }),
          linked: z.boolean(),
          offered: z.boolean().meta({
            description: 'False for a service that was linked and that the shop no longer offers',
          }),
          display_name: z.string().meta({
            description: 'How the person is called there; may be empty',
            examples: ['Rizky'],
          }),
          linked_text: z.string().meta({
            description: 'In the language of the call; empty while not linked',
            examples: ['20 November 2026'],
          }),
        })
        .meta({ id: 'LinkedService' }),
    ),
  })
  .meta({ id: 'LinkedServices' })

async function linksOf({
  ctx,
  language,
  services,
  person,
}: SignedInCaller): Promise<z.input<typeof linksShape>> {
  const linked = new Map(
    (await listIdentities(ctx.db, person.accountId)).map((identity) => [
      identity.platform,
      identity,
    ]),
  )
  const platforms = new Set([...services.identityProviders.keys(), ...linked.keys()])
  return {
    list: [...platforms].map((platform) => {
      const identity = linked.get(platform)
      return {
        ...serviceOf(services, platform),
        linked: identity !== undefined,
        offered: services.identityProviders.has(platform),
        display_name: identity?.displayName ?? '',
        linked_text: identity
          ? formatDate(language.code, identity.linkedAt, services.timeZone)
          : '',
      }
    }),
  }
}

/** One no longer offered is called by its platform. */
function serviceOf({ identityProviders }: Caller['services'], platform: string): OfferedService {
  return { platform, name: identityProviders.get(platform)?.name ?? platform }
}

export const userLinks = personalCall({
  path: 'user/link',
  method: 'GET',
  summary: 'Services linked to the account, and those that can be',
  access: 'signed-in',
  limit: 'read',
  body: z.object({}),
  data: linksShape,
  example: {},
  answer: linksOf,
})

export const userLink = personalCall({
  path: 'user/link',
  method: 'POST',
  summary: 'Link another service',
  description:
    '`platform` begins it: send the browser to `redirect_url`. `ticket`, of a sign-in that had no account here, links that identity at once; `redirect_url` is then the page to go on to.',
  access: 'fresh',
  limit: 'sign-in',
  body: z
    .strictObject({
      platform: platformShape.optional(),
      redirect: redirectShape.optional(),
      ticket: ticketShape.optional(),
    })
    .refine(({ platform, ticket }) => (platform === undefined) !== (ticket === undefined)),
  data: goThereShape,
  example: { platform: 'google', redirect: '/user/link' },
  isSecretAnswer: true,
  async answer(caller, { platform, redirect, ticket }) {
    const { ctx, services, person, cookies } = caller
    if (platform !== undefined) return goThere(caller, 'link', platform, redirect ?? '/user/link')
    const bound = await bindTicket(ctx, {
      ticket: ticket ?? '',
      binding: cookies.read(BINDING_COOKIE),
      accountId: person.accountId,
    })
    return { redirect_url: services.publicUrl + bound.redirect }
  },
})

export const userUnlink = personalCall({
  path: 'user/unlink',
  method: 'POST',
  summary: 'Unlink a service',
  description: 'Never the last way to sign in (2408). Answers the list.',
  access: 'fresh',
  limit: 'write',
  body: z.strictObject({ platform: platformShape }),
  data: linksShape,
  example: { platform: 'google' },
  async answer(caller, { platform }) {
    const { ctx, services, person } = caller
    await takeAccountChange(ctx, person.accountId)
    await transaction(ctx, (tx) =>
      unlinkIdentity(tx, ctx, {
        accountId: person.accountId,
        service: serviceOf(services, platform),
      }),
    )
    return linksOf(caller)
  },
})
