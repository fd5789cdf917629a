import type { IncomingMessage } from 'node:http'
import { newRequestId } from '../ctx.ts'
import { inRequest } from '../request-scope.ts'

const ID = Symbol('request id')

/** Each request has an id of its own, whatever the client sends: by it log, rows, jobs and outside calls are found together. */
export function requestIdOf(req: IncomingMessage & { [ID]?: string }): string {
  return (req[ID] ??= newRequestId())
}

/** What a request makes us do, in its name. A page that is only sent again does nothing, and needs no name. */
export function inScopeOf<T>(req: IncomingMessage, network: string, work: () => T): T {
  return inRequest({ id: requestIdOf(req), network }, work)
}
