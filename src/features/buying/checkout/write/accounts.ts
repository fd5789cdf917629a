import type { Product } from '#features/goods/catalogue/rules.ts'
import { offerKey, type Offer, type WantedGoods } from '#features/buying/offer/rules.ts'
import type { PricedLine } from '#features/buying/order/rules.ts'
import { AppError, type FieldProblem } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'

/** What is wrong with the accounts of lines. Outside of any transaction: whoever credits them is waited for. */
export type JudgeAccounts = (lines: readonly AccountOfLine[]) => Promise<readonly FieldProblem[]>

export interface AccountOfLine {
  readonly product: Product
  /** Id of the item. */
  readonly item: string
  readonly fields: Readonly<Record<string, string>>
  /** Of goods that are sold at any: what is asked for, in their face currency. */
  readonly amount: Money | null
  /** How the line is named in refusals. */
  readonly at: string
  /** Its place in the order. */
  readonly line: number
}

/** Nobody pays for an account that is none. Lines are as they were asked for, in the same order. */
export async function refuseAccounts(
  judge: JudgeAccounts | undefined,
  asked: readonly (WantedGoods & { readonly at: string })[],
  lines: readonly PricedLine[],
  offers: ReadonlyMap<string, Offer>,
): Promise<void> {
  if (!judge) return
  const accounts = lines.flatMap(
    ({ delivery, item, accountFields, amount }, line): AccountOfLine[] => {
      const wanted = asked[line]
      const offer = wanted && offers.get(offerKey(wanted))
      return delivery === 'direct_charge' && item !== null && offer
        ? [{ product: offer.product, item, fields: accountFields, amount, at: wanted.at, line }]
        : []
    },
  )
  if (accounts.length === 0) return
  const problems = await judge(accounts)
  if (problems.length > 0) throw new AppError('check_fields', {}, { fields: problems })
}
