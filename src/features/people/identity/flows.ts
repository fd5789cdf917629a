import type { z } from 'zod'
import {
  createAccount,
  noteShut,
  openSession,
  secondFactorNeeded,
} from '#features/people/account/commands.ts'
import { findAccount, findAccountById } from '#features/people/account/queries.ts'
import { emailOf, FIELD, isUserName } from '#features/people/account/rules.ts'
import { hasSecondFactor } from '#features/people/factor/queries.ts'
import type { SessionSecrets } from '#features/people/session/rules.ts'
import { readDevice } from '#features/people/device/rules.ts'
import {
  checkCode,
  consumeCode,
  consumeSecret,
  issueVerification,
} from '#features/people/verification/commands.ts'
import { peekSecret } from '#features/people/verification/queries.ts'
import type { Verification } from '#features/people/verification/rules.ts'
import { AppError, fieldError, isAppError } from '#kernel/error.ts'
import { getLanguage } from '#kernel/language.ts'
import { ownPath } from '#kernel/own-path.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { newSecret, sha256 } from '#platform/secrets.ts'
import { securityEvent } from '#platform/security-log.ts'
import type { IdentityProvider } from '#providers/identity/provider.ts'
import { insertIdentity, linkIdentity } from './commands.ts'
import { findByIdentity } from './queries.ts'
import {
  landingPath,
  SIGN_IN_LIFE_MS,
  TICKET_LIFE_MS,
  type AnswerParameter,
  type Intent,
  type OfferedService,
  type ReportedIdentity,
} from './rules.ts'
import { askedSecrets, pendingBind, pendingSignIn, reportedIdentity } from './schema.ts'

/** What the shop offers, by platform, in the order of the buttons. */
export type IdentityProviders = ReadonlyMap<string, IdentityProvider>

const ASKED = 'sign in elsewhere'
const TOLD = 'identity to bind'
const BINDING = /^[A-Za-z0-9_-]{43}$/

export interface Beginning {
  readonly provider: IdentityProvider
  /** Origin of the shop. */
  readonly publicUrl: string
  readonly intent: Intent
  /** Whose account is to be linked; null for signing in. */
  readonly accountId: string | null
  /** Where to go afterwards; anything but a page of the shop means its front page. */
  readonly redirect: string
  /** Value of the browser's BINDING_COOKIE, if it has one. */
  readonly binding: string | null
}

/** @returns where to send the browser, and what its BINDING_COOKIE must hold when it comes back. */
export async function beginSignIn(
  ctx: Ctx,
  wanted: Beginning,
): Promise<{ readonly url: string; readonly binding: string }> {
  const { provider, publicUrl, intent } = wanted
  const binding =
    wanted.binding !== null && BINDING.test(wanted.binding) ? wanted.binding : newSecret(ctx)
  const secrets = { nonce: newSecret(ctx), codeVerifier: newSecret(ctx) }
  const data: z.infer<typeof pendingSignIn> = {
    platform: provider.platform,
    intent,
    binding: digest(binding),
    redirect: ownPath(wanted.redirect, publicUrl) ?? '/',
    language: ctx.locale,
    sealed: seal(ctx, ASKED, secrets),
  }
  const { secret: state } = await transaction(ctx, (tx) =>
    issueVerification(tx, ctx, {
      purpose: 'sign_in_elsewhere',
      accountId: wanted.accountId,
      target: '',
      withCode: false,
      withSecret: true,
      data,
      ttl: SIGN_IN_LIFE_MS,
    }),
  )
  const url = await provider.authorizationUrl({
    state: state ?? '',
    nonce: secrets.nonce,
    codeChallenge: digest(secrets.codeVerifier),
    redirectUri: publicUrl + landingPath(provider.platform),
    language: getLanguage(ctx.locale).tag,
  })
  return { url: url.href, binding }
}

export interface Answer {
  readonly provider: IdentityProvider
  readonly publicUrl: string
  /** As the provider sent them to the landing page. */
  readonly parameters: Readonly<Partial<Record<AnswerParameter, string>>>
  readonly binding: string | null
  /** Who is signed in in this browser; linking needs the one who began. */
  readonly accountId: string | null
  readonly visitor: Visitor
  /** Id of the session the caller came with. */
  readonly replaces: string | null
}

/** What came of a sign-in elsewhere. `redirect` is a path with its language. */
export type Outcome =
  | { readonly is: 'signed_in'; readonly session: SessionSecrets; readonly redirect: string }
  | { readonly is: 'linked'; readonly redirect: string }
  | {
      readonly is: 'not_bound'
      readonly ticket: string
      readonly identity: ReportedIdentity
      readonly redirect: string
    }

/**
 * Finishes what `beginSignIn` began, once. Throws `ticket_expired` when this browser began no such sign-in or has finished it,
 * `identity_failed` when the provider's answer is no proof, `sign_in_failed` for an account that is not active,
 * `second_factor_needed` with a ticket, `identity_taken` or `unauthorised` when linking.
 */
