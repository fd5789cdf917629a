import { answerOnce } from '#features/base/idempotency/commands.ts'
import { grantInTurn, weighGrant } from '#features/buying/store-credit/commands.ts'
import { listCredit } from '#features/buying/transaction/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { lockActiveShopper } from '#features/people/account/commands.ts'
import { inTurn, type Waits, type Weighed } from '#features/team/approval/commands.ts'
import { stillActing, type OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { fieldError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import { transaction, type Tx } from '#platform/ctx.ts'

export interface CreditEffect {
  readonly beforeMinor: bigint
  readonly afterMinor: bigint
  /** Of what is given: what pays a debt of theirs first. */
  readonly owedMinor: bigint
  readonly weighed: Weighed
}

/** What giving credit would do; nothing is changed. Throws as giving it does. */
export async function previewCredit(
  ctx: OperatorCtx,
  { shopper, money }: { readonly shopper: string; readonly money: Money },
): Promise<CreditEffect> {
  requirePermission(ctx, 'shopper.credit')
  return transaction(ctx, async (tx) => {
    await requireCurrency(tx, money)
    const { id, email } = await lockActiveShopper(tx, shopper)
    const own = (await listCredit(tx, id)).find(({ currency }) => currency === money.currency)
    const beforeMinor = own?.minor ?? 0n
    const owedMinor = own?.owedMinor ?? 0n
    const paysBack = owedMinor < money.minor ? owedMinor : money.minor
    return {
      beforeMinor,
      afterMinor: beforeMinor + money.minor - paysBack,
      owedMinor: paysBack,
      weighed: await weighGrant(tx, ctx, { accountId: id, email, money }),
    }
  })
}

/**
 * Gives a shopper credit, once by its key. Throws 'not_found', 'changed_meanwhile' for who is frozen or leaving, 'conflict' for a key of
 * another act, 'unauthorised' for who was shut out meanwhile.
 * @returns the act that waits for another person; null where the credit is given
 */
export async function giveCredit(
  given: OperatorCtx,
  {
    shopper,
    money,
    reason,
    key,
  }: {
    readonly shopper: string
    readonly money: Money
    readonly reason: string
    readonly key: string
  },
): Promise<Waits> {
  const input = { shopper, amount: money.minor.toString(), currency: money.currency, reason }
  return inTurn(given, async (tx) => {
    const ctx = await stillActing(tx, given)
    requirePermission(ctx, 'shopper.credit')
    const { waits } = await answerOnce(
      tx,
      ctx,
      { key, call: 'shopper credit', input },
      async () => {
        await requireCurrency(tx, money)
        const { id, email } = await lockActiveShopper(tx, shopper)
        return { waits: await grantInTurn(tx, ctx, { accountId: id, email, money }, reason) }
      },
    )
    return waits
  })
}

async function requireCurrency(tx: Tx, { currency }: Money): Promise<void> {
  if (!(await listCurrencies(tx)).some(({ code }) => code === currency))
    throw fieldError('currency', 'not_allowed')
}
