import { beforeEach, describe, expect, it } from 'vitest'
import { createAccount } from '#features/people/account/commands.ts'
import { findPerson } from '#features/people/session/queries.ts'
import { issueVerification } from '#features/people/verification/commands.ts'
import { isAppError } from '#kernel/error.ts'
import { readConfig } from '#platform/config.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { oidcProvider } from '#providers/identity/oidc/oidc.ts'
import { offeredProviders } from '#providers/identity/offered.ts'
import type { IdentityProvider } from '#providers/identity/provider.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { signInAtDemoId, useDemoId } from '../../../../test/support/demo-id.ts'
import { unlinkIdentity } from './commands.ts'
import {
  beginSignIn,
  bindTicket,
  finishSignIn,
  readTicket,
  registerThird,
  type Answer,
} from './flows.ts'
import { exportIdentity, findByIdentity, listIdentities } from './queries.ts'
import type { Intent } from './rules.ts'

const database = useDatabase()
const demo = useDemoId()
const visitor = {
  address: '203.0.113.9',
  network: '203.0.113.0/24',
  userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
}

let ctx: Ctx
let provider: IdentityProvider
beforeEach(async () => {
  ctx = { ...database.ctx, actor: 'visitor', locale: 'de' }
  await ctx.db.deleteFrom('linked_identity').execute()
  const config = readConfig({
    DEMO: '1',
    PUBLIC_URL: demo.publicUrl,
    SANDBOX_IDENTITY_SECRET: demo.clientSecret,
    SANDBOX_PORTS: `identity:${demo.port}`,
  })
  const providers = await offeredProviders(config, () => new Date())
  provider = providers.get('demo') as IdentityProvider
})

let made = 0
async function newAccount(email = `person${(made += 1)}@example.com`): Promise<string> {
  return transaction(ctx, (tx) =>
    createAccount(tx, ctx, { email, userName: null, passwordHash: null, language: 'de' }),
  )
}

interface Journey {
  readonly person?: string
  readonly form?: Record<string, string>
  readonly intent?: Intent
  readonly accountId?: string | null
  readonly redirect?: string
}

/** Up to the landing page: what the browser holds and what the provider sent. */
async function goThere({
  person = 'demo-ada',
  form,
  intent = 'sign_in',
  accountId = null,
  redirect = '/user',
}: Journey = {}): Promise<Answer> {
  const begun = await beginSignIn(ctx, {
    provider,
    publicUrl: demo.publicUrl,
    intent,
    accountId,
    redirect,
    binding: null,
  })
  const parameters = await signInAtDemoId(new URL(begun.url), form ?? { person })
  return {
    provider,
    publicUrl: demo.publicUrl,
    parameters,
    binding: begun.binding,
    accountId,
    visitor,
    replaces: null,
  }
}

async function ticketFor(journey: Journey): Promise<{ ticket: string; binding: string | null }> {
  const answer = await goThere(journey)
  const outcome = await finishSignIn(ctx, answer)
  if (outcome.is !== 'not_bound') throw new Error(`expected a ticket, not ${outcome.is}`)
  return { ticket: outcome.ticket, binding: answer.binding }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no refusal',
    (error: unknown) => {
      if (!isAppError(error)) throw error
      return [error.code, ...error.fields.map(({ field, reason }) => `${field} ${reason}`)].join(
        ' ',
      )
    },
  )
}

const link = (accountId: string, journey: Journey = {}) =>
  goThere({ ...journey, intent: 'link', accountId }).then((answer) => finishSignIn(ctx, answer))

