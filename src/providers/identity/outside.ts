import { Buffer } from 'node:buffer'
import { requestHeaders } from '#platform/request-scope.ts'

const TIMEOUT_MS = 8_000
const ANSWER_MAX = 512 * 1024

type Fetch = (url: string, options?: RequestInit) => Promise<Response>

/**
 * fetch for talking with providers: an answer within 8 s and 512 KiB, and no redirects: a moved address is followed by
 * changing the settings, not by sending a secret elsewhere.
 */
export const fetchOutside: Fetch = async (url, options = {}) => {
  const signal = AbortSignal.any([
    AbortSignal.timeout(TIMEOUT_MS),
    ...(options.signal ? [options.signal] : []),
  ])
  const headers = new Headers(options.headers)
  for (const [name, value] of Object.entries(requestHeaders())) headers.set(name, value)
  const answer = await fetch(url, { ...options, headers, redirect: 'manual', signal })
  return new Response(await bounded(answer), {
    status: answer.status,
    statusText: answer.statusText,
    headers: answer.headers,
  })
}

/** The same, with one origin's requests made at another address: where a service of this machine is listed under a public address. */
export function fetchAt(from: string, to: string): Fetch {
  return (url, options) =>
    fetchOutside(url.startsWith(`${from}/`) ? to + url.slice(from.length) : url, options)
}

async function bounded(answer: Response): Promise<ArrayBuffer | null> {
  if (answer.status === 204 || answer.status === 304) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > ANSWER_MAX) throw new TypeError('the answer is too large', { cause: 'size' })
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks)).buffer
}
