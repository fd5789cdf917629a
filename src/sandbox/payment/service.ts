import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { z } from 'zod'
import { BodyTooLarge, readBody } from '#platform/http/body.ts'
import { openBook, type Book, type No, type Session } from './book.ts'
import { openJournal } from './journal.ts'
import { createNotices, faultsShape, type Notices } from './notices.ts'
import { decide, isOutcome } from './outcomes.ts'
import { pageHeaders, paymentPage, problemPage, type Lack } from './page.ts'

/** Below the shop's address. */
const PATH = '/sandbox/payment'
const BODY_MAX = 16 * 1024
const LIST_MAX = 500
const TICK_MS = 1_000

export interface ServiceOptions {
  /** On 127.0.0.1; 0 for any. */
  readonly port: number
  /** Where payers are sent: the shop's address. */
  readonly publicUrl: string
  /** Where notices go: the shop as it is reached on this machine. */
  readonly shopUrl: string
  /** Where its memory is kept. */
  readonly folder: string
  /** Shared with the shop: its requests carry it, notices are signed with it. */
  readonly secret: string
}

export interface PaymentService {
  readonly server: Server
  readonly stop: () => Promise<void>
}

interface Parts {
  readonly book: Book
  readonly notices: Notices
  readonly publicUrl: string
  readonly authorization: Buffer
}

type Answer =
  | { readonly status: number; readonly body: unknown }
  | { readonly html: string; readonly status: number; readonly returnUrl: string | null }
  | { readonly location: string }
  | 'none'

const no = (status: number, code: string): Answer => ({ status, body: { error: code } })
const isNo = (value: object): value is No => 'no' in value

/** A payment service of its own: what it was told it knows after a restart, and it knows nothing of the shop's database. */
export async function startService(options: ServiceOptions): Promise<PaymentService> {
  const { publicUrl, secret, shopUrl } = options
  const notices = createNotices({
    target: `${shopUrl}/api/webhook/sandbox`,
    secret,
    onTaken: (id) => book.closeEvent(id),
  })
  const book = openBook(openJournal(join(options.folder, 'journal.ndjson')), (event) =>
    notices.send(event),
  )
  const parts: Parts = { book, notices, publicUrl, authorization: Buffer.from(`Bearer ${secret}`) }
  const server = createServer(
    { keepAliveTimeout: 65_000, requestTimeout: 30_000 },
    (req, res) => void answer(parts, req, res),
  )
  const settle = setInterval(() => {
    for (const session of book.due(Date.now()))
      void book.change(session, {
        status: 'captured',
        settles_at: null,
        captured: { amount: session.amount, currency: session.currency },
      })
  }, TICK_MS)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  return {
    server,
    async stop() {
      clearInterval(settle)
      notices.stop()
      server.close()
      server.closeAllConnections()
      await book.stop()
    },
  }
}

async function answer(parts: Parts, req: IncomingMessage, res: ServerResponse): Promise<void> {
  try {
    reply(req, res, await route(parts, req))
  } catch (error) {
    if (
      error instanceof z.ZodError ||
      error instanceof SyntaxError ||
      error instanceof BodyTooLarge
    )
      return reply(req, res, no(422, 'invalid'))
    process.stderr.write(
      `payment sandbox: ${error instanceof Error ? error.stack : String(error)}\n`,
    )
    reply(req, res, no(500, 'internal'))
  }
}

function reply(req: IncomingMessage, res: ServerResponse, told: Answer): void {
  if (res.headersSent || res.destroyed) return
  if (told === 'none') return void req.socket.destroy()
  if ('location' in told)
    return void res
      .writeHead(303, { location: told.location, 'cache-control': 'no-store', 'content-length': 0 })
      .end()
  const body = 'html' in told ? told.html : JSON.stringify(told.body)
  const headers =
    'html' in told
      ? pageHeaders(told.returnUrl)
      : {
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        }
  res.writeHead(told.status, { ...headers, 'content-length': Buffer.byteLength(body) })
  res.end(req.method === 'HEAD' ? undefined : body)
}

