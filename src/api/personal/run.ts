import { checkProof, prove, type GivenProof } from '#features/people/account/flows.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import {
  assertClaimed,
  claimKey,
  saveAnswer,
  releaseKey,
  type Claim,
} from '#features/base/idempotency/commands.ts'
import { DEVICE_COOKIE } from '#features/people/device/rules.ts'
import { findPerson } from '#features/people/session/queries.ts'
import { isFresh, type Person } from '#features/people/session/rules.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import { getLanguage } from '#kernel/language.ts'
import { ctxFor, type Ctx } from '#platform/ctx.ts'
import { readHostCookie } from '#platform/http/cookies.ts'
import type { LimitClass } from '#platform/http/rate-limiter.ts'
import { readSelection } from '#platform/http/selection.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { translatorOf, type Translate } from '#platform/i18n/messages.ts'
import { currentRequest } from '#platform/request-scope.ts'
import { currencyOf, languageOf } from '../caller.ts'
import { refusal, refusalOf, success, type Envelope } from '../envelope.ts'
import type { Access, AnswerFile, BodyType, Caller, SignedInCaller } from './call.ts'
import { PERSONAL_CALLS } from './calls.ts'
import { noteRefused } from './note-refused.ts'
import { createCookies, HINT_COOKIE, sessionToken } from './cookies.ts'
import { assertWholeText, readInput, readQuery } from './input.ts'
import type { Services } from './services.ts'

export interface PersonalRequest {
  readonly method: 'GET' | 'POST'
  /** Below /api: "user/login". */
  readonly path: string
  /** The query: the common parameters, and for a GET the call's own. */
  readonly params: URLSearchParams
  /** Body of a POST as it was parsed … */
  readonly body?: unknown
  /** … or how to read it, once it is known that the caller may send one, and whether files are taken. Throws AppErrors alone. */
  readonly readBody?: (takesFiles: boolean) => Promise<unknown>
  readonly cookieHeader: string | undefined
  readonly visitor: Visitor
  readonly idempotencyKey?: string | undefined
  /** A form of a page made it, without script. */
  readonly isForm?: true
}

export interface PersonalAnswer {
  readonly status: number
  readonly envelope: Envelope
  readonly cookies: readonly string[]
  /** Seconds to wait before another try; with status 429. */
  readonly retryAfter?: number
  /** Goes out in place of the envelope. */
  readonly file?: AnswerFile & { readonly type: string }
}

export interface PersonalCalls {
  /** Methods a path takes; empty when no personal call is there. */
  readonly methodsOf: (path: string) => readonly string[]
  /** Whether what is posted to a path may hold files. */
  readonly takesFiles: (path: string) => boolean
  readonly run: (request: PersonalRequest) => Promise<PersonalAnswer>
  /** Who a request's cookie stands for. */
  readonly personOf: (cookieHeader: string | undefined) => Promise<Person | null>
}

/** A call as the dispatcher sees it: what its shape makes of the input is what its own `answer` takes. */
interface AnyCall {
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly access: Access
  readonly limit: LimitClass
  readonly bodyTypes?: readonly BodyType[]
  readonly body: (typeof PERSONAL_CALLS)[number]['body']
  readonly isSecretAnswer?: boolean
  readonly needsHand?: (caller: SignedInCaller, body: never) => boolean
  readonly answer: (caller: SignedInCaller, body: never) => Promise<unknown>
  readonly file?: { readonly type: string; readonly isOnly?: true }
  readonly asFile?: (data: never, body: never) => AnswerFile | null
}

/** The handle of other clients counts only where no cookie speaks; our own pages send this word in its place. */
const OWN_PAGES_TOKEN = 'cookie'
const KEY_MAX = 200

const calls = new Map<string, AnyCall>(
  PERSONAL_CALLS.map((call) => [`${call.method} ${call.path}`, call as unknown as AnyCall]),
)
const methods = Map.groupBy([...calls.values()], (call) => call.path)

function takesFiles(call: AnyCall | undefined): boolean {
  return call?.bodyTypes?.includes('multipart/form-data') ?? false
}

interface CallOptions {
  readonly ctx: Ctx
  readonly snapshot: () => ShopSnapshot
  readonly services: Services
}

/** Makes personal calls, whatever their transport: the wire, or a form of a page posted without script. */
export function createPersonalCalls(options: CallOptions): PersonalCalls {
  return {
    methodsOf: (path) => (methods.get(path) ?? []).map((call) => call.method),
    takesFiles: (path) => takesFiles(calls.get(`POST ${path}`)),
    personOf: (cookieHeader) => findCaller(options, cookieHeader, null),
    run: (request) => run(options, request),
  }
}

