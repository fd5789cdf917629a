import { AsyncLocalStorage } from 'node:async_hooks'

/** In whose name work is done: what lines of the log, rows and calls to the outside say of where it began. */
export interface RequestScope {
  /** Random; told to the client as `x-request-id`. */
  readonly id: string
  /** The caller's network ("203.0.113.0/24"); absent once the work goes on in a job. */
  readonly network?: string
}

/** Header by which the id goes out, to clients and to services we ask. */
export const REQUEST_ID_HEADER = 'x-request-id'

const scopes = new AsyncLocalStorage<RequestScope>()

/** Runs work in the name of a request, with everything that it waits for. */
export function inRequest<T>(scope: RequestScope, work: () => T): T {
  return scopes.run(scope, work)
}

export function currentRequest(): RequestScope | undefined {
  return scopes.getStore()
}

/** For a call to an outside service: by it their log and ours are laid side by side. */
export function requestHeaders(): Readonly<Record<string, string>> {
  const scope = currentRequest()
  return scope ? { [REQUEST_ID_HEADER]: scope.id } : {}
}

/** What was left for later with an id of a request in it goes on in that request's name. */
export function inRequestOf<T>(id: string | null | undefined, work: () => T): T {
  return typeof id === 'string' && ID.test(id) ? inRequest({ id }, work) : work()
}

const ID = /^[\w-]{1,64}$/

const FLAG = 'request:'

/** The request as a job's flag, which a worker of the release before does not mind; null where there is none. */
export function requestFlags(): readonly string[] | null {
  const scope = currentRequest()
  return scope ? [FLAG + scope.id] : null
}

export function requestOfFlags(flags: Readonly<Record<string, true>> | null): string | null {
  const flag = Object.keys(flags ?? {}).find((name) => name.startsWith(FLAG))
  return flag === undefined ? null : flag.slice(FLAG.length)
}