export async function finishSignIn(ctx: Ctx, answer: Answer): Promise<Outcome> {
  const { provider } = answer
  const { pending, accountId } = await takePending(ctx, answer)
  const asked = askedSecrets.parse(unseal(ctx, ASKED, pending.sealed))
  const identity = await exchange(ctx, answer, asked)
  const redirect = getLanguage(pending.language).prefix + pending.redirect
  if (pending.intent === 'link') {
    if (accountId === null || answer.accountId !== accountId) throw new AppError('unauthorised')
    await transaction(ctx, (tx) =>
      linkIdentity(tx, ctx, { accountId, service: provider, identity }),
    )
    return { is: 'linked', redirect }
  }
  const known = await findByIdentity(ctx.db, identity)
  if (known === null)
    return {
      is: 'not_bound',
      ticket: await issueTicket(ctx, answer, identity, redirect),
      identity,
      redirect,
    }
  return { is: 'signed_in', session: await signIn(ctx, known, answer), redirect }
}

async function exchange(
  ctx: Ctx,
  { provider, parameters, publicUrl }: Answer,
  asked: z.infer<typeof askedSecrets>,
): Promise<ReportedIdentity> {
  try {
    return await provider.exchange({
      ...asked,
      parameters: definedOf(parameters),
      state: parameters.state ?? '',
      redirectUri: publicUrl + landingPath(provider.platform),
    })
  } catch (error) {
    // The cause may hold the answer itself: only what it says of itself is written down.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : 'unknown'
    securityEvent(ctx.log, 'sign_in.failed', { how: provider.platform, reason })
    throw error
  }
}

/** The sign-in under way that the answer belongs to, used up. */
async function takePending(
  ctx: Ctx,
  { provider, parameters, binding }: Answer,
): Promise<{ readonly pending: z.infer<typeof pendingSignIn>; readonly accountId: string | null }> {
  const query = { purpose: 'sign_in_elsewhere', secret: parameters.state ?? '' } as const
  const row = await peekSecret(ctx.db, ctx, query)
  const pending = row ? pendingSignIn.parse(row.data) : null
  // Looked at first, so that whoever learns a state can't use it up in the place of the one who began.
  if (
    !row ||
    !pending ||
    pending.platform !== provider.platform ||
    !isBound(pending.binding, binding)
  )
    throw new AppError('ticket_expired')
  await expiredAsTicket(() => transaction(ctx, (tx) => consumeSecret(tx, ctx, query)))
  return { pending, accountId: row.accountId }
}

async function signIn(
  ctx: Ctx,
  accountId: string,
  { visitor, replaces }: Answer,
): Promise<SessionSecrets> {
  const account = await findAccountById(ctx.db, accountId)
  if (account?.status !== 'active') {
    await noteShut(ctx, accountId, account)
    throw new AppError('sign_in_failed')
  }
  if (await hasSecondFactor(ctx.db, accountId)) {
    securityEvent(ctx.log, 'sign_in.second_step', { account: accountId })
    throw await transaction(ctx, (tx) => secondFactorNeeded(tx, ctx, accountId))
  }
  // The other service may only have remembered the browser: nobody has proven anything to the shop just now.
  return transaction(ctx, (tx) =>
    openSession(tx, ctx, { accountId, visitor, replaces, proved: false }),
  )
}

async function issueTicket(
  ctx: Ctx,
  { provider, binding }: Answer,
  identity: ReportedIdentity,
  redirect: string,
): Promise<string> {
  const data: z.infer<typeof pendingBind> = {
    platform: provider.platform,
    name: provider.name,
    binding: digest(binding ?? ''),
    redirect,
    sealed: seal(ctx, TOLD, identity),
  }
  const { secret } = await transaction(ctx, (tx) =>
    issueVerification(tx, ctx, {
      purpose: 'bind',
      accountId: null,
      target: '',
      withCode: false,
      withSecret: true,
      data,
      ttl: TICKET_LIFE_MS,
    }),
  )
  return secret ?? ''
}

export interface Ticket {
  readonly ticket: string
  /** Value of the browser's BINDING_COOKIE. */
  readonly binding: string | null
}

/** What a ticket stands for. */
export interface OpenTicket {
  readonly service: OfferedService
  readonly identity: ReportedIdentity
  readonly redirect: string
}

/** For the page that asks what to do with an identity unknown here. Null when the ticket has expired, was used or is another browser's. */
export async function readTicket(
  ctx: Ctx,
  { ticket, binding }: Ticket,
): Promise<OpenTicket | null> {
  const row = await peekSecret(ctx.db, ctx, { purpose: 'bind', secret: ticket })
  const pending = row ? pendingBind.parse(row.data) : null
  return pending && isBound(pending.binding, binding) ? opened(ctx, pending) : null
}