async function run(options: CallOptions, request: PersonalRequest): Promise<PersonalAnswer> {
  const { ctx, services } = options
  const t = translatorOf(languageOf(request.params))
  const cookies = createCookies(request.cookieHeader, services.isHttps)
  let person: Person | null = null
  try {
    const call = calls.get(`${request.method} ${request.path}`)
    if (!call) throw new AppError('not_found')
    const shop = options.snapshot()
    person = await findCaller(options, request.cookieHeader, handleOf(request))
    const caller = callerOf(options, request, { shop, person, cookies })
    // A session that has ended is forgotten by the browser too, and so is a hint left behind: it would lead to the login page for ever.
    if (!person && bringsSession(request.cookieHeader, services.isHttps)) cookies.endSession()
    takeShare(call.limit, caller)
    const answered = await answerOnce(call, caller, await withBody(call, caller, request))
    return { ...answered, cookies: cookies.written() }
  } catch (error) {
    noteRefused(ctx.log, error, request.path, person)
    return { ...failed(ctx, error, request.path, t), cookies: cookies.written() }
  }
}

/** What other clients are known by, in place of a cookie. */
function handleOf({ params }: PersonalRequest): string | null {
  const token = params.get('token') ?? ''
  return token === '' || token === OWN_PAGES_TOKEN ? null : token
}

function findCaller(
  { ctx, services }: CallOptions,
  cookieHeader: string | undefined,
  handle: string | null,
): Promise<Person | null> {
  return findPerson(ctx.db, ctx, { cookie: sessionToken(cookieHeader, services.isHttps), handle })
}

function callerOf(
  { ctx, services }: CallOptions,
  request: PersonalRequest,
  { shop, person, cookies }: Pick<Caller, 'shop' | 'person' | 'cookies'>,
): Caller {
  const language = languageOf(request.params)
  const currency = currencyOf(request.params, shop)
  const actor = person ? `account:${person.accountId}` : 'visitor'
  return {
    ctx: ctxFor(ctx, { actor, locale: language, currency: currency.code }),
    shop,
    t: translatorOf(language),
    language: getLanguage(language),
    currency,
    visitor: withDevice(request.visitor, cookies.read(DEVICE_COOKIE)),
    person,
    cookies,
    services,
    idempotencyKey: request.idempotencyKey ?? null,
    isForm: request.isForm ?? false,
    namedCurrency: request.params.get('currency_code')?.toUpperCase() ?? null,
    chosenCountry: readSelection(request.cookieHeader).country_code ?? null,
  }
}

function bringsSession(cookieHeader: string | undefined, isHttps: boolean): boolean {
  return (
    sessionToken(cookieHeader, isHttps) !== null ||
    readHostCookie(cookieHeader, HINT_COOKIE) !== null
  )
}

function takeShare(limit: LimitClass, { visitor, person, services }: Caller): void {
  const seconds = services.takeShare(limit, visitor, person?.accountId ?? null)
  if (seconds > 0) throw new AppError('too_many_requests', { seconds })
}

function failed(
  ctx: Ctx,
  error: unknown,
  path: string,
  t: Translate,
): Omit<PersonalAnswer, 'cookies'> {
  const known = refusalOf(error, t)
  if (known && isAppError(error)) {
    const seconds = error.params['seconds']
    const isTooMany = error.code === 'too_many_requests' && typeof seconds === 'number'
    return { ...known, ...(isTooMany ? { retryAfter: seconds } : {}) }
  }
  const id = currentRequest()?.id ?? ctx.newId()
  ctx.log.error('call failed', { id, call: path, error })
  return { status: 500, envelope: refusal('internal', t, { id }) }
}

/** Not a byte of a body is read for whom the call is not: a large one would cost what nobody has to answer for. */
async function withBody(
  call: AnyCall,
  caller: Caller,
  request: PersonalRequest,
): Promise<PersonalRequest> {
  if (call.access !== 'anyone') assertSignedIn(caller)
  return request.readBody ? { ...request, body: await request.readBody(takesFiles(call)) } : request
}

function withDevice(visitor: Visitor, device: string | null): Visitor {
  return device === null ? visitor : { ...visitor, device }
}

type Answered = Pick<PersonalAnswer, 'status' | 'envelope' | 'file'>

interface Sent {
  readonly input: unknown
  readonly proof: GivenProof
}

/**
 * With an idempotency key a write of somebody signed in happens once; its repetitions hear the same answer, in their own language.
 * A refusal is not kept: nothing happened, and what it told the caller to do must work under the same key.
 */