describe('somebody who comes from another service', () => {
  it('gets a ticket with what the service said, registers with it, and signs in the next time', async () => {
    const answer = await goThere({ redirect: '/cards/steam-us?page=2' })
    const outcome = await finishSignIn(ctx, answer)
    expect(outcome).toMatchObject({
      is: 'not_bound',
      redirect: '/de/cards/steam-us?page=2',
      identity: { subject: 'demo-ada', email: 'ada@demo-id.example', emailVerified: true },
    })
    const { ticket } = outcome as { ticket: string }
    const session = await registerThird(ctx, {
      ticket,
      binding: answer.binding,
      visitor,
      replaces: null,
    })
    const person = await findPerson(ctx.db, ctx, { cookie: session.token, handle: null })
    expect(person).toMatchObject({
      email: 'ada@demo-id.example',
      nickname: 'Ada Sample',
      hasPassword: false,
      language: 'de',
    })
    expect(await listIdentities(ctx.db, person?.accountId ?? '')).toMatchObject([
      { platform: 'demo', displayName: 'Ada Sample' },
    ])

    const again = await finishSignIn(ctx, await goThere())
    const cookie = again.is === 'signed_in' ? again.session.token : ''
    const returned = await findPerson(ctx.db, ctx, { cookie, handle: null })
    expect(returned?.accountId).toBe(person?.accountId)
    expect(returned?.provedAt).toEqual(new Date(0))
    expect(await exportIdentity(ctx.db, person?.accountId ?? '')).toMatchObject([
      { platform: 'demo', issuer: `${demo.publicUrl}/sandbox/identity`, subject: 'demo-ada' },
    ])
  })

  it('never enters an account by its address, and may connect by signing in', async () => {
    const owner = await newAccount('bilal@demo-id.example')
    const held = await ticketFor({ person: 'demo-bilal' })
    expect(await codeOf(registerThird(ctx, { ...held, visitor, replaces: null }))).toBe(
      'email_taken',
    )
    expect((await readTicket(ctx, held))?.identity.subject).toBe('demo-bilal')
    await bindTicket(ctx, { ...held, accountId: owner })
    expect(
      await findByIdentity(ctx.db, {
        issuer: `${demo.publicUrl}/sandbox/identity`,
        subject: 'demo-bilal',
      }),
    ).toBe(owner)
    expect(await codeOf(bindTicket(ctx, { ...held, accountId: owner }))).toBe('ticket_expired')
  })

  it('must prove an address of their own when the service has verified none', async () => {
    const unverified = await ticketFor({ person: 'demo-chiyo' })
    const none = await ticketFor({ person: 'demo-dara' })
    expect(await codeOf(registerThird(ctx, { ...unverified, visitor, replaces: null }))).toBe(
      'check_fields email required',
    )
    expect(
      await codeOf(registerThird(ctx, { ...none, email: 'nobody', visitor, replaces: null })),
    ).toBe('check_fields email email_format')
    expect(
      await codeOf(
        registerThird(ctx, {
          ...unverified,
          email: 'chiyo@demo-id.example',
          visitor,
          replaces: null,
        }),
      ),
    ).toBe('check_fields code required')
    const { code } = await transaction(ctx, (tx) =>
      issueVerification(tx, ctx, {
        purpose: 'register',
        accountId: null,
        target: 'own@example.com',
        withCode: true,
        withSecret: false,
      }),
    )
    const wrong = code === '000000' ? '000001' : '000000'
    expect(
      await codeOf(
        registerThird(ctx, {
          ...none,
          email: 'own@example.com',
          code: wrong,
          visitor,
          replaces: null,
        }),
      ),
    ).toBe('check_fields code code_wrong')
    const session = await registerThird(ctx, {
      ...none,
      email: 'Own@Example.com',
      ...(code ? { code } : {}),
      visitor,
      replaces: null,
    })
    expect((await findPerson(ctx.db, ctx, { cookie: session.token, handle: null }))?.email).toBe(
      'own@example.com',
    )
  })

  it('finds the way back only to pages of the shop', async () => {
    for (const redirect of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/api/user/logout',
      '/login?redirect=/user',
      '',
    ]) {
      expect(
        await finishSignIn(ctx, await goThere({ person: 'demo-dara', redirect })),
      ).toMatchObject({ redirect: '/de/' })
    }
  })

  it('hears a plain refusal while the account is being cancelled, and its owner gets the undo link', async () => {
    const owner = await newAccount()
    await link(owner)
    const now = ctx.now()
    await ctx.db
      .updateTable('account')
      .set({ status: 'cancelling', cancel_requested_at: now, erase_at: now })
      .where('id', '=', owner)
      .execute()
    expect(await codeOf(goThere().then((answer) => finishSignIn(ctx, answer)))).toBe(
      'sign_in_failed',
    )
    const mails = await ctx.db
      .selectFrom('outgoing_mail')
      .select('kind')
      .where('account_id', '=', owner)
      .orderBy('created_at')
      .execute()
    expect(mails.map(({ kind }) => kind)).toEqual(['identity_linked', 'sign_in_while_cancelling'])
  })

  it('is asked for the second factor of an account that has one', async () => {
    const owner = await newAccount()
    await link(owner)
    await ctx.db
      .insertInto('second_factor')
      .values({ account_id: owner, sealed_seed: Buffer.from('sealed'), confirmed_at: ctx.now() })
      .execute()
    expect(await codeOf(goThere().then((answer) => finishSignIn(ctx, answer)))).toBe(
      'second_factor_needed',
    )
  })
})

