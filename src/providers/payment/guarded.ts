import { createBreaker, type Room } from '#platform/breaker.ts'
import type { Log } from '#platform/log.ts'
import type { PaymentProvider, Providers } from './provider.ts'

export interface GuardedProviders {
  readonly providers: Providers
  /** How much a provider may be asked now. */
  readonly room: (code: string) => Room
}

/**
 * Providers as the work in the background asks them: one that keeps it waiting in vain is left alone for a while, so that it costs
 * bounded time whatever waits for it. What the shop itself takes answers by the database and needs no guard.
 */
export function guardProviders(
  providers: Providers,
  log: Pick<Log, 'warn' | 'info'>,
): GuardedProviders {
  const guarded = [...providers.values()]
    .filter(({ isOwn }) => isOwn !== true)
    .map((provider) => {
      const breaker = createBreaker({
        onChange: (isAway) =>
          isAway
            ? log.warn('a payment provider does not answer and is left alone for a while', {
                provider: provider.code,
              })
            : log.info('a payment provider answers again', { provider: provider.code }),
      })
      return { breaker, provider: guard(provider, breaker.run) }
    })
  const rooms = new Map(guarded.map(({ provider, breaker }) => [provider.code, breaker.room]))
  return {
    providers: new Map([
      ...providers,
      ...guarded.map(({ provider }) => [provider.code, provider] as const),
    ]),
    room: (code) => rooms.get(code)?.() ?? 'all',
  }
}

function guard(
  provider: PaymentProvider,
  run: <T>(work: () => Promise<T>) => Promise<T>,
): PaymentProvider {
  return {
    ...provider,
    create: (request) => run(() => provider.create(request)),
    fetch: (reference) => run(() => provider.fetch(reference)),
    cancel: (reference) => run(() => provider.cancel(reference)),
    refund: (request) => run(() => provider.refund(request)),
    findRefund: (request) => run(() => provider.findRefund(request)),
  }
}