/** Links the identity of a ticket to the account somebody has just signed in to. Throws `ticket_expired`, and as `linkIdentity` does. */
export async function bindTicket(
  ctx: Ctx,
  wanted: Ticket & { readonly accountId: string },
): Promise<OpenTicket> {
  const open = await assertTicket(ctx, wanted)
  await expiredAsTicket(() =>
    transaction(ctx, async (tx) => {
      await consumeTicket(tx, ctx, wanted)
      await linkIdentity(tx, ctx, { accountId: wanted.accountId, ...open })
    }),
  )
  return open
}

export interface ThirdRegistration extends Ticket {
  /** For who comes without a verified address, or wants another one: with the code mailed to it (type `register`). */
  readonly email?: string | undefined
  readonly code?: string | undefined
  /** One is made up where none is given. */
  readonly userName?: string | undefined
  readonly visitor: Visitor
  readonly replaces: string | null
}

/**
 * Makes an account without a password for the identity of a ticket, and signs it in. Throws `ticket_expired`, `email_taken` (the
 * ticket stays good for signing in to that account), `identity_taken`, and `check_fields`: `email` and `code` are required
 * where the service told no verified address.
 */
export async function registerThird(ctx: Ctx, wanted: ThirdRegistration): Promise<SessionSecrets> {
  const open = await assertTicket(ctx, wanted)
  const { identity, service } = open
  const userName = wanted.userName?.trim() || null
  if (userName !== null && !isUserName(userName)) throw fieldError(FIELD.userName, 'user_name_rule')
  const proven = await provenAddress(ctx, wanted, identity)
  if (await findAccount(ctx.db, { kind: 'email', text: proven.email }))
    throw new AppError('email_taken')
  return expiredAsTicket(() =>
    transaction(ctx, async (tx) => {
      await consumeTicket(tx, ctx, wanted)
      await proven.use(tx)
      const accountId = await createAccount(tx, ctx, {
        email: proven.email,
        userName,
        nickname: identity.displayName || null,
        passwordHash: null,
        language: ctx.locale,
      })
      await insertIdentity(tx, ctx, { accountId, service, identity })
      return openSession(tx, ctx, {
        accountId,
        visitor: wanted.visitor,
        replaces: wanted.replaces,
        proved: false,
      })
    }),
  )
}

/** An address that is theirs for certain: by the code mailed to it, or by the word of the service. */
async function provenAddress(
  ctx: Ctx,
  wanted: ThirdRegistration,
  identity: ReportedIdentity,
): Promise<{ readonly email: string; readonly use: (tx: Tx) => Promise<unknown> }> {
  const told = identity.emailVerified ? emailOf(identity.email) : null
  if (!wanted.email) {
    if (told !== null) return { email: told, use: async () => undefined }
    throw fieldError(FIELD.email, 'required')
  }
  const email = emailOf(wanted.email)
  if (email === null) throw fieldError(FIELD.email, 'email_format')
  if (email === told) return { email, use: async () => undefined }
  if (!wanted.code) throw fieldError(FIELD.code, 'required')
  const { device, network } = wanted.visitor
  const checked = await checkCode(
    ctx,
    { purpose: 'register', target: email, accountId: null, code: wanted.code },
    { device: readDevice(device)?.id ?? null, network },
  )
  return { email, use: (tx) => consumeCode(tx, ctx, checked) }
}

async function assertTicket(ctx: Ctx, ticket: Ticket): Promise<OpenTicket> {
  const open = await readTicket(ctx, ticket)
  if (!open) throw new AppError('ticket_expired')
  return open
}

function consumeTicket(tx: Tx, ctx: Ctx, { ticket }: Ticket): Promise<Verification> {
  return consumeSecret(tx, ctx, { purpose: 'bind', secret: ticket })
}

function opened(ctx: Ctx, pending: z.infer<typeof pendingBind>): OpenTicket {
  return {
    service: { platform: pending.platform, name: pending.name },
    identity: reportedIdentity.parse(unseal(ctx, TOLD, pending.sealed)),
    redirect: pending.redirect,
  }
}

async function expiredAsTicket<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isAppError(error) && error.code === 'link_expired'
      ? new AppError('ticket_expired')
      : error
  }
}

/** A hash compared with a hash: how long the comparison takes says nothing about the value. */
function isBound(kept: string, binding: string | null): boolean {
  return binding !== null && BINDING.test(binding) && kept === digest(binding)
}

function digest(text: string): string {
  return sha256(text).toString('base64url')
}

function seal(ctx: Ctx, purpose: string, value: unknown): string {
  return ctx.keys.seal(purpose, Buffer.from(JSON.stringify(value))).toString('base64url')
}

function unseal(ctx: Ctx, purpose: string, sealed: string): unknown {
  return JSON.parse(ctx.keys.open(purpose, Buffer.from(sealed, 'base64url')).toString('utf8'))
}

function definedOf(
  parameters: Readonly<Partial<Record<AnswerParameter, string>>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined))
}
