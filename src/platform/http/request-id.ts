import type { IncomingMessage, RequestListener } from 'node:http'
import { newRequestId } from '../ctx.ts'
import { inRequest } from '../request-scope.ts'
import type { Visitor } from './visitor.ts'

/** Gives each request an id of its own, whatever the client sends: by it log, rows, jobs and outside calls are found together. */
export function withRequestId(
  listener: RequestListener,
  visitorOf: (req: IncomingMessage) => Pick<Visitor, 'network'>,
): RequestListener {
  return (req, res) =>
    inRequest({ id: newRequestId(), network: visitorOf(req).network }, () => listener(req, res))
}
