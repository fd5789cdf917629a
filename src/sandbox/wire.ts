import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readBody } from '#platform/http/body.ts'

/**
 * What goes wrong with a call. `fault`: nothing is done, answer 500. `too_many`: nothing is done, answer 429. `lost_request`: nothing
 * is done, the connection breaks. `lost_answer`: it is done, then the connection breaks. `silent`: it is done and never answered.
 */
export type Fault = 'fault' | 'too_many' | 'lost_request' | 'lost_answer' | 'silent'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A text goes out as it is, anything else as JSON. */
  readonly body: unknown
}

export interface Wire {
  readonly origin: string
  /** Lets the next call whose method and path match ("POST /v1/refunds") fail. */
  readonly fail: (call: RegExp, fault: Fault) => void
  readonly close: () => void
}

export interface WireOptions {
  /** On 127.0.0.1; 0 for any. */
  readonly port: number
  /** What the service says when it breaks or is asked too much, kept for the same call where it keeps such. */
  readonly answer: (asked: Asked, fault: 'fault' | 'too_many' | null) => Reply | Promise<Reply>
}

const BODY_MAX = 256 * 1024

/** An HTTP service on loopback whose calls can be made to fail. */
export async function openWire({ port, answer }: WireOptions): Promise<Wire> {
  const planned: { readonly call: RegExp; readonly fault: Fault }[] = []
  const server = createServer((req, res) => {
    void readBody(req, BODY_MAX)
      .then(async (bytes) => {
        const body = bytes.toString('utf8')
        const url = new URL(req.url ?? '/', 'http://sandbox.invalid')
        const asked = {
          method: req.method ?? '',
          path: url.pathname,
          query: url.searchParams,
          headers: req.headers,
          body,
        }
        const at = planned.findIndex(({ call }) => call.test(`${asked.method} ${asked.path}`))
        const fault = at < 0 ? undefined : planned.splice(at, 1)[0]?.fault
        if (fault === 'lost_request') return res.destroy()
        const told = await answer(asked, fault === 'fault' || fault === 'too_many' ? fault : null)
        if (fault === 'lost_answer') return res.destroy()
        return fault === 'silent' ? undefined : tell(res, told)
      })
      .catch((error: unknown) => {
        process.stderr.write(`sandbox: ${error instanceof Error ? error.stack : String(error)}\n`)
        tell(res, { status: 500, body: {} })
      })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    fail: (call, fault) => void planned.push({ call, fault }),
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function tell(res: ServerResponse, { status, headers, body }: Reply): void {
  if (res.headersSent) return
  res.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...headers,
  })
  res.end(typeof body === 'string' ? body : JSON.stringify(body))
}
