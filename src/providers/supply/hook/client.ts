import { openSupplyClient, type SupplyClient } from '../wire/client.ts'
import { isInsideLiteral, lookupOutside } from '../wire/outside.ts'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** For addresses that people give: calls the world outside alone, at the address that was checked. For development this machine may be called as well, and nothing else inside. */
export function openHookClient(
  timeoutMs: number,
  isLoopbackAllowed: boolean,
  maxBytes?: number,
  lookup = lookupOutside,
): SupplyClient {
  const bound = { timeoutMs, ...(maxBytes === undefined ? {} : { maxBytes }) }
  const outside = openSupplyClient({ ...bound, lookup })
  const anywhere = openSupplyClient(bound)
  return async (call) => {
    const { hostname } = new URL(call.url)
    if (isLoopbackAllowed && LOOPBACK.has(hostname)) return anywhere(call)
    if (isInsideLiteral(hostname) || LOOPBACK.has(hostname))
      return { kind: 'not_sent', why: 'the address leads inside' }
    return outside(call)
  }
}
