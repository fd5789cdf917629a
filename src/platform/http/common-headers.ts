import type {
  OutgoingHttpHeader,
  OutgoingHttpHeaders,
  RequestListener,
  ServerResponse,
} from 'node:http'
import { REQUEST_ID_HEADER } from '../request-scope.ts'
import { requestIdOf } from './request-id.ts'

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
type Pair = readonly [name: string, value: string]

/**
 * Sees to the headers of every answer at the one place that all of them pass, so that none is forgotten: pages, calls, files,
 * refusals, redirects, what is not modified, and what is passed on for others.
 */
export function withCommonHeaders(listener: RequestListener, isHttps: boolean): RequestListener {
  const always = Object.entries(commonHeaders(isHttps))
  const withPolicy: readonly Pair[] = [...always, ['content-security-policy', LEAST_POLICY]]
  return (req, res) => {
    const write = res.writeHead as (status: number, ...rest: unknown[]) => ServerResponse
    res.writeHead = (status: number, ...rest: unknown[]) => {
      const hasReason = typeof rest[0] === 'string'
      const common = status === NOT_MODIFIED ? always : withPolicy
      const head = completed(res, rest[hasReason ? 1 : 0] as Head, common, requestIdOf(req))
      return hasReason ? write.call(res, status, rest[0], head) : write.call(res, status, head)
    }
    listener(req, res)
  }
}

/** Nothing is said twice: what the answer says itself holds. A list stays a list, as `writeHead` takes both. */
function completed(
  res: ServerResponse,
  head: Head,
  common: readonly Pair[],
  id: string,
): OutgoingHttpHeaders | OutgoingHttpHeader[] {
  if (Array.isArray(head)) {
    const list = [...(head as OutgoingHttpHeader[]), REQUEST_ID_HEADER, id]
    for (const [name, value] of common)
      if (!head.includes(name) && !res.hasHeader(name)) list.push(name, value)
    return list
  }
  const headers: OutgoingHttpHeaders = { [REQUEST_ID_HEADER]: id }
  for (const [name, value] of common) if (!res.hasHeader(name)) headers[name] = value
  return Object.assign(headers, head)
}
