import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/**
 * A closed-loop client over plain sockets: each connection sends its next request when the last answer is complete, as wrk
 * does. It reads of an answer only the status and the length, so that it costs less than the servers it measures.
 */
export interface LoadOptions {
  readonly port: number
  /** Whole requests, sent in this order over all connections, again and again. */
  readonly requests: readonly Buffer[]
  readonly connections: number
  readonly seconds: number
  /** Where in `requests` to begin, so that rounds go on where the last one ended. */
  readonly from?: number
}

export interface LoadResult {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly count: number
  readonly bytes: number
}

const HEADER_END = Buffer.from('\r\n\r\n')
const RECEIVE_BYTES = 256 * 1024

/** Throws when any answer is not a success. */
export async function applyLoad(options: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = []
  let next = options.from ?? 0
  let bytes = 0
  const began = performance.now()
  const end = began + options.seconds * 1000
  await Promise.all(
    Array.from({ length: options.connections }, () =>
      converse(options.port, {
        nextRequest: () =>
          performance.now() < end ? options.requests[next++ % options.requests.length] : undefined,
        onAnswer: (milliseconds, length) => {
          latencies.push(milliseconds)
          bytes += length
        },
      }),
    ),
  )
  const seconds = (performance.now() - began) / 1000
  const sorted = Float64Array.from(latencies).sort()
  return {
    perSecond: sorted.length / seconds,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    max: sorted.at(-1) ?? 0,
    count: sorted.length,
    bytes,
  }
}

/** The request of a client that takes `encoding`, with further header lines ("cookie: …") when given. */
export function getRequest(
  target: string,
  encoding: 'br' | 'identity',
  headers: readonly string[] = [],
): Buffer {
  return Buffer.from(
    [
      `GET ${target} HTTP/1.1`,
      'host: 127.0.0.1',
      `accept-encoding: ${encoding}`,
      ...headers,
      '',
      '',
    ].join('\r\n'),
  )
}

export function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

interface Conversation {
  readonly nextRequest: () => Buffer | undefined
  readonly onAnswer: (milliseconds: number, bytes: number) => void
}

/** One connection, until there is nothing more to ask. */
async function converse(port: number, { nextRequest, onAnswer }: Conversation): Promise<void> {
  const connection = await openConnection(port)
  const ask = () => {
    const request = nextRequest()
    if (!request) return connection.close()
    const sent = performance.now()
    connection.send(request, (bytes) => {
      onAnswer(performance.now() - sent, bytes)
      ask()
    })
  }
  ask()
  await connection.closed
}

/** A connection that takes one request at a time. */
export interface Connection {
  readonly send: (request: Buffer, onAnswer: (bytes: number) => void) => void
  readonly close: () => void
  /** Rejects when an answer was no success or the server ended it. */
  readonly closed: Promise<void>
}

export async function openConnection(port: number): Promise<Connection> {
  let expected = 0
  let received = 0
  let answered: (bytes: number) => void = () => {}
  const socket: Socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(RECEIVE_BYTES),
      callback: (length, buffer) => take(Buffer.from(buffer.buffer, buffer.byteOffset, length)),
    },
  })
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>()
  // Whoever waits hears of it; until somebody does, it must not end the process.
  closed.catch(() => {})
  const take = (chunk: Buffer): boolean => {
    try {
      if (expected === 0) expected = answerLength(chunk)
    } catch (error) {
      reject(error as Error)
      socket.destroy()
      return false
    }
    received += chunk.length
    if (received >= expected) answered(received)
    return true
  }
  socket.once('error', reject)
  socket.once('close', () => reject(new Error('The server closed the connection')))
  await Promise.race([once(socket, 'connect'), closed])
  return {
    send(request, onAnswer) {
      expected = 0
      received = 0
      answered = onAnswer
      socket.write(request)
    },
    close() {
      resolve()
      socket.destroy()
    },
    closed,
  }
}

/** Bytes of the whole answer, read from its first chunk, which always holds the headers on loopback. */
function answerLength(chunk: Buffer): number {
  const headerEnd = chunk.indexOf(HEADER_END)
  const header = chunk.toString('latin1', 0, headerEnd)
  if (headerEnd < 0 || !header.startsWith('HTTP/1.1 200'))
    throw new Error(`Unexpected answer: ${header.slice(0, 200)}`)
  const length = /content-length: (\d+)/i.exec(header)?.[1]
  if (length === undefined) throw new Error(`Answer without length: ${header}`)
  return headerEnd + HEADER_END.length + Number(length)
}