describe('an answer from another service', () => {
  it('is good once, for the browser and the service it was begun with', async () => {
    const answer = await goThere()
    const stranger = await beginSignIn(ctx, {
      provider,
      publicUrl: demo.publicUrl,
      intent: 'sign_in',
      accountId: null,
      redirect: '/',
      binding: null,
    })
    expect(await codeOf(finishSignIn(ctx, { ...answer, binding: stranger.binding }))).toBe(
      'ticket_expired',
    )
    expect(await codeOf(finishSignIn(ctx, { ...answer, binding: null }))).toBe('ticket_expired')
    expect(
      await codeOf(finishSignIn(ctx, { ...answer, provider: { ...provider, platform: 'google' } })),
    ).toBe('ticket_expired')
    expect(
      await codeOf(
        finishSignIn(ctx, { ...answer, parameters: { ...answer.parameters, state: 'x' } }),
      ),
    ).toBe('ticket_expired')
    expect((await finishSignIn(ctx, answer)).is).toBe('not_bound')
    expect(await codeOf(finishSignIn(ctx, answer))).toBe('ticket_expired')
  })

  it('with a code redeemed before proves nothing under a new state', async () => {
    const first = await goThere()
    await finishSignIn(ctx, first)
    const second = await goThere()
    const replayed = {
      ...second,
      parameters: { ...second.parameters, code: first.parameters.code ?? '' },
    }
    expect(await codeOf(finishSignIn(ctx, replayed))).toBe('identity_failed')
  })

  it('carried into another sign-in of the same browser proves nothing: its nonce and verifier are others', async () => {
    const stolen = await goThere({ person: 'demo-bilal' })
    const own = await goThere()
    const injected = {
      ...own,
      parameters: { ...own.parameters, code: stolen.parameters.code ?? '' },
    }
    expect(await codeOf(finishSignIn(ctx, injected))).toBe('identity_failed')
  })

  it('expires after ten minutes', async () => {
    const answer = await goThere()
    const later: Ctx = { ...ctx, now: () => new Date(Date.now() + 10 * 60_000 + 1_000) }
    expect(await codeOf(finishSignIn(later, answer))).toBe('ticket_expired')
  })

  it('carried a hundred times at once gives one success', async () => {
    const answer = await goThere()
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () => codeOf(finishSignIn(ctx, answer))),
    )
    expect(outcomes.filter((code) => code === 'no refusal')).toHaveLength(1)
    expect(outcomes.filter((code) => code === 'ticket_expired')).toHaveLength(99)
  })

  it('that the person refused leads back without a trace', async () => {
    expect(
      await codeOf(
        goThere({ form: { decision: 'refuse' } }).then((answer) => finishSignIn(ctx, answer)),
      ),
    ).toBe('identity_failed')
  })

  it('leaves no secret readable in the database', async () => {
    const held = await ticketFor({
      form: { person: 'other', email: 'canary@example.com', name: 'Canary' },
    })
    const rows = JSON.stringify(await ctx.db.selectFrom('verification').selectAll().execute())
    for (const canary of [
      'canary@example.com',
      'Canary',
      held.ticket,
      held.binding ?? '',
      'codeVerifier',
      'nonce',
    ])
      expect(rows).not.toContain(canary)
  })
})

describe('a ticket', () => {
  it('is worth nothing in another browser, or after ten minutes', async () => {
    const owner = await newAccount()
    const held = await ticketFor({})
    const elsewhere = { ticket: held.ticket, binding: (await ticketFor({})).binding }
    expect(await readTicket(ctx, elsewhere)).toBeNull()
    expect(await codeOf(bindTicket(ctx, { ...elsewhere, accountId: owner }))).toBe('ticket_expired')
    expect(await codeOf(registerThird(ctx, { ...elsewhere, visitor, replaces: null }))).toBe(
      'ticket_expired',
    )
    expect(
      await readTicket({ ...ctx, now: () => new Date(Date.now() + 10 * 60_000 + 1_000) }, held),
    ).toBeNull()
  })

  it('used a hundred times at once makes one account', async () => {
    const held = await ticketFor({
      form: { person: 'other', email: 'once@example.com', name: '', verified: '1' },
    })
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () =>
        codeOf(registerThird(ctx, { ...held, visitor, replaces: null })),
      ),
    )
    expect(outcomes.filter((code) => code === 'no refusal')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(
      new Set([
        'no refusal',
        ...outcomes.filter((code) => code === 'ticket_expired' || code === 'email_taken'),
      ]),
    )
    expect(
      await ctx.db
        .selectFrom('account')
        .select('id')
        .where('email', '=', 'once@example.com')
        .execute(),
    ).toHaveLength(1)
  })
})

