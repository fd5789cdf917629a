import {
  creditDebtOf,
  FORFEITED,
  LOSSES,
  movement,
  storeCreditOf,
  type Posting,
} from '#features/base/ledger/rules.ts'

/** A payment that gave a shopper credit. Amounts in minor units of the credit's currency. */
export interface Funding {
  readonly attemptId: string
  /** The credit that was given for its money. */
  readonly fundedMinor: bigint
  /** What the payer's bank has taken back of the payment. */
  readonly reversedMinor: bigint
  /** What of the credit is taken back by now, in how many movements; and how many have undone that. */
  readonly reclaimedMinor: bigint
  readonly reclaims: number
  readonly returns: number
}

export interface CreditAccount {
  readonly accountId: string
  readonly currency: string
  readonly balanceMinor: bigint
  readonly owedMinor: bigint
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

/**
 * The movements after which credit is what it should be. Of a payment that a bank has reversed the credit goes first, up to what was
 * given for it: goods that were delivered cannot come back. What is not there any more is owed, and credit that is there pays what is
 * owed. What a bank gives back ends the debt first.
 */
export function creditPostings(
  account: CreditAccount,
  funding: Funding | null,
  newId: () => string,
): Posting[] {
  const { accountId, currency } = account
  const [credit, debt] = [storeCreditOf(accountId), creditDebtOf(accountId)]
  const missing =
    funding === null
      ? 0n
      : least(funding.reversedMinor, funding.fundedMinor) - funding.reclaimedMinor
  const taken = missing > 0n ? missing : 0n
  const given = missing < 0n ? -missing : 0n
  const takenHere = least(taken, account.balanceMinor)
  const forgiven = least(given, account.owedMinor)
  const balanceMinor = account.balanceMinor - takenHere + (given - forgiven)
  const owedMinor = account.owedMinor + (taken - takenHere) - forgiven
  const common = { currency, shownTo: accountId }
  const reclaim = {
    ...common,
    source: 'reclaim',
    sourceId: funding?.attemptId ?? '',
    credit: LOSSES,
  } as const
  const undone = {
    ...common,
    source: 'reclaim_undone',
    sourceId: funding?.attemptId ?? '',
    debit: LOSSES,
  } as const
  const [reclaims, returns] = [funding?.reclaims ?? 0, funding?.returns ?? 0]
  return [
    ...movement({ ...reclaim, leg: reclaims, debit: credit, amountMinor: takenHere }),
    ...movement({ ...reclaim, leg: reclaims + 1, debit: debt, amountMinor: taken - takenHere }),
    ...movement({ ...undone, leg: returns, credit: debt, amountMinor: forgiven }),
    ...movement({ ...undone, leg: returns + 1, credit, amountMinor: given - forgiven }),
    ...movement({
      ...common,
      source: 'repay',
      sourceId: newId(),
      debit: credit,
      credit: debt,
      amountMinor: least(balanceMinor, owedMinor),
    }),
  ]
}

/** The movements after which an account holds and owes nothing. */
export function closingPostings(
  { accountId, currency, balanceMinor, owedMinor }: CreditAccount,
  newId: () => string,
): Posting[] {
  return [
    ...movement({
      source: 'forfeit',
      sourceId: newId(),
      debit: storeCreditOf(accountId),
      credit: FORFEITED,
      currency,
      amountMinor: balanceMinor,
    }),
    ...movement({
      source: 'debt_written_off',
      sourceId: newId(),
      debit: LOSSES,
      credit: creditDebtOf(accountId),
      currency,
      amountMinor: owedMinor,
    }),
  ]
}
