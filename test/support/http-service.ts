import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly headers: IncomingMessage['headers']
}

export interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  /** Sent as JSON; a text goes out as it is. */
  readonly body?: unknown
  /** Never answers. */
  readonly isSilent?: boolean
}

export interface HttpService {
  readonly origin: string
  readonly asked: Asked[]
  /** Decides the answers from now on. */
  answer: (asked: Asked) => Reply
}

/** An outside service on a loopback port, for the tests of one file. */
export function useHttpService(): HttpService {
  const service: HttpService & { origin: string } = {
    origin: '',
    asked: [],
    answer: () => ({ status: 404 }),
  }
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const url = new URL(req.url ?? '/', service.origin)
    const asked = {
      method: req.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      form: new URLSearchParams(Buffer.concat(chunks).toString()),
      headers: req.headers,
    }
    service.asked.push(asked)
    const told = service.answer(asked)
    if (told.isSilent) return
    res.writeHead(told.status ?? 200, { 'content-type': 'application/json', ...told.headers })
    res.end(typeof told.body === 'string' ? told.body : JSON.stringify(told.body ?? {}))
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    service.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return service
}
