import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readBody } from '#platform/http/body.ts'
import type { Way } from './books.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
  readonly way?: Way
}

/** `null`: the connection breaks and nothing was done. */
export type Protocol = (asked: Asked) => Promise<Reply | null> | Reply | null

export interface Port {
  readonly origin: string
  readonly close: () => void
}

const BODY_MAX = 256 * 1024
const GIGABYTE = 1024 ** 3

/** One supplier on a loopback port of its own. */
export async function openPort(port: number, slowMs: number, protocol: Protocol): Promise<Port> {
  const server = createServer((req, res) => {
    void readBody(req, BODY_MAX)
      .then(async (bytes) => {
        const url = new URL(req.url ?? '/', 'http://sandbox.invalid')
        const reply = await protocol({
          method: req.method ?? '',
          path: url.pathname,
          query: url.searchParams,
          headers: req.headers,
          text: bytes.toString('utf8'),
        })
        if (reply === null) res.destroy()
        else send(res, reply, slowMs)
      })
      .catch((error: unknown) => {
        process.stderr.write(
          `supply sandbox: ${error instanceof Error ? error.stack : String(error)}\n`,
        )
        res.destroy()
      })
  })
  await listen(server, port)
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}

function send(
  res: ServerResponse,
  { status, headers, body, way = 'whole' }: Reply,
  slowMs: number,
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const head = (code: number) =>
    res.writeHead(code, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...headers,
    })
  if (way === 'broken') return void res.destroy()
  if (way === 'slow') return void setTimeout(() => head(status).end(text), slowMs).unref()
  if (way === 'fault') return void head(500).end('<html><h1>500 Internal Server Error</h1></html>')
  if (way === 'garbage')
    return void head(status).end(`${text.slice(0, text.length / 2)}\u0000\u202e"`)
  head(status)
  if (way === 'drip') return drip(res, text)
  if (way === 'endless') return flood(res)
  res.end(text)
}

function drip(res: ServerResponse, text: string): void {
  let at = 0
  const timer = setInterval(() => res.write(text[at++] ?? ' '), 1_000)
  res.once('close', () => clearInterval(timer))
}

function flood(res: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  let left = GIGABYTE
  const more = () => {
    while (left > 0 && !res.destroyed) {
      left -= chunk.length
      if (!res.write(chunk)) return void res.once('drain', more)
    }
    res.end()
  }
  more()
}
