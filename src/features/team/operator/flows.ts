import { countStrangersTry, countTry, type CountedTry } from '#features/base/guard/commands.ts'
import type { Site } from '#features/base/authenticator/rules.ts'
import type { UsedCredential } from '#features/base/authenticator/schema.ts'
import { AppError, fieldError, isAppError } from '#kernel/error.ts'
import { ctxFor, transaction, type Ctx } from '#platform/ctx.ts'
import { hostCookieName, readCookie, writeCookie } from '#platform/http/cookies.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { assertHashingFree, verifyPassword } from '#platform/password-hash.ts'
import { securityEvent } from '#platform/security-log.ts'
import {
  actingAs,
  afterPassword,
  assertStillActive,
  assertTicketHolds,
  endOperatorSession,
  noteFreshProof,
  noteRefusedProof,
  startOperatorSession,
  takeOperatorCode,
  tryTicket,
  useUpTicket,
  type AfterPassword,
  type OperatorCtx,
} from './commands.ts'
import { judgePasskey } from './flow/passkey.ts'
import {
  findCredentials,
  findOperator,
  findOperatorSession,
  readFactors,
  waysOf,
  type FactorWay,
} from './queries.ts'
import type { OperatorSession, ProofKind } from './rules.ts'

export {
  addAuthenticator,
  addOperatorPasskey,
  askForOperatorPasskey,
  askToMakePasskey,
  beginAuthenticator,
  type Enrolling,
} from './flow/enrolment.ts'

const COOKIE = 'operator'

/** A signed-in operator as one request sees them: the context acts in their name and language. */
export interface SignedIn {
  readonly operator: OperatorCtx
  readonly session: OperatorSession
}

/** The token of the console's cookie; null without one. */
export function operatorToken(cookieHeader: string | undefined, isHttps: boolean): string | null {
  return readCookie(cookieHeader, hostCookieName(COOKIE, isHttps))
}

/** `Set-Cookie` for a session of the console: until the browser closes, for this host, and for links of no other site. */
export function operatorCookie(token: string, isHttps: boolean): string {
  return cookie(token, null, isHttps)
}

/** `Set-Cookie` that forgets it. */
export function noOperatorCookie(isHttps: boolean): string {
  return cookie('', 0, isHttps)
}

function cookie(value: string, maxAgeSeconds: number | null, isHttps: boolean): string {
  return writeCookie(hostCookieName(COOKIE, isHttps), value, {
    maxAgeSeconds,
    secure: isHttps,
    httpOnly: true,
    isStrict: true,
  })
}

/**
 * Who is signed in to the console; null for nobody. The role is the one the operator has now.
 * @param isUse false where a program asks that nobody pressed anything for: the session grows old all the same
 */
export async function operatorOfCookie(
  ctx: Ctx,
  cookieHeader: string | undefined,
  isHttps: boolean,
  isUse = true,
): Promise<SignedIn | null> {
  const token = operatorToken(cookieHeader, isHttps)
  const found = await findOperatorSession(ctx.db, ctx, token, isUse)
  if (!found) return null
  const { operator, session } = found
  const actor = `operator:${operator.name}`
  const own = ctxFor(ctx, { actor, locale: session.profile.language, currency: ctx.currency })
  return { operator: actingAs(own, operator), session }
}

interface Caller {
  readonly visitor: Visitor
  /** Token of the cookie that the caller came with: its session ends. */
  readonly replaces: string | null
}

export type SignInStep =
  | { readonly step: 'signed_in'; readonly token: string }
  | { readonly step: 'factor'; readonly ticket: string; readonly ways: readonly FactorWay[] }
  /** There is no factor yet, and one is required: it is made with the ticket. */
  | { readonly step: 'enrol'; readonly ticket: string }

/**
 * The first half of signing in: name or e-mail address, and password. Whether there is such an operator shows in nothing: the same
 * refusal, the same work, the same pauses. Throws `sign_in_failed` or `too_many_requests`.
 */
export async function startSignIn(
  ctx: Ctx,
  wanted: Caller & {
    readonly account: string
    readonly password: string
    /** False in a demo. */
    readonly isFactorRequired: boolean
  },
): Promise<SignInStep> {
  const typed = wanted.account.trim().toLowerCase()
  assertHashingFree()
  const found = await findCredentials(ctx.db, typed)
  const counted = await countStrangersTry(ctx, { kind: 'operator', text: typed }, wanted.visitor)
  const isRight = await judged(counted, () =>
    verifyPassword(found?.passwordHash ?? null, wanted.password),
  )
  if (!found?.isActive || !isRight) {
    if (found) await noteRefusedProof(ctx, found.operator.name, 'password')
    else securityEvent(ctx.log, 'operator.refused', { operator: 'unknown', how: 'password' })
    if (counted.beginsPause) securityEvent(ctx.log, 'sign_in.paused', { how: 'operator' })
    throw new AppError('sign_in_failed')
  }
  const next: AfterPassword = await afterPassword(ctx, found, wanted)
  if (next.step === 'signed_in') return next
  if (next.step === 'enrol') return { step: 'enrol', ticket: next.ticket }
  const ways = waysOf(await readFactors(ctx.db, found.operator.id))
  return { step: 'factor', ticket: next.ticket, ways }
}

