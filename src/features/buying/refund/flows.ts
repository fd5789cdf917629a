import { AppError } from '#kernel/error.ts'
import type { Room } from '#platform/breaker.ts'
import { ofThisRequest, type Ctx } from '#platform/ctx.ts'
import { inRequestOf } from '#platform/request-scope.ts'
import { sweep, SweepEnds } from '#platform/sweep.ts'
import {
  ProviderRefusal,
  type PaymentProvider,
  type ProviderRefund,
  type Providers,
} from '#providers/payment/provider.ts'
import { TAKEN_BACK } from './rules.ts'
import { beginRefund, recordRefund, type RefundAnswer, type SubmittedRefund } from './commands.ts'
import { TO_STORE_CREDIT } from './rules.ts'
import { putOffRefund, takeDueRefunds } from './write/due.ts'

const TAKEN_AT_ONCE = 32
const SUBMITTED_AT_ONCE = 4

type ReportedRefund = Omit<ProviderRefund, 'reference'> & { readonly reference: string | null }

/** Hands due refunds to their providers and asks about those in doubt; it may be called at any time. */
export async function submitRefunds(ctx: Ctx, providers: Providers): Promise<void> {
  await Promise.all(
    [...new Set([...providers.keys(), TO_STORE_CREDIT])].map((payee) =>
      submitRefundsOf(ctx, providers, payee),
    ),
  )
}

/**
 * Hands the due refunds of a provider, or those into store credit, over. Those of a provider that the shop has no more wait unseen by
 * this, and hold up nobody; one that fails moves behind the others.
 */
export async function submitRefundsOf(
  ctx: Ctx,
  providers: Providers,
  payee: string,
  {
    room = () => 'all',
    signal,
  }: { readonly room?: () => Room; readonly signal?: AbortSignal } = {},
): Promise<number> {
  const pages = { all: TAKEN_AT_ONCE, one: 1, none: 0 }
  return sweep<string>(ctx, {
    what: 'a refund',
    name: (id) => id,
    atOnce: SUBMITTED_AT_ONCE,
    signal,
    next: async () => {
      const page = pages[room()]
      return page === 0 ? [] : takeDueRefunds(ctx, payee, page)
    },
    work: async (id) => {
      if (room() === 'none') throw new SweepEnds()
      await submitRefund(ctx, providers, id)
    },
    putOff: (id) => putOffRefund(ctx, id),
  })
}

export async function submitRefund(
  ctx: Ctx,
  providers: Providers,
  refundId: string,
): Promise<void> {
  const submitted = await beginRefund(ctx, refundId)
  if (submitted)
    await inRequestOf(submitted.refund.request, async () =>
      recordRefund(ofThisRequest(ctx), refundId, await answerOf(ctx, providers, submitted)),
    )
}

/** Store credit is the shop's own: there is nobody to ask. What a provider does not answer stays in doubt. */
async function answerOf(
  ctx: Ctx,
  providers: Providers,
  submitted: SubmittedRefund,
): Promise<RefundAnswer> {
  if (submitted.refund.destination === 'store_credit') return answerOfShop(submitted)
  const provider = providers.get(submitted.refund.provider)
  if (!provider) throw new AppError('payment_unavailable')
  try {
    return answerFrom(await ask(provider, submitted))
  } catch (error) {
    // A payment that its provider does not know any more says nothing about a refund that was sent out.
    if (error instanceof ProviderRefusal && submitted.refund.status !== 'succeeded')
      return { status: 'failed', reference: null, failure: error.message.slice(0, 200) }
    ctx.log.warn('a refund is in doubt', { refund: submitted.refund.id, error })
    return { status: 'unknown', reference: null, failure: null }
  }
}

/** Cut off after it was begun, it may find its payment disputed, or taken back, by now. */
function answerOfShop({ isDisputed, isCovered }: SubmittedRefund): RefundAnswer {
  if (isDisputed) return { status: 'unknown', reference: null, failure: null }
  return isCovered
    ? { status: 'succeeded', reference: null, failure: null }
    : { status: 'failed', reference: null, failure: TAKEN_BACK }
}

/** The idempotency key makes handing over again safe once the provider says it has never heard of it. */
async function ask(
  provider: PaymentProvider,
  { refund, paymentReference, isInDoubt, isDisputed, isCovered }: SubmittedRefund,
): Promise<ReportedRefund> {
  const request = {
    ourReference: refund.id,
    paymentReference: paymentReference ?? '',
    amount: { minor: refund.amountMinor, currency: refund.currency },
  }
  const known = isInDoubt ? await findSent(provider, request) : null
  // What was sent out once is not sent again, even by a provider that has forgotten it.
  if (refund.status === 'succeeded')
    return known ?? { reference: null, status: 'succeeded', failure: null }
  if (known) return known
  // It never got there, and is not sent any more: the payer has the money by their bank, or may yet have it.
  if (isDisputed) throw new Error('its payment is disputed')
  if (!isCovered) throw new ProviderRefusal(TAKEN_BACK)
  return provider.refund(request)
}

/** Whoever answers with keys of another account knows nothing of a refund that was sent out: their no leaves it in doubt. */
async function findSent(
  provider: PaymentProvider,
  request: Parameters<PaymentProvider['findRefund']>[0],
): Promise<ReportedRefund | null> {
  try {
    return await provider.findRefund(request)
  } catch (cause) {
    throw new Error('the provider does not say what became of it', { cause })
  }
}

function answerFrom({ reference, status, failure }: ReportedRefund): RefundAnswer {
  return { status: status === 'pending' ? 'submitted' : status, reference, failure }
}
