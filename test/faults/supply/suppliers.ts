import { createHookSupplier } from '#providers/supply/hook/hook.ts'
import type { SupplyCapabilities, SupplyProvider } from '#providers/supply/provider.ts'
import type { SupplyClient } from '#providers/supply/wire/client.ts'
import { secret } from '#platform/secret.ts'

/** Asking the third later than so long after the attempt would buy again. */
export const BUYS_AGAIN_AFTER_SECONDS = 43_200
/** Silence of the first proves something after so long. */
export const SILENCE_SECONDS = 120

const LIMITS = { concurrent: 8, perSecond: 100_000 }
/** It wants a token of a check in the moment of buying. */
const WANTS_TOKEN = 'second'

/** One protocol, three ways in which a supplier keeps a purchase from being made twice. */
const KINDS: Readonly<Record<string, Partial<SupplyCapabilities>>> = {
  first: { notFoundIsFinalAfterSeconds: SILENCE_SECONDS },
  second: { idempotency: 'lookup', notFoundIsFinalAfterSeconds: null },
  third: {
    idempotency: 'same_reference_asks_again',
    notFoundIsFinalAfterSeconds: null,
    lookupMayBuyAfterSeconds: BUYS_AGAIN_AFTER_SECONDS,
  },
}

export const SIMULATED: readonly string[] = Object.keys(KINDS)
/** Behind a socket: the sandbox's own. */
export const OVER_SOCKETS: readonly string[] = ['hook']

/** The shop's own adapter, over whatever transport. */
export function supplierOf(
  code: string,
  client: SupplyClient,
  { origin = 'http://simulated.invalid', key = 's'.repeat(40) } = {},
): SupplyProvider {
  const provider = createHookSupplier({
    url: `${origin}/supply`,
    secret: secret(key),
    client,
    now: () => new Date(),
    checksFirst: code === WANTS_TOKEN,
  })
  return {
    ...provider,
    code,
    // One at a time, so that what each lie is about is known.
    capabilities: { ...provider.capabilities, maxQuantity: 1, limits: LIMITS, ...KINDS[code] },
  }
}
