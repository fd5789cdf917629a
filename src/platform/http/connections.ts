import { STATUS_CODES, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { commonHeaders } from './common-headers.ts'
import { networkOf, plainAddress, type Proxies } from './visitor.ts'

/** Some 10 KB each, and below the number of files that systems let a process have open. */
export const CONNECTIONS_MAX = 8_000
const OWN_ALWAYS = 64
/** What of the free places one caller may hold at most. */
const OWN_SHARE = 1 / 4
/** Of all places; from there on connections that wait for nothing make way. */
const CROWDED_SHARE = 3 / 4
const MAKE_WAY_EVERY_MS = 1_000

/**
 * Bounds the connections of a server, and those of each caller by what is free: a crowd gets in, and however many connections one
 * address holds open, others find a place; where many addresses hold them, those that wait for nothing are closed. A proxy of the
 * shop's own brings everybody and is not counted.
 */
export function boundConnections(
  server: Server,
  proxies: Proxies,
  max: number = CONNECTIONS_MAX,
): void {
  server.maxConnections = max
  const held = new Map<string, number>()
  let total = 0
  const makeWay = atMostEvery(MAKE_WAY_EVERY_MS, () => server.closeIdleConnections())
  server.on('drop', makeWay)
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    const key = address.includes(':') ? networkOf(address) : address
    const own = held.get(key) ?? 0
    if (!proxies.has(address) && own >= Math.max(OWN_ALWAYS, (max - total) * OWN_SHARE))
      return void socket.destroy()
    held.set(key, own + 1)
    total += 1
    if (total >= max * CROWDED_SHARE) makeWay()
    socket.once('close', () => {
      total -= 1
      const left = (held.get(key) ?? 1) - 1
      if (left > 0) held.set(key, left)
      else held.delete(key)
    })
  })
}

function atMostEvery(milliseconds: number, work: () => void): () => void {
  let last = -Infinity
  return () => {
    const now = performance.now()
    if (now - last < milliseconds) return
    last = now
    work()
  }
}

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers what is no HTTP, too long a head or too slow a sender: such requests never become one that a listener sees. */
export function answerBrokenRequests(server: Server, isHttps: boolean): void {
  const headers = Object.entries(commonHeaders(isHttps)).map(([name, value]) => `${name}: ${value}`)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const status = STATUS_OF[error.code ?? ''] ?? 400
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...headers,
      'cache-control: no-store',
      'connection: close',
      'content-length: 0',
    ]
    socket.end(`${lines.join('\r\n')}\r\n\r\n`)
  })
}