async function answerOnce(
  call: AnyCall,
  caller: Caller,
  request: PersonalRequest,
): Promise<Answered> {
  const sent = sentBy(call, request)
  const key = request.idempotencyKey
  if (call.method === 'GET' || key === undefined || caller.person === null || call.isSecretAnswer)
    return answerNow(call, caller, sent)
  if (key === '' || key.length > KEY_MAX)
    throw new AppError(
      'invalid_input',
      {},
      { fields: [{ field: 'Idempotency-Key', reason: 'not_allowed' }] },
    )
  const currency = caller.namedCurrency ?? caller.currency.code
  const claimed = await claimKey(caller.ctx, {
    accountId: caller.person.accountId,
    key,
    call: call.path,
    currency,
    input: sent.input,
  })
  if ('answer' in claimed)
    return {
      status: claimed.status,
      envelope: { ...(claimed.answer as Envelope), msg: success(null, caller.t).msg },
    }
  const made = await answerClaimed(
    call,
    { ...caller, ctx: { ...caller.ctx, fence: (tx) => assertClaimed(tx, claimed) } },
    sent,
    claimed,
  )
  try {
    await saveAnswer(caller.ctx, claimed, { status: made.status, answer: made.envelope })
  } catch (error) {
    // It happened, and its caller is told so; a repetition waits until the claim is stale.
    caller.ctx.log.warn('an answer was not kept for its idempotency key', {
      call: call.path,
      error,
    })
  }
  return made
}

async function answerClaimed(
  call: AnyCall,
  caller: Caller,
  sent: Sent,
  claim: Claim,
): Promise<Answered> {
  try {
    return await answerNow(call, caller, sent)
  } catch (error) {
    await releaseKey(caller.ctx, claim)
    throw error
  }
}

/** An address is no place for a password: a call that is read takes its proof from the session alone. */
function sentBy(call: AnyCall, request: PersonalRequest): Sent {
  return request.method === 'GET'
    ? { input: readQuery(request.params), proof: {} }
    : splitProof(call.access, request.body === undefined ? {} : request.body)
}

async function answerNow(call: AnyCall, caller: Caller, { input, proof }: Sent): Promise<Answered> {
  const signedIn = call.access === 'anyone' ? (caller as SignedInCaller) : assertSignedIn(caller)
  const body = readInput(call.body, input)
  const access = accessTo(call, signedIn, body)
  if (access !== 'anyone') await assureProof(signedIn, access, proof)
  const data = await call.answer(signedIn, body as never)
  const made = call.asFile?.(data as never, body as never)
  const file = made && call.file ? { ...made, type: call.file.type } : undefined
  return { status: 200, envelope: success(data, caller.t), ...(file ? { file } : {}) }
}

function accessTo(call: AnyCall, caller: SignedInCaller, body: unknown): Access {
  return call.needsHand?.(caller, body as never) === false ? 'signed-in' : call.access
}

function assertSignedIn(caller: Caller): SignedInCaller {
  const { person } = caller
  if (!person) throw new AppError('unauthorised')
  return { ...caller, person }
}

/** The proof of a call that may need one is no part of its own input. */
function splitProof(access: Access, input: unknown): Sent {
  if (
    (access !== 'fresh' && access !== 'own-hand') ||
    typeof input !== 'object' ||
    input === null ||
    Array.isArray(input)
  )
    return { input, proof: {} }
  const { password, proof_code: code, ...rest } = input as Record<string, unknown>
  assertWholeText({ password, proof_code: code })
  if (
    (password !== undefined && typeof password !== 'string') ||
    (code !== undefined && typeof code !== 'string')
  )
    throw new AppError(
      'invalid_input',
      {},
      {
        fields: [
          { field: typeof password === 'string' ? 'proof_code' : 'password', reason: 'wrong_type' },
        ],
      },
    )
  return { input: rest, proof: { password: password || undefined, code: code || undefined } }
}

/** A browser's proof is remembered, under a new token; that of another client counts for this call alone. */
async function assureProof(
  { ctx, person, cookies }: SignedInCaller,
  access: Access,
  proof: GivenProof,
): Promise<void> {
  const isGiven = proof.password !== undefined || proof.code !== undefined
  if (isGiven && person.via === 'handle') return checkProof(ctx, person, proof)
  if (isGiven) return cookies.renewSession((await prove(ctx, person, proof)).token)
  if (
    access === 'fresh'
      ? !isFresh(person, ctx.now())
      : access === 'own-hand' && person.via === 'handle'
  )
    throw new AppError('proof_needed')
}
