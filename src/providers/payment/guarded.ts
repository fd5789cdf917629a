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
  /** Calls back whenever the providers are others. */
  onChange?: (then: () => void) => void,
): GuardedProviders {
  const guarded = new Map<string, PaymentProvider>()
  const rooms = new Map<string, () => Room>()
  const fill = () => {
    guarded.clear()
    rooms.clear()
    for (const provider of providers.values()) {
      if (provider.isOwn === true) {
        guarded.set(provider.code, provider)
        continue
      }
      const breaker = breakerOf(provider, log)
      guarded.set(provider.code, guard(provider, breaker.run))
      rooms.set(provider.code, breaker.room)
    }
  }
  fill()
  onChange?.(fill)
  return { providers: guarded, room: (code) => rooms.get(code)?.() ?? 'all' }
}

const breakerOf = ({ code }: PaymentProvider, log: Pick<Log, 'warn' | 'info'>) =>
  createBreaker({
    onChange: (isAway) =>
      isAway
        ? log.warn('a payment provider does not answer and is left alone for a while', {
            provider: code,
          })
        : log.info('a payment provider answers again', { provider: code }),
  })

function guard(
  provider: PaymentProvider,
  run: <T>(work: () => Promise<T>) => Promise<T>,
): PaymentProvider {
  const { balance } = provider
  return {
    ...provider,
    create: (request) => run(() => provider.create(request)),
    fetch: (reference) => run(() => provider.fetch(reference)),
    cancel: (reference) => run(() => provider.cancel(reference)),
    refund: (request) => run(() => provider.refund(request)),
    findRefund: (request) => run(() => provider.findRefund(request)),
    ...(balance ? { balance: () => run(balance) } : {}),
  }
}
