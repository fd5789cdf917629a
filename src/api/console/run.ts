import { actingAs, noteLackingPermission, proveByToken } from '#features/team/operator/commands.ts'
import {
  noOperatorCookie,
  operatorCookie,
  operatorOfCookie,
  operatorToken,
  type SignedIn,
} from '#features/team/operator/flows.ts'
import { isProofFresh, mayDo } from '#features/team/operator/rules.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { ctxFor, type Ctx } from '#platform/ctx.ts'
import { isBusy } from '#platform/db.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { isRefusal } from '#platform/refusal.ts'
import { currentRequest } from '#platform/request-scope.ts'
import { languageOf } from '../caller.ts'
import { refusal, refusalOf, success, type Envelope } from '../envelope.ts'
import { readInput, readQuery } from '../personal/input.ts'
import { noteRefused } from '../personal/note-refused.ts'
import { accessOf, type CallAccess } from './access.ts'
import type { ConsoleCaller, ConsoleServices, IncomingBytes, OperatorCaller } from './call.ts'
import { CONSOLE_CALLS } from './calls.ts'
import { StreamedFile } from './streamed-file.ts'
import { noteCall } from './note-call.ts'

export interface ConsoleRequest {
  readonly method: 'GET' | 'POST'
  /** Below /api: "console/me". */
  readonly path: string
  readonly params: URLSearchParams
  /** Body of a POST, or how to read it once it is known that the caller may send one. */
  readonly readBody?: () => Promise<unknown>
  /** The same body where a call takes it as a file, a piece at a time. */
  readonly file?: IncomingBytes
  readonly cookieHeader: string | undefined
  readonly authorization?: string | undefined
  readonly visitor: Visitor
}

export interface ConsoleAnswer {
  readonly status: number
  readonly envelope: Envelope
  /** `Set-Cookie` values. */
  readonly cookies: readonly string[]
  readonly retryAfter?: number
  /** Goes out instead of the envelope. */
  readonly file?: StreamedFile
}

export interface ConsoleOptions {
  readonly ctx: Ctx
  readonly services: ConsoleServices
}

export interface ConsoleCalls {
  /** The method a path takes; null where no call is there. */
  readonly methodOf: (path: string) => 'GET' | 'POST' | null
  /** Makes a call, and says whatever is wrong in its answer: it never throws. */
  readonly run: (request: ConsoleRequest) => Promise<ConsoleAnswer>
}

/** After so long whoever was in the way is done. */
const BUSY_SECONDS = 3

/** A call as the dispatcher sees it: what its shape makes of the input is what its own `answer` takes. */
type AnyCall = (typeof CONSOLE_CALLS)[number] & {
  readonly takesFile?: true
  readonly answer: (caller: never, body: never) => Promise<unknown>
}

const calls = new Map<string, AnyCall>(CONSOLE_CALLS.map((call) => [call.path, call as AnyCall]))
const BEARER = /^Bearer +(lukado-operator-[A-Za-z0-9_-]{43})$/

export function createConsoleCalls(options: ConsoleOptions): ConsoleCalls {
  return {
    methodOf: (path) => accessOf(path)?.method ?? null,
    run: (request) => run(options, request),
  }
}

/** Who calls: somebody with a session, somebody by a token, or nobody. */
interface Identified {
  readonly signedIn: SignedIn | null
  readonly ctx: SignedIn['operator'] | null
  readonly byToken: boolean
}

async function run(options: ConsoleOptions, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { ctx } = options
  const cookies: string[] = []
  let who: Identified = { signedIn: null, ctx: null, byToken: false }
  let language = languageOf(request.params)
  try {
    const call = calls.get(request.path)
    const access = accessOf(request.path)
    if (!call || access?.method !== request.method) throw new AppError('not_found')
    assertNoToken(request.params)
    who = await identify(options, request, access)
    language = who.signedIn?.session.profile.language ?? language
    const caller = callerOf(options, request, language, cookies)
    takeShare(options, request, access, who)
    if (who.signedIn === null && !who.byToken && caller.cookieToken !== null) caller.keep(null)
    const data = await answerCall(options, call, access, caller, who, request)
    const t = translatorOf(language)
    if (data instanceof StreamedFile)
      return { status: 200, envelope: success({}, t), cookies, file: data }
    return { status: 200, envelope: success(data, t), cookies }
  } catch (error) {
    await note(ctx, request.path, error, who)
    return { ...failedAnswer(ctx, request.path, error, language), cookies }
  }
}

/** A token in an address is in logs and histories: the console takes none, of whatever kind. */
function assertNoToken(params: URLSearchParams): void {
  if (params.has('token'))
    throw new AppError(
      'invalid_input',
      {},
      { fields: [{ field: 'token', reason: 'unknown_field' }] },
    )
}

/** A token speaks alone where one is sent; it opens only what the table lets it. Throws 'unauthorised' for one that is worth nothing. */
async function identify(
  { ctx, services }: ConsoleOptions,
  { authorization, cookieHeader }: ConsoleRequest,
  access: CallAccess,
): Promise<Identified> {
  if (authorization === undefined) {
    const signedIn = await operatorOfCookie(
      ctx,
      cookieHeader,
      services.isHttps,
      access.byItself !== true,
    )
    return { signedIn, ctx: signedIn?.operator ?? null, byToken: false }
  }
  const token = BEARER.exec(authorization)?.[1]
  const operator = token === undefined ? null : await proveByToken(ctx, token, false)
  if (!operator) throw new AppError('unauthorised')
  if (!access.byToken) throw new AppError('forbidden')
  const actor = `operator:${operator.name}`
  const own = ctxFor(ctx, { actor, locale: ctx.locale, currency: ctx.currency })
  return { signedIn: null, ctx: actingAs(own, operator), byToken: true }
}

