import { Agent, request } from 'node:http'

export interface Answer {
  readonly status: number
  /** Of the envelope; 0 where there is none. */
  readonly code: number
  readonly data: unknown
  readonly cookies: readonly string[]
}

export interface Sent {
  readonly body: object
  /** Of this machine (127.0.0.0/8), from which the connection is made. */
  readonly from: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Posts a call to a shop from one of this machine's own addresses; what breaks on the way is an answer of 0. */
export function postFrom(shop: string, path: string, sent: Sent): Promise<Answer> {
  const body = JSON.stringify(sent.body)
  return new Promise((resolve) => {
    const lost = () => resolve({ status: 0, code: 0, data: null, cookies: [] })
    const going = request(
      `${shop}/api/${path}`,
      {
        method: 'POST',
        agent: new Agent({ keepAlive: false }),
        localAddress: sent.from,
        timeout: 120_000,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          ...sent.headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('error', lost)
          .on('end', () => {
            const { code, data } = envelopeOf(Buffer.concat(chunks).toString())
            const status = answer.statusCode ?? 0
            resolve({ status, code, data, cookies: answer.headers['set-cookie'] ?? [] })
          })
      },
    )
    going
      .on('error', lost)
      .on('timeout', () => going.destroy())
      .end(body)
  })
}

function envelopeOf(text: string): { readonly code: number; readonly data: unknown } {
  try {
    return JSON.parse(text) as { code: number; data: unknown }
  } catch {
    return { code: 0, data: null }
  }
}

/** Runs all work, so much at once. */
export async function atOnce(
  count: number,
  works: readonly (() => Promise<void>)[],
): Promise<void> {
  const waiting = works.values()
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (const work of waiting) await work()
    }),
  )
}
