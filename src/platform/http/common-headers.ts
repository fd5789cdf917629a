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

interface Common {
  readonly common: readonly Pair[]
  /** Lists that are sent again and again, as those of kept pages are, with what was added to them. */
  readonly kept: WeakMap<object, OutgoingHttpHeader[]>
}

/**
 * Sees to the headers of every answer at the one place that all of them pass, so that none is forgotten: pages, calls, files,
 * refusals, redirects, what is not modified, and what is passed on for others.
 */
export function withCommonHeaders(listener: RequestListener, isHttps: boolean): RequestListener {
  const always = Object.entries(commonHeaders(isHttps))
  const notModified: Common = { common: always, kept: new WeakMap() }
  const others: Common = {
    common: [...always, ['content-security-policy', LEAST_POLICY]],
    kept: new WeakMap(),
  }
  return (req, res) => {
    const write = res.writeHead as (status: number, ...rest: unknown[]) => ServerResponse
    res.writeHead = (status: number, ...rest: unknown[]) => {
      const hasReason = typeof rest[0] === 'string'
      const common = status === NOT_MODIFIED ? notModified : others
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
  common: Common,
  id: string,
): OutgoingHttpHeaders | OutgoingHttpHeader[] {
  if (Array.isArray(head)) return [...completedList(res, head, common), REQUEST_ID_HEADER, id]
  const headers: OutgoingHttpHeaders = { [REQUEST_ID_HEADER]: id }
  for (const [name, value] of common.common) if (!res.hasHeader(name)) headers[name] = value
  return Object.assign(headers, head)
}

function completedList(
  res: ServerResponse,
  head: unknown[],
  { common, kept }: Common,
): OutgoingHttpHeader[] {
  const isAlone = res.getHeaderNames().length === 0
  const known = isAlone ? kept.get(head) : undefined
  if (known) return known
  const list = [...(head as OutgoingHttpHeader[])]
  for (const [name, value] of common)
    if (!head.includes(name) && !res.hasHeader(name)) list.push(name, value)
  if (isAlone) kept.set(head, list)
  return list
}