/** A right one, and one that nobody had the time to judge, is taken back from what was counted. */
async function judged(counted: CountedTry, judge: () => Promise<boolean>): Promise<boolean> {
  try {
    const isRight = await judge()
    if (isRight) await counted.forgive()
    return isRight
  } catch (error) {
    await counted.forgive()
    throw error
  }
}

/** A code of the app or a recovery code, or what a passkey signed. */
export type ShownProof =
  | { readonly code: string }
  | { readonly credential: UsedCredential; readonly site: Site }

/**
 * The second half of signing in: the ticket that the password earned, and a factor. Throws `ticket_expired`, `check_fields` with
 * `code_wrong`, `passkey_failed`, or `too_many_requests`. @returns the token of the session
 */
export async function proveFactor(
  ctx: Ctx,
  wanted: Caller & { readonly ticket: string; readonly proof: ShownProof },
): Promise<string> {
  const { proof, visitor, replaces } = wanted
  const ticket = await tryTicket(ctx, 'factor', wanted.ticket)
  const typed = { kind: 'operator', text: `factor ${ticket.operatorId}` } as const
  const counted = await countStrangersTry(ctx, typed, visitor)
  try {
    const signed =
      'credential' in proof ? await judgePasskey(ctx, proof, 'sign_in', ticket.operatorId) : null
    const token = await transaction(ctx, async (tx) => {
      const operator = await assertTicketHolds(tx, ticket)
      const factor =
        'code' in proof
          ? await takeOperatorCode(tx, ctx, operator.id, proof.code, 'any')
          : 'passkey'
      await signed?.note(tx)
      await useUpTicket(tx, ctx, ticket.id)
      return startOperatorSession(tx, ctx, { operator, visitor, factor, replaces })
    })
    await counted.forgive()
    return token
  } catch (error) {
    await noteRefusedFactor(ctx, error, ticket.operatorId)
    if (counted.beginsPause)
      securityEvent(ctx.log, 'sign_in.paused', { how: 'second factor of an operator' })
    throw error
  }
}

async function noteRefusedFactor(ctx: Ctx, error: unknown, operatorId: string): Promise<void> {
  if (!isAppError(error)) return
  const signs = await findName(ctx, operatorId)
  securityEvent(ctx.log, 'factor.refused', { operator: signs })
  await noteRefusedProof(ctx, signs, error.code === 'passkey_failed' ? 'passkey' : 'factor')
}

async function findName(ctx: Ctx, operatorId: string): Promise<string> {
  return (await findOperator(ctx.db, operatorId))?.name ?? 'unknown'
}

/** Signing in with a passkey alone: the device and the finger or PIN are two factors in one. Throws `ticket_expired` or `passkey_failed`. @returns the token */
export async function signInWithPasskey(
  ctx: Ctx,
  wanted: Caller & { readonly credential: UsedCredential; readonly site: Site },
): Promise<string> {
  const { visitor, replaces } = wanted
  const { operator, note } = await judgePasskey(ctx, wanted, 'sign_in', null).catch(
    (error: unknown) => {
      securityEvent(ctx.log, 'operator.refused', { operator: 'unknown', how: 'passkey' })
      throw error
    },
  )
  return transaction(ctx, async (tx) => {
    await note(tx)
    await assertStillActive(tx, operator.id)
    return startOperatorSession(tx, ctx, { operator, visitor, factor: 'passkey', replaces })
  })
}

/**
 * Proves for ten minutes and one kind of thing that whoever sits there is still the operator: by a passkey or a code of the app, never a
 * recovery code; by the password where there is no factor, as in a demo. The session goes on under a new token. Throws `check_fields`
 * with `code_wrong` or `password_wrong`, `passkey_failed`, or `too_many_requests`. @returns the token
 */
export async function freshProof(
  { operator: ctx, session }: SignedIn,
  kind: ProofKind,
  proof: ShownProof | { readonly password: string },
): Promise<string> {
  const { id, name } = ctx.operator
  const counted = await countTry(ctx, { sessionId: session.id })
  try {
    const ways = waysOf(await readFactors(ctx.db, id))
    if ('password' in proof) await provePassword(ctx, proof.password, ways)
    const signed = 'credential' in proof ? await judgePasskey(ctx, proof, 'proof', id) : null
    const token = await transaction(ctx, async (tx) => {
      if ('code' in proof) await takeOperatorCode(tx, ctx, id, proof.code, 'time')
      await signed?.note(tx)
      return noteFreshProof(tx, ctx, session.id, kind)
    })
    await counted.forgive()
    return token
  } catch (error) {
    if (isAppError(error)) {
      securityEvent(ctx.log, 'proof.refused', { operator: name, reason: error.code })
      await noteRefusedProof(ctx, name, 'password' in proof ? 'password' : 'factor')
    }
    throw error
  }
}

async function provePassword(
  ctx: OperatorCtx,
  password: string,
  ways: readonly FactorWay[],
): Promise<void> {
  const found = ways.length === 0 ? await findCredentials(ctx.db, ctx.operator.name) : null
  if (!(await verifyPassword(found?.passwordHash ?? null, password)))
    throw fieldError('password', 'password_wrong')
}

export async function signOut({ operator, session }: SignedIn): Promise<void> {
  await endOperatorSession(operator, session.id)
}