async function route(parts: Parts, req: IncomingMessage): Promise<Answer> {
  const url = new URL(req.url ?? '/', 'http://sandbox.invalid')
  const [first = '', id = '', action = '', ...rest] = url.pathname.startsWith(`${PATH}/`)
    ? url.pathname.slice(PATH.length + 1).split('/')
    : []
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  if (rest.length > 0 || (!isRead && req.method !== 'POST'))
    return no(isRead ? 404 : 405, 'not_found')
  if (first === 'faults' && id === '') {
    if (!isRead) parts.notices.setFaults(faultsShape.parse(JSON.parse(await readText(req))))
    return { status: 200, body: { ...parts.notices.faults(), sent: parts.notices.sent() } }
  }
  if (first === 'sessions' && action === 'decide' && !isRead)
    return decideByScript(parts, id, await readText(req))
  if (first === 'balance' && id === '' && isRead)
    return isOurs(req.headers.authorization, parts.authorization)
      ? { status: 200, body: { available: parts.book.balance() } }
      : no(401, 'unauthorised')
  if (first === 'sessions' || first === 'refunds')
    return callOfShop(parts, req, { first, id, action, query: url.searchParams })
  return hostedPage(parts, req, first, isRead)
}

// ---- for scripts that play the payer, without a secret

async function decideByScript({ book }: Parts, id: string, body: string): Promise<Answer> {
  const session = book.find(id)
  if (!session) return no(404, 'not_found')
  const { outcome } = z.strictObject({ outcome: z.string() }).parse(JSON.parse(body))
  if (outcome === 'refund_fails') {
    const refund = await book.failRefund(session)
    return isNo(refund) ? no(409, refund.no) : { status: 200, body: refund }
  }
  if (!isOutcome(outcome)) return no(422, 'unknown_outcome')
  const changes = decide(session, outcome, Date.now())
  if (isNo(changes)) return no(409, changes.no)
  const next = await book.change(session, changes)
  return {
    status: 200,
    body: { ...viewOf(next, ''), challenge: next.challenge, return_url: next.return_url },
  }
}

// ---- for the shop

const reference = z.string().min(1).max(100)
const amount = z.string().regex(/^[1-9][0-9]{0,29}$/)
const currency = z.string().regex(/^[A-Z]{3,5}$/)
const newSession = z.strictObject({
  our_reference: reference,
  amount,
  currency,
  order_number: z.string().max(100),
  return_url: z.url({ protocol: /^https?$/ }).max(2_000),
  locale: z.string().max(35),
  method: z.string().max(60),
})
const newRefund = z.strictObject({ our_reference: reference, amount, currency })

interface ShopCall {
  readonly first: string
  readonly id: string
  readonly action: string
  readonly query: URLSearchParams
}

async function callOfShop(parts: Parts, req: IncomingMessage, call: ShopCall): Promise<Answer> {
  const { book, notices, publicUrl } = parts
  if (!isOurs(req.headers.authorization, parts.authorization)) return no(401, 'unauthorised')
  if (notices.strikes('lost_requests')) return 'none'
  const isAnswerLost = notices.strikes('lost_answers')
  const told = await work()
  return isAnswerLost ? 'none' : told

  async function work(): Promise<Answer> {
    const { first, id, action, query } = call
    if (first === 'refunds') {
      const refund = book.findRefund(id)
      return refund && req.method === 'GET' ? { status: 200, body: refund } : no(404, 'not_found')
    }
    const body = req.method === 'POST' ? await readText(req) : ''
    if (id === '')
      return req.method === 'POST'
        ? made(await book.create(newSession.parse(JSON.parse(body))), publicUrl, 201)
        : listed(parts, query)
    const session = book.find(id)
    if (!session) return no(404, 'not_found')
    if (action === '' && req.method === 'GET') return made(session, publicUrl, 200)
    if (action === 'cancel' && req.method === 'POST') {
      return made(
        session.status === 'requires_action'
          ? await book.change(session, { status: 'voided', challenge: null })
          : session,
        publicUrl,
        200,
      )
    }
    if (action === 'refunds' && req.method === 'POST') {
      const wanted = newRefund.parse(JSON.parse(body))
      const status = notices.strikes('refund_failure')
        ? 'failed'
        : notices.strikes('refund_pending')
          ? 'pending'
          : 'succeeded'
      const refund = await book.refund(session, { ...wanted, status })
      return isNo(refund) ? no(409, refund.no) : { status: 201, body: refund }
    }
    return no(404, 'not_found')
  }
}

