import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream'

/**
 * The proxy that the browsers go by: it brings the shop alone, notes every other host, and keeps scripts back, which is the slow net that
 * these engines' drivers cannot make.
 */
export interface Relay {
  readonly port: number
  /** From now on no script arrives. */
  readonly holdScripts: () => void
  readonly releaseScripts: () => void
  /** Addresses of other hosts that were asked for since this was asked last. */
  readonly takeForeign: () => readonly string[]
  readonly stop: () => Promise<void>
}

export async function startRelay(shopUrl: string): Promise<Relay> {
  const foreign: string[] = []
  let held = Promise.resolve()
  let release = () => {}
  const server = createServer((asked, answer) => {
    const address = asked.url ?? ''
    if (!address.startsWith(`${shopUrl}/`)) {
      foreign.push(address)
      return void answer.writeHead(502).end()
    }
    const isScript = new URL(address).pathname.endsWith('.js')
    void (isScript ? held : Promise.resolve()).then(() => bring(address, asked, answer))
  })
  server.on('connect', (asked: IncomingMessage, socket: Duplex) => {
    foreign.push(asked.url ?? '')
    socket.on('error', () => {})
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    holdScripts: () => {
      release()
      held = new Promise((resolve) => (release = resolve))
    },
    releaseScripts: () => release(),
    takeForeign: () => foreign.splice(0),
    stop: async () => {
      release()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function bring(address: string, asked: IncomingMessage, answer: ServerResponse): void {
  const { method, headers } = asked
  const forwarded = request(address, { method, headers }, (told) => {
    answer.writeHead(told.statusCode ?? 502, told.headers)
    // Whoever leaves a page leaves its answers.
    pipeline(told, answer, () => {})
  })
  forwarded.on('error', () => answer.destroy())
  answer.on('close', () => forwarded.destroy())
  asked.pipe(forwarded)
}
