import { request } from 'node:http'

/** An answer as it went over the wire, without what the raw server's node:http adds by itself. */
export interface RecordedAnswer {
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

const ADDED_BY_NODE = new Set(['date', 'connection', 'keep-alive'])

/** Asks twice and records the second answer: the first may make what the second finds ready. Throws on any but 200. */
export async function recordAnswer(
  port: number,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<RecordedAnswer> {
  await ask(port, target, headers)
  await new Promise((resolve) => setTimeout(resolve, 30))
  return ask(port, target, headers)
}

export function ask(
  port: number,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<RecordedAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: target, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('error', reject)
      answer.once('end', () => {
        const body = Buffer.concat(chunks)
        if (answer.statusCode !== 200)
          return reject(
            new Error(`${target} answers ${answer.statusCode}: ${body.toString().slice(0, 200)}`),
          )
        resolve({ headers: wireHeaders(answer.rawHeaders), body })
      })
    })
    sent.once('error', reject)
    sent.end()
  })
}

function wireHeaders(raw: readonly string[]): string[] {
  return raw.flatMap((text, at) =>
    at % 2 === 0 && !ADDED_BY_NODE.has(text.toLowerCase()) ? [text, raw[at + 1] ?? ''] : [],
  )
}
