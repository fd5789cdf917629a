import {
  Agent,
  request as startRequest,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { Transform } from 'node:stream'
import { systemErrorCode } from '#platform/refusal.ts'

export interface SandboxGate {
  /** Loopback ports of the sandboxes by name; none outside the demo. */
  readonly ports: Readonly<Record<string, number>>
  /** Origin of the shop. */
  readonly publicUrl: string
}

const PATH = /^\/sandbox\/([a-z]+)(?:\.json)?(?:[/?]|$)/
/** A port of a sandbox that takes mail, not requests. */
const NO_PAGES: ReadonlySet<string> = new Set(['smtp'])
const BODY_MAX_BYTES = 1024 * 1024
const ANSWER_MS = 15_000
const START_MS = 3_000
const RETRY_MS = 100
/** About one connection alone (RFC 9110 §7.6.1), or set anew below. */
const NOT_PASSED = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-prefix',
])

/**
 * Puts the demo's sandboxes under the shop's own address, `/sandbox/<name>`: each is a process of its own on a loopback
 * port. A shop without sandboxes keeps its listener as it is, and the address is not found there.
 */
export function withSandboxes(
  listener: RequestListener,
  { ports, publicUrl }: SandboxGate,
): RequestListener {
  if (Object.keys(ports).length === 0) return listener
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 20,
    maxFreeSockets: 4,
    timeout: ANSWER_MS,
  })
  return (req, res) => {
    const name = PATH.exec(req.url ?? '')?.[1]
    const port =
      name === undefined || NO_PAGES.has(name) || !Object.hasOwn(ports, name)
        ? undefined
        : ports[name]
    if (port === undefined) return listener(req, res)
    const way: Way = { port, publicUrl, agent, until: performance.now() + START_MS, upstream: null }
    res.once('close', () => way.upstream?.destroy())
    forward(req, res, way)
  }
}

interface Way {
  readonly port: number
  readonly publicUrl: string
  readonly agent: Agent
  /** A sandbox that is just being started is waited for until then. */
  readonly until: number
  upstream: ClientRequest | null
}

function forward(req: IncomingMessage, res: ServerResponse, way: Way): void {
  const { port, publicUrl, agent } = way
  if (Number(req.headers['content-length'] ?? 0) > BODY_MAX_BYTES)
    return fail(req, res, 413, 'That is too large for a sandbox.')
  const upstream = startRequest({
    host: '127.0.0.1',
    port,
    agent,
    method: req.method ?? 'GET',
    path: req.url ?? '/',
    timeout: ANSWER_MS,
    headers: headersFor(req, publicUrl),
  })
  way.upstream = upstream
  upstream.once('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, answerHeaders(answer.headers))
    answer.once('error', () => res.destroy())
    answer.pipe(res)
  })
  upstream.once('timeout', () => upstream.destroy(new Error('no answer')))
  upstream.on('error', (error) => {
    if (
      systemErrorCode(error) === 'ECONNREFUSED' &&
      isBodiless(req) &&
      !res.destroyed &&
      performance.now() < way.until
    )
      setTimeout(() => forward(req, res, way), RETRY_MS)
    else
      fail(
        req,
        res,
        502,
        'This sandbox is not running at the moment. It is started again by itself; try in a few seconds.',
      )
  })
  if (isBodiless(req)) return void upstream.end()
  const body = req.pipe(bounded(BODY_MAX_BYTES))
  body.once('error', () => {
    upstream.destroy()
    fail(req, res, 413, 'That is too large for a sandbox.')
  })
  body.pipe(upstream)
}

function isBodiless({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

function headersFor(req: IncomingMessage, publicUrl: string): OutgoingHttpHeaders {
  const { host, protocol } = new URL(publicUrl)
  return {
    ...Object.fromEntries(Object.entries(req.headers).filter(([name]) => !NOT_PASSED.has(name))),
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': req.socket.remoteAddress ?? '',
  }
}

function answerHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED.has(name)))
}

function bounded(most: number): Transform {
  let seen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length
      if (seen > most) done(new Error('too large'))
      else done(null, chunk)
    },
  })
}

function fail(req: IncomingMessage, res: ServerResponse, status: number, sentence: string): void {
  if (res.headersSent || res.destroyed) return void res.destroy()
  const body = `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">\n<title>Sandbox</title>\n</head>\n<body>\n<h1>Sandbox</h1>\n<p>${sentence}</p>\n</body>\n</html>\n`
  res.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    connection: 'close',
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}
