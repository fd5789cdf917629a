import { checkFields, cleanValues } from '#features/buying/offer/rules.ts'
import type { ApiPosts } from '#api/contract.ts'
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
  { fields, items, checksAccount }: BuyData,
  state: Store<BuyingState>,
): AccountChecking {
  let last: { readonly about: string; readonly told: Promise<Told | null> } | null = null
  const isRight = async (item: string, values: Values): Promise<boolean> => {
    if (!checksAccount) return true
    const show = (player: PlayerState, refusals: Values) =>
      state.set({ ...state.get(), player, refusals })
    const about = JSON.stringify([item, values])
    if (last?.about !== about) {
      show({ state: 'asking', name: null }, {})
      last = { about, told: ask(item, values) }
    }
    const told = await last.told
    // Meanwhile another account was typed: the order asks about this one.
    if (last?.about !== about) return true
    if (!told) last = null
    const { state: found, name, faults } = told ?? UNCHECKED
    show({ state: found, name }, Object.fromEntries(faults.map(({ field, msg }) => [field, msg])))
    return faults.length === 0
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

type Told = Pick<ApiPosts['account/validate']['data'], 'state' | 'name' | 'faults'>

const UNCHECKED: Told = { state: 'unchecked', name: null, faults: [] }

/** Null where there was no answer. */
async function ask(item: string, fields: Values): Promise<Told | null> {
  try {
    const body = { item, fields: { ...fields } }
    return (await client.get()?.post('account/validate', body, { showCheckMsg: false })) ?? null
  } catch {
    return null
  }
}
