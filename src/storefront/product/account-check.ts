import { checkFields, cleanValues } from '#features/buying/offer/rules.ts'
import { client } from '../state/client.ts'
import type { Store } from '../state/store.ts'
import type { BuyData } from './buy-data.ts'
import type { BuyingState } from './buying.ts'

type Values = Readonly<Record<string, string>>

/** What the supplier says of the account, as far as it was asked. */
export interface PlayerState {
  readonly state: 'asking' | 'valid' | 'invalid' | 'unchecked'
  readonly name: string | null
}

export interface AccountChecking {
  /** Asks about the account of a line. False where the supplier says that it is none: that is said at its field. */
  readonly isRight: (item: string, fields: Values) => Promise<boolean>
  /** Asks once everything is typed, so that the name is there before the press. */
  readonly look: () => void
}

/** The shop remembers its answers for minutes, and so does the page: a press mostly waits for nothing. */
export function createAccountChecking(
  { code, fields, items, checksAccount }: BuyData,
  state: Store<BuyingState>,
): AccountChecking {
  let last: { readonly about: string; readonly answer: Promise<boolean> } | null = null
  const ask = async (item: string, values: Values, about: string): Promise<boolean> => {
    state.set({ ...state.get(), player: { state: 'asking', name: null } })
    const told = await client
      .get()
      ?.post('account/validate', { item, fields: { ...values } }, { showCheckMsg: false })
      .catch(() => null)
    // Meanwhile another account was typed.
    if (last?.about !== about) return true
    const faults = Object.fromEntries(told?.faults.map(({ field, msg }) => [field, msg]) ?? [])
    const isRight = Object.keys(faults).length === 0
    if (!told) last = null
    state.set({
      ...state.get(),
      refusals: faults,
      player: { state: told?.state ?? 'unchecked', name: told?.name ?? null },
    })
    return isRight
  }
  const isRight = (item: string, values: Values): Promise<boolean> => {
    if (!checksAccount) return Promise.resolve(true)
    const about = JSON.stringify([code, item, values])
    if (last?.about !== about) {
      // Named first, so that the question knows whether it is still the last.
      const begun = Promise.withResolvers<boolean>()
      last = { about, answer: begun.promise }
      void ask(item, values, about).then(begun.resolve, () => begun.resolve(true))
    }
    return last.answer
  }
  return {
    isRight,
    look: () => {
      const { chosen, values } = state.get()
      const item = chosen ?? items.find(({ unavailable }) => unavailable === null)?.code
      if (item !== undefined && Object.keys(checkFields(fields, values)).length === 0)
        void isRight(item, cleanValues(fields, values))
    },
  }
}