describe('linking', () => {
  it('tells the owner, and again changes nothing', async () => {
    const owner = await newAccount()
    expect(await link(owner)).toMatchObject({ is: 'linked', redirect: '/de/user' })
    await link(owner)
    expect(await listIdentities(ctx.db, owner)).toHaveLength(1)
    const mails = await ctx.db
      .selectFrom('outgoing_mail')
      .select(['kind', 'params'])
      .where('account_id', '=', owner)
      .execute()
    expect(mails).toEqual([{ kind: 'identity_linked', params: { service: 'Demo ID' } }])
    const notices = await ctx.db
      .selectFrom('notice')
      .select('kind')
      .where('account_id', '=', owner)
      .orderBy('id')
      .execute()
    expect(notices.map(({ kind }) => kind)).toEqual(['welcome', 'identity_linked'])
  })

  it('refuses what is linked to another account, and a second identity of the same service', async () => {
    const [owner, other] = [await newAccount(), await newAccount()]
    await link(owner)
    expect(await codeOf(link(other))).toBe('identity_taken')
    expect(await codeOf(link(owner, { person: 'demo-bilal' }))).toBe('identity_failed')
    expect(await listIdentities(ctx.db, other)).toEqual([])
  })

  it('is for whoever began it, still signed in', async () => {
    const [owner, other] = [await newAccount(), await newAccount()]
    const answer = await goThere({ intent: 'link', accountId: owner })
    expect(await codeOf(finishSignIn(ctx, { ...answer, accountId: other }))).toBe('unauthorised')
    const signedOut = await goThere({ intent: 'link', accountId: owner })
    expect(await codeOf(finishSignIn(ctx, { ...signedOut, accountId: null }))).toBe('unauthorised')
  })

  it('lets go of all but the last way in', async () => {
    const owner = await newAccount()
    const unlink = () =>
      transaction(ctx, (tx) => unlinkIdentity(tx, ctx, { accountId: owner, service: provider }))
    expect(await codeOf(unlink())).toBe('not_found')
    await link(owner)
    expect(await codeOf(unlink())).toBe('last_way_in')
    const passkey = {
      id: ctx.newId(),
      public_id: 'A'.repeat(22),
      account_id: owner,
      credential_id: Buffer.from('id'),
      public_key: Buffer.from('key'),
      counter: '0',
      name: 'Phone',
      is_backed_up: false,
      created_at: ctx.now(),
    }
    await ctx.db.insertInto('passkey').values(passkey).execute()
    await unlink()
    expect(await listIdentities(ctx.db, owner)).toEqual([])
    const mails = await ctx.db
      .selectFrom('outgoing_mail')
      .select('kind')
      .where('account_id', '=', owner)
      .orderBy('created_at')
      .execute()
    expect(mails.map(({ kind }) => kind)).toEqual(['identity_linked', 'identity_unlinked'])
  })
})

describe('a second issuer', () => {
  it('with the address and the subject of somebody else does not enter their account', async () => {
    const owner = await newAccount('ada@demo-id.example.org')
    await link(owner)
    const forger: IdentityProvider = {
      ...oidcProvider({
        platform: 'oidc',
        name: 'Other',
        issuer: 'https://other.example',
        clientId: 'x',
        clientSecret: 'y',
      }),
      authorizationUrl: async ({ state }) => new URL(`https://other.example/?state=${state}`),
      exchange: async () => ({
        issuer: 'https://other.example',
        subject: 'demo-ada',
        email: 'ada@demo-id.example.org',
        emailVerified: true,
        displayName: 'Ada',
      }),
    }
    const begun = await beginSignIn(ctx, {
      provider: forger,
      publicUrl: demo.publicUrl,
      intent: 'sign_in',
      accountId: null,
      redirect: '/',
      binding: null,
    })
    const state = new URL(begun.url).searchParams.get('state') ?? ''
    const outcome = await finishSignIn(ctx, {
      provider: forger,
      publicUrl: demo.publicUrl,
      parameters: { state, code: 'c' },
      binding: begun.binding,
      accountId: null,
      visitor,
      replaces: null,
    })
    if (outcome.is !== 'not_bound') throw new Error('the forger got in')
    expect(
      await codeOf(
        registerThird(ctx, {
          ticket: outcome.ticket,
          binding: begun.binding,
          visitor,
          replaces: null,
        }),
      ),
    ).toBe('email_taken')
    expect(
      await findByIdentity(ctx.db, { issuer: 'https://other.example', subject: 'demo-ada' }),
    ).toBeNull()
  })
})