function callerOf(
  { ctx, services }: ConsoleOptions,
  request: ConsoleRequest,
  language: LanguageCode,
  cookies: string[],
): ConsoleCaller {
  const { isHttps } = services
  return {
    ctx: ctxFor(ctx, { actor: 'visitor', locale: language, currency: ctx.currency }),
    t: translatorOf(language),
    language,
    visitor: request.visitor,
    services,
    site: { publicUrl: services.origin, shopName: services.shopName() },
    cookieToken: operatorToken(request.cookieHeader, isHttps),
    keep: (token) =>
      void cookies.splice(
        0,
        cookies.length,
        token === null ? noOperatorCookie(isHttps) : operatorCookie(token, isHttps),
      ),
  }
}

function takeShare(
  { services }: ConsoleOptions,
  { visitor }: ConsoleRequest,
  access: CallAccess,
  who: Identified,
): void {
  const kind = access.needs === 'anyone' ? 'sign-in' : access.method === 'GET' ? 'read' : 'write'
  const seconds = services.takeShare(kind, visitor, who.ctx && `operator ${who.ctx.operator.id}`)
  if (seconds > 0) throw new AppError('too_many_requests', { seconds })
}

async function answerCall(
  options: ConsoleOptions,
  call: AnyCall,
  access: CallAccess,
  caller: ConsoleCaller,
  who: Identified,
  request: ConsoleRequest,
): Promise<unknown> {
  if (call.by === 'anyone') return call.answer(caller as never, await inputOf(call, request))
  if (!who.ctx) throw new AppError('unauthorised')
  assertPower(access, who.ctx)
  assertProof(access, who, caller.ctx.now())
  const input = await inputOf(call, request)
  // A body may take its time: who they are and what they may do is what counts once it is there.
  const now = access.method === 'POST' ? await identify(options, request, access) : who
  if (!now.ctx) throw new AppError('unauthorised')
  assertPower(access, now.ctx)
  assertProof(access, now, caller.ctx.now())
  const { ctx, signedIn } = now
  const operator: OperatorCaller = { ...caller, ctx, signedIn, file: request.file ?? null }
  const data = await call.answer(operator as never, input)
  await noteCall(ctx, call.path, access, input, data)
  return data
}

function assertPower({ needs }: CallAccess, { operator }: SignedIn['operator']): void {
  if (needs === 'anyone' || needs === 'signed-in' || mayDo(operator, needs)) return
  throw new AppError(
    'forbidden',
    { permission: needs, role: operator.role },
    { data: { permission: needs } },
  )
}

function assertProof({ proof }: CallAccess, { signedIn }: Identified, now: Date): void {
  if (proof === undefined) return
  if (!signedIn) throw new AppError('forbidden')
  if (!isProofFresh(signedIn.session, proof, now))
    throw new AppError('proof_needed', {}, { data: { kind: proof } })
}

async function inputOf(call: AnyCall, request: ConsoleRequest): Promise<never> {
  const given =
    request.method === 'GET' || call.takesFile === true
      ? readQuery(withoutLanguage(request.params))
      : await request.readBody?.()
  return readInput(call.body, given ?? {}) as never
}

/** Every call may name its language; for somebody signed in their own counts. */
function withoutLanguage(params: URLSearchParams): URLSearchParams {
  const own = new URLSearchParams(params)
  own.delete('lang')
  return own
}

/**
 * What the role does not allow is no request of another site, which 'forbidden' tells of. What a command refuses in a sentence, to whoever
 * reads a terminal, cannot be done as things are now; the sentence comes along.
 */
function inWordsOfCalls(error: unknown): unknown {
  if (isBusy(error)) return new AppError('busy', { seconds: BUSY_SECONDS }, { cause: error })
  if (isRefusal(error))
    return new AppError('changed_meanwhile', {}, { data: { why: error.message } })
  if (!isAppError(error) || error.code !== 'forbidden') return error
  const { permission, limit } = error.params
  if (permission === undefined && limit === undefined) return error
  const data = { permission: permission ?? limit, is_limit: limit !== undefined }
  return new AppError('lacks_permission', {}, { data })
}

async function note(ctx: Ctx, path: string, error: unknown, who: Identified): Promise<void> {
  const lacks =
    isAppError(error) &&
    error.code === 'forbidden' &&
    ('permission' in error.params || 'limit' in error.params)
  if (lacks && who.ctx) return noteLackingPermission(who.ctx, error.params)
  noteRefused(ctx.log, error, path, null)
}

function failedAnswer(
  ctx: Ctx,
  path: string,
  error: unknown,
  language: LanguageCode,
): Omit<ConsoleAnswer, 'cookies'> {
  const t = translatorOf(language)
  const refused = inWordsOfCalls(error)
  const known = refusalOf(refused, t)
  if (known && isAppError(refused)) {
    const seconds = refused.params['seconds']
    if (refused.code === 'busy') ctx.log.warn('call found others in its way', { call: path, error })
    return { ...known, ...(typeof seconds === 'number' ? { retryAfter: seconds } : {}) }
  }
  const id = currentRequest()?.id ?? ctx.newId()
  ctx.log.error('call failed', { id, call: path, error })
  return { status: 500, envelope: refusal('internal', t, { id }) }
}
