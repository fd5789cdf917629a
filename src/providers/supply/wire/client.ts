import { AsyncLocalStorage } from 'node:async_hooks'
import { request as plainRequest, type IncomingMessage } from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { requestHeaders } from '#platform/request-scope.ts'
import { readJson } from './json.ts'

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text as it is, fields as a form, anything else as JSON. */
  readonly body?: string | URLSearchParams | object
}

export type Exchange =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: IncomingMessage['headers']
      readonly text: string
      /** Numbers are texts; undefined for what is no JSON. */
      readonly json: unknown
    }
  /** No connection was made: the supplier knows nothing of it. */
  | { readonly kind: 'not_sent'; readonly why: string }
  /** Whether the supplier did it is open. */
  | { readonly kind: 'broken'; readonly why: string }

export interface ClientOptions {
  /** From the beginning to the last byte of the answer. */
  readonly timeoutMs: number
  readonly maxBytes?: number
  /** Finds and checks addresses; the connection is made to what it gives. */
  readonly lookup?: LookupFunction
}

export type SupplyClient = (call: Call) => Promise<Exchange>

const watching = new AsyncLocalStorage<Exchange[]>()

/** What suppliers answered while something was done, beside what came of it. */
export async function watched<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly exchanges: readonly Exchange[] }> {
  const exchanges: Exchange[] = []
  return { result: await watching.run(exchanges, work), exchanges }
}

const MAX_BYTES = 1024 * 1024

/**
 * One call, one connection, at most once: nothing is sent again by itself, no redirect is followed, and neither an endless nor a slow
 * answer holds anybody longer than the time given.
 */
export function openSupplyClient({
  timeoutMs,
  maxBytes = MAX_BYTES,
  lookup,
}: ClientOptions): SupplyClient {
  return ({ method, url, headers = {}, body }) =>
    new Promise((resolve) => {
      const address = new URL(url)
      const heard = watching.getStore()
      const isTls = address.protocol === 'https:'
      const { type, bytes } = bodyOf(body)
      let isConnected = false
      const req = (isTls ? tlsRequest : plainRequest)(address, {
        method,
        agent: false,
        ...(lookup ? { lookup } : {}),
        headers: {
          accept: 'application/json',
          ...(type === null ? {} : { 'content-type': type, 'content-length': bytes.length }),
          ...headers,
          ...requestHeaders(),
          connection: 'close',
        },
      })
      const timer = setTimeout(() => end('no whole answer in time'), timeoutMs)
      const finish = (exchange: Exchange) => {
        clearTimeout(timer)
        heard?.push(exchange)
        resolve(exchange)
        req.destroy()
      }
      const end = (why: string) => finish({ kind: isConnected ? 'broken' : 'not_sent', why })
      req.once('socket', (socket) =>
        socket.once(isTls ? 'secureConnect' : 'connect', () => {
          isConnected = true
        }),
      )
      req.on('error', (error) => end(reasonOf(error)))
      req.once('response', (answer) => void readAnswer(answer, maxBytes).then(finish))
      req.end(bytes)
    })
}

async function readAnswer(answer: IncomingMessage, maxBytes: number): Promise<Exchange> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) return { kind: 'broken', why: 'the answer is too large' }
      chunks.push(chunk)
    }
  } catch (error) {
    return { kind: 'broken', why: reasonOf(error) }
  }
  const text = Buffer.concat(chunks).toString('utf8')
  return {
    kind: 'answer',
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text,
    json: readJson(text),
  }
}

function bodyOf(body: Call['body']): { readonly type: string | null; readonly bytes: Buffer } {
  if (body === undefined) return { type: null, bytes: Buffer.alloc(0) }
  if (body instanceof URLSearchParams)
    return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(body.toString()) }
  return {
    type: 'application/json',
    bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  }
}

/** The code alone: messages of the system name addresses. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'the connection broke'
}
