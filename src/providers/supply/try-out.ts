import type { Money } from '#kernel/money.ts'
import { SupplyUnavailable, type SupplyProvider } from './provider.ts'
import { watched, type Exchange } from './wire/client.ts'

/** What a supplier said of settings that were tried; nothing was bought by it. */
export interface TriedSupplier {
  readonly answer: 'good' | 'refused' | 'unknown'
  /** What it answered instead of a balance, without anything of the answer's text; null where it took them. */
  readonly why: string | null
  /** What it holds for this account. */
  readonly balances: readonly Money[]
}

/** Asks for the balance: every supplier has it told, and to nobody whose settings are wrong. */
export async function trySupplier(
  provider: Pick<SupplyProvider, 'balances'>,
): Promise<TriedSupplier> {
  const { result, exchanges } = await watched(async () => {
    try {
      return (await provider.balances()).map(({ available }) => available)
    } catch (error) {
      if (error instanceof SupplyUnavailable) return null
      throw error
    }
  })
  const last = exchanges.at(-1)
  if (result !== null && last) return { answer: 'good', why: null, balances: result }
  return { ...verdict(last), balances: [] }
}

const TOO_MANY = 429
const THEIR_FAULT = 500

function verdict(last: Exchange | undefined): Pick<TriedSupplier, 'answer' | 'why'> {
  if (!last) return { answer: 'unknown', why: null }
  if (last.kind !== 'answer') return { answer: 'unknown', why: last.why }
  const isTheirs = last.status >= THEIR_FAULT || last.status === TOO_MANY
  return { answer: isTheirs ? 'unknown' : 'refused', why: `HTTP ${last.status}` }
}