function made(session: Session | No, publicUrl: string, status: number): Answer {
  return isNo(session) ? no(409, session.no) : { status, body: viewOf(session, publicUrl) }
}

function viewOf(
  {
    id,
    our_reference,
    amount: asked,
    currency: askedIn,
    status,
    captured,
    disputed,
    reversed,
    failure,
    created_at,
  }: Session,
  publicUrl: string,
) {
  const isPayable = status === 'requires_action' || status === 'seen'
  return {
    id,
    our_reference,
    amount: asked,
    currency: askedIn,
    status,
    captured,
    disputed,
    reversed,
    failure,
    created_at,
    redirect_url: isPayable ? `${publicUrl}${PATH}/${id}` : null,
  }
}

function listed({ book, publicUrl }: Parts, query: URLSearchParams): Answer {
  const [since, until] = [query.get('since'), query.get('until')].map((text) =>
    Date.parse(text ?? ''),
  )
  if (since === undefined || until === undefined || Number.isNaN(since) || Number.isNaN(until))
    return no(422, 'invalid')
  const list = book.list({ since, until, after: query.get('after') ?? '', limit: LIST_MAX })
  return {
    status: 200,
    body: {
      list: list.map((session) => viewOf(session, publicUrl)),
      next: list.length === LIST_MAX ? (list.at(-1)?.id ?? null) : null,
    },
  }
}

function isOurs(given: string | undefined, wanted: Buffer): boolean {
  const bytes = Buffer.from(given ?? '')
  return bytes.length === wanted.length && timingSafeEqual(bytes, wanted)
}

// ---- for payers

async function hostedPage(
  { book }: Parts,
  req: IncomingMessage,
  id: string,
  isRead: boolean,
): Promise<Answer> {
  const form = new URLSearchParams(isRead ? '' : await readText(req))
  const session = book.find(id)
  if (!session)
    return { status: 404, html: problemPage(req.headers['accept-language'] ?? ''), returnUrl: null }
  const shown = (status: number, of: Session, lack: Lack = null): Answer => ({
    status,
    html: paymentPage(of, lack),
    returnUrl: of.return_url,
  })
  if (isRead) return shown(200, session)
  const outcome =
    form.get('outcome') ??
    (session.challenge !== null && form.get('code')?.trim() === session.challenge
      ? 'approve'
      : null)
  if (outcome === null) return shown(422, session, 'code')
  // Approving without the code while one is asked for would make the step no step.
  if (
    !isOutcome(outcome) ||
    (session.challenge !== null &&
      form.has('outcome') &&
      outcome !== 'decline' &&
      outcome !== 'abandon')
  )
    return shown(422, session)
  if (session.status !== 'requires_action') return shown(200, session)
  const changes = decide(session, outcome, Date.now())
  if (isNo(changes)) return shown(409, session)
  const next = await book.change(session, changes)
  return next.challenge === null
    ? { location: next.return_url }
    : { location: `${PATH}/${next.id}` }
}

async function readText(req: IncomingMessage): Promise<string> {
  return (await readBody(req, BODY_MAX)).toString('utf8')
}
