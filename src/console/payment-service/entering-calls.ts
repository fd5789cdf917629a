import { callConsole, type CallOutcome } from '../browser/call.ts'
import type { Effect, Waits } from './use-entering.ts'

interface Entered {
  readonly code: string
  readonly version: number
  readonly values: Readonly<Record<string, string>>
}

interface Although {
  readonly isAlthough: boolean
  readonly isAlthoughOpen: boolean
  /** Id of the account that was shown. */
  readonly account: string | null
}

interface EnteringCalls {
  readonly tryOut: (entered: Entered) => Promise<CallOutcome<Effect>>
  readonly save: (entered: Entered, although: Although) => Promise<CallOutcome<Waits>>
  readonly remove: (
    entered: Pick<Entered, 'code' | 'version'>,
    isAlthoughOpen: boolean,
  ) => Promise<CallOutcome<Waits>>
}

/** Of what the shop is paid with. */
export const payment: EnteringCalls = {
  tryOut: ({ code, ...rest }) =>
    callConsole<Effect>('money/services/try', { service: code, ...rest }),
  save: ({ code, ...rest }, { isAlthough, isAlthoughOpen, account }) =>
    callConsole<Waits>('money/services/save', {
      service: code,
      ...rest,
      although_refused: isAlthough,
      although_open: isAlthoughOpen,
      account,
    }),
  remove: ({ code, version }, isAlthoughOpen) =>
    callConsole<Waits>('money/services/remove', {
      service: code,
      version,
      although_open: isAlthoughOpen,
    }),
}

interface SupplierEffect
  extends Omit<Effect, 'account' | 'account_before' | 'open_sums' | 'balances'> {
  readonly account: string | null
  readonly account_before: string | null
  readonly balances: readonly { readonly text: string }[]
}

/** Of what it buys from: an account is what the supplier calls its customer. */
export const supplier: EnteringCalls = {
  async tryOut({ code, ...rest }) {
    const outcome = await callConsole<SupplierEffect>('suppliers/settings/try', {
      supplier: code,
      ...rest,
    })
    if (!outcome.isDone) return outcome
    const { account, account_before: before, balances, ...effect } = outcome.data
    const named = (id: string | null) => (id === null ? null : { id, name: null })
    return {
      ...outcome,
      data: {
        ...effect,
        account: named(account),
        account_before: named(before),
        open_sums: [],
        balances: balances.map(({ text }) => text),
      },
    }
  },
  save: ({ code, ...rest }, { isAlthough, isAlthoughOpen }) =>
    callConsole<Waits>('suppliers/settings/save', {
      supplier: code,
      ...rest,
      although_refused: isAlthough,
      although_open: isAlthoughOpen,
    }),
  remove: ({ code, version }) =>
    callConsole<Waits>('suppliers/settings/remove', { supplier: code, version }),
}
