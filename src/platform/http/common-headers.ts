import type { OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { requestHeaders } from '../request-scope.ts'

/** A year (RFC 6797 §6.1.1). */
const HSTS = 'max-age=31536000; includeSubDomains'

/** What holds for anything a browser may show; pages bring a policy of their own, which is stricter. */
const LEAST_POLICY = "object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
/** Not modified: what the browser has keeps the policy that it came with. */
const NOT_MODIFIED = 304

/** Headers of every answer, whatever it is: content is what it says it is, and a shop under https is reached by https alone. */
export function commonHeaders(isHttps: boolean): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    ...(isHttps ? { 'strict-transport-security': HSTS } : {}),
  }
}

type Head = OutgoingHttpHeaders | readonly unknown[] | undefined

/**
 * Sees to the headers of every answer at the one place that all of them pass, so that none is forgotten: pages, calls, files,
 * refusals, redirects, what is not modified, and what is passed on for others.
 */
export function withCommonHeaders(listener: RequestListener, isHttps: boolean): RequestListener {
  const always = Object.entries(commonHeaders(isHttps))
  const withPolicy = [...always, ['content-security-policy', LEAST_POLICY] as const]
  const completed = (res: ServerResponse, status: number, head: Head): Head => {
    const common = status === NOT_MODIFIED ? always : withPolicy
    const missing = [...common, ...Object.entries(requestHeaders())].filter(
      ([name]) => !has(res, head, name),
    )
    if (missing.length === 0) return head
    if (Array.isArray(head)) return [...(head as unknown[]), ...missing.flat()]
    return { ...Object.fromEntries(missing), ...(head as OutgoingHttpHeaders | undefined) }
  }
  return (req, res) => {
    const write = res.writeHead.bind(res) as (status: number, ...rest: unknown[]) => ServerResponse
    res.writeHead = (status: number, ...rest: unknown[]) => {
      const reason = typeof rest[0] === 'string' ? [rest[0]] : []
      return write(status, ...reason, completed(res, status, rest[reason.length] as Head))
    }
    listener(req, res)
  }
}

function has(res: ServerResponse, head: Head, name: string): boolean {
  if (res.hasHeader(name)) return true
  if (head === undefined) return false
  return Array.isArray(head) ? head.includes(name) : name in head
}
