import { appendFileSync } from 'node:fs'

/** What the shop or the payment service has acknowledged to somebody outside. */
export type Acknowledged =
  | { readonly kind: 'order'; readonly order: string }
  /** The payment service told the payer that the money is taken. */
  | { readonly kind: 'paid'; readonly order: string }
  | { readonly kind: 'completed'; readonly order: string }
  /** Somebody has begun to have the money back: the order need not stay completed. */
  | { readonly kind: 'taken_back'; readonly order: string }
  /** The key was shown; of its text only a hash stands here. */
  | {
      readonly kind: 'revealed'
      readonly order: string
      readonly unit: string
      readonly hash: string
    }

type Kind = Acknowledged['kind']

/** Kept outside the shop and its database: a database that forgets is not found out by asking it alone. */
export interface Journal {
  readonly note: (entry: Acknowledged) => void
  readonly of: <K extends Kind>(kind: K) => readonly Extract<Acknowledged, { readonly kind: K }>[]
}

export function openJournal(file: string): Journal {
  const entries: Acknowledged[] = []
  return {
    note: (entry) => {
      entries.push(entry)
      appendFileSync(file, `${JSON.stringify(entry)}\n`)
    },
    of: (kind) =>
      entries.filter(
        (entry): entry is Extract<Acknowledged, { kind: typeof kind }> => entry.kind === kind,
      ),
  }
}
