import { BANK_TRANSFER } from '#features/goods/pay-method/rules.ts'
import { isUuid } from '#kernel/uuid.ts'
import type { Ctx } from '#platform/ctx.ts'
import {
  ANY_AMOUNT,
  ProviderRefusal,
  type PaymentProvider,
  type ProviderPayment,
  type RefundRequest,
} from '#providers/payment/provider.ts'
import { findTransfer, isReturned, listTransfers } from './queries.ts'

const LIVES_MINUTES = 72 * 60

/**
 * Transfers to the shop's bank account as a provider of payments: what has arrived is what an operator has read from the account's
 * statement, and a refund is done when they have sent it.
 */
export function bankTransfers(ctx: Ctx): PaymentProvider {
  const stateOf = async (
    reference: string,
    isEnded: boolean,
    redirectUrl: string | null,
  ): Promise<ProviderPayment> => {
    const transfer = isUuid(reference) ? await findTransfer(ctx.db, reference) : null
    if (!transfer) throw new ProviderRefusal('not_found')
    const { received, isOpen } = transfer
    return {
      reference,
      ourReference: reference,
      status: received ? 'captured' : isOpen && !isEnded ? 'requires_action' : 'voided',
      captured: received,
      isDisputed: false,
      reversed: null,
      redirectUrl,
      failure: null,
    }
  }
  const findRefund = async ({ ourReference }: Pick<RefundRequest, 'ourReference'>) => ({
    reference: ourReference,
    status: (await isReturned(ctx.db, ourReference))
      ? ('succeeded' as const)
      : ('pending' as const),
    failure: null,
  })
  return {
    code: BANK_TRANSFER,
    isOwn: true,
    livesMinutes: LIVES_MINUTES,
    limits: () => ANY_AMOUNT,
    create: ({ ourReference, returnUrl }) => stateOf(ourReference, false, returnUrl),
    fetch: (reference) => stateOf(reference, false, null),
    // Nobody can keep a payer from sending money: it is taken up, or sent back, when it comes.
    cancel: (reference) => stateOf(reference, true, null),
    refund: findRefund,
    findRefund,
    readNotice: async () => {
      throw new ProviderRefusal('it sends no notices')
    },
    async *list({ since, until }) {
      for (const id of await listTransfers(ctx.db, since, until)) yield stateOf(id, false, null)
    },
  }
}

export {
  eraseBankLines,
  forgetLines,
  importStatement,
  setLineAside,
  takeLineUp,
} from './write/statement.ts'
export {
  matchLine,
  recordReceipt,
  recordReturn,
  recordWaitingReceipt,
  recordWaitingReturn,
} from './write/by-operator.ts'
