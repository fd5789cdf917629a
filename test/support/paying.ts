import { checkPayment, startPaying, type PaymentServices } from '#features/buying/payment/flows.ts'
import type { Money } from '#kernel/money.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { FakePayments } from './fake-payment.ts'

/** A shop that is paid at these alone. */
export const paidAt = (...fakes: readonly FakePayments[]): PaymentServices => ({
  providers: new Map(fakes.map(({ provider }) => [provider.code, provider])),
  publicUrl: 'https://shop.example',
})

/** What of an order paying it asks for, as `buy` answers it. */
interface Payable {
  readonly publicId: string
  readonly accountId: string
}

interface Way {
  readonly provider?: string
  readonly method?: string
  readonly feeMinor?: bigint
}

interface BegunPayment {
  /** Ours. */
  readonly id: string
  /** What its provider calls it. */
  readonly reference: string
  readonly amount: Money
}

/** Begins to pay an order. */
export async function beginPaying(
  ctx: Ctx,
  services: PaymentServices,
  { publicId, accountId }: Payable,
  { provider = 'fake', method = 'card', feeMinor = 0n }: Way = {},
): Promise<BegunPayment> {
  const request = { order: publicId, accountId, provider, method, feeMinor }
  const { attempt } = await startPaying(ctx, services, request)
  const begun = await ctx.db
    .selectFrom('payment_attempt')
    .select(['id', 'provider_reference', 'amount_minor', 'currency'])
    .where('public_id', '=', attempt)
    .executeTakeFirstOrThrow()
  return {
    id: begun.id,
    reference: begun.provider_reference ?? '',
    amount: { minor: BigInt(begun.amount_minor), currency: begun.currency },
  }
}

/** An order's payer pays all of it, or what is said, and the shop finds it out by asking. @returns our id of the payment */
export async function payFor(
  ctx: Ctx,
  fake: FakePayments,
  order: Payable,
  minor?: bigint,
  { currency, ...way }: Way & { readonly currency?: string } = {},
): Promise<string> {
  const services = paidAt(fake)
  const { id, amount } = await beginPaying(ctx, services, order, {
    provider: fake.provider.code,
    ...way,
  })
  fake.pay(id, { minor: minor ?? amount.minor, currency: currency ?? amount.currency })
  await checkPayment(ctx, services, id)
  return id
}
