import {
  checkPayment,
  sweepPaymentsOf,
  type PaymentServices,
} from '#features/buying/payment/flows.ts'
import { reconcileProvider } from '#features/buying/reconciliation/flows.ts'
import { countStanding } from '#features/office/books/commands.ts'
import { askBalance, BALANCE_EVERY_SECONDS } from '#features/office/books/flows.ts'
import { submitRefundsOf } from '#features/buying/refund/flows.ts'
import { TO_STORE_CREDIT } from '#features/buying/refund/rules.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Sweep } from '#platform/sweep-runner.ts'

/** Providers by which the shop is paid, and codes of those that may be set up while the worker runs. */
export type SweptPayments = PaymentServices & { readonly mayCome?: readonly string[] }

/** Work after which buyers are told what has come of it. */
export type ThenNotify = (
  work: (signal: AbortSignal) => Promise<unknown>,
) => (signal: AbortSignal) => Promise<void>

const HOURLY = { everySeconds: 3_600 }

/** Asking about payments, refunds and what was done in a dashboard: what needs an answer from outside. */
export function sweepsOfProviders(ctx: Ctx, payments: SweptPayments, told: ThenNotify): Sweep[] {
  const { providers, mayCome = [] } = payments
  const codes = [...new Set([...providers.keys(), ...mayCome])]
  const payees = [...new Set([...codes, TO_STORE_CREDIT])]
  return [
    ...codes.map((code) => ({
      name: `payments:${code}`,
      due: { everySeconds: 10 },
      run: told(async (signal) => {
        // Of one that is not set up there is nothing to ask; it may be at any moment.
        if (providers.has(code)) await sweepPaymentsOf(ctx, payments, code, signal)
      }),
    })),
    ...codes
      // What the shop takes itself, in a transaction of its own, it compares too: between two steps a process may die.
      .filter((code) => {
        const provider = providers.get(code)
        return provider?.isOwn !== true || provider.takesAtOnce === true
      })
      .map((code) => ({
        name: `reconcile:${code}`,
        due: HOURLY,
        run: told(async (signal) => {
          const provider = providers.get(code)
          if (provider)
            await reconcileProvider(ctx, provider, (id) => checkPayment(ctx, payments, id), signal)
        }),
      })),
    ...codes
      .filter((code) => providers.get(code)?.isOwn !== true)
      .map((code) => ({
        name: `balance:${code}`,
        due: { everySeconds: BALANCE_EVERY_SECONDS },
        run: async () => {
          const provider = providers.get(code)
          if (provider) await askBalance(ctx, provider)
        },
      })),
    { name: 'count_standing', due: { everySeconds: 300 }, run: () => countStanding(ctx) },
    ...payees.map((payee) => ({
      name: `refunds:${payee}`,
      due: { everySeconds: 15 },
      run: told((signal) =>
        submitRefundsOf(ctx, providers, payee, {
          room: () => payments.room?.(payee) ?? 'all',
          signal,
        }),
      ),
    })),
  ]
}
