import type { IncomingMessage } from 'node:http'
import type { Config } from '#platform/config.ts'

const PATHS = /^\/(?:api\/)?console(?:[/?]|$)/

export interface ConsoleDoor {
  /** Origin under which the console is served. */
  readonly origin: string
  /** Whether a request is for the console, and this process serves it under the name that was asked for. */
  readonly takes: (req: IncomingMessage) => boolean
}

/**
 * Where the console is let in: nowhere with CONSOLE=off, and under CONSOLE_ORIGIN's host alone where there is one. What is not let in is
 * answered as if there were no console.
 */
export function consoleDoor(
  config: Pick<Config, 'console' | 'consoleOrigin' | 'publicUrl'>,
): ConsoleDoor {
  const origin = config.consoleOrigin ?? config.publicUrl
  const { host } = new URL(origin)
  const isApart = origin !== config.publicUrl
  return {
    origin,
    takes: (req) =>
      config.console && PATHS.test(req.url ?? '/') && (!isApart || req.headers.host === host),
  }
}
