import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Money } from '#kernel/money.ts'
import {
  ProviderRefusal,
  type PaymentProvider,
  type PaymentRequest,
  type ProviderPayment,
} from '#providers/payment/provider.ts'
import type { PaymentBench, PaymentContract } from './payment-bench.ts'

/** How every payment provider must behave. */
export function paymentContract(
  name: string,
  { open, amounts, untaken, cannot }: PaymentContract,
): void {
  const can = (what: PaymentContract['cannot'][number]) => !cannot.includes(what)
  const [usual = { minor: 0n, currency: 'USD' }] = amounts

  describe(`${name} as a payment provider`, () => {
    let bench: PaymentBench
    beforeAll(async () => {
      bench = await open()
    })
    afterAll(() => bench.close())
    const request = (amount: Money = usual): PaymentRequest => ({
      ourReference: randomUUID(),
      amount: { minor: amount.minor, currency: amount.currency },
      orderNumber: '123456789012',
      startedAt: bench.now(),
      returnUrl: 'https://shop.example/order/pay?order=abc',
      language: 'de',
    })
    const paid = async (amount: Money = usual) => {
      const asked = request(amount)
      const made = await bench.provider.create(asked)
      await bench.pay(made)
      return { asked, made, told: await bench.provider.fetch(made.reference) }
    }
    const refundOf = (made: ProviderPayment, minor: bigint, currency = usual.currency) => ({
      ourReference: randomUUID(),
      paymentReference: made.reference,
      amount: { minor, currency },
    })

    test('a payment is made once, however often it is asked for, and comes back under our name', async () => {
      const asked = request()
      const [first, second] = [
        await bench.provider.create(asked),
        await bench.provider.create(asked),
      ]
      expect(first).toMatchObject({
        ourReference: asked.ourReference,
        status: 'requires_action',
        captured: null,
        reversed: null,
        isDisputed: false,
      })
      expect(first.redirectUrl).toMatch(/^(?:https?:\/)?\//)
      expect(second).toEqual(first)
      expect(await bench.provider.fetch(first.reference)).toEqual(first)
    })

    test.each(
      amounts.map(
        (amount) => [`${amount.minor} minor units of ${amount.currency}`, amount] as const,
      ),
    )('%s are asked for and taken exactly', async (_, amount) => {
      const { made, told } = await paid(amount)
      if (bench.asks) expect(bench.asks(made)).toBe(amount.shown)
      expect(told).toMatchObject({
        reference: made.reference,
        ourReference: made.ourReference,
        status: 'captured',
        captured: { minor: amount.minor, currency: amount.currency },
      })
    })

    test('limits hold at create', async () => {
      const limits = bench.provider.limits(usual.currency)
      expect(limits).not.toBeNull()
      if (limits)
        await expect(
          bench.provider.create(
            request({ minor: limits.max + limits.step, currency: usual.currency }),
          ),
        ).rejects.toThrow(ProviderRefusal)
      if (untaken === null) return
      expect(bench.provider.limits(untaken)).toBeNull()
      await expect(
        bench.provider.create(request({ minor: 1_000n, currency: untaken })),
      ).rejects.toThrow(ProviderRefusal)
    })

    test.skipIf(!can('cancel'))('an unpaid payment can be ended, once and again', async () => {
      const made = await bench.provider.create(request())
      const ended = await bench.provider.cancel(made.reference)
      expect(['voided', 'expired']).toContain(ended.status)
      expect(ended).toMatchObject({
        reference: made.reference,
        ourReference: made.ourReference,
        captured: null,
        redirectUrl: null,
      })
      expect((await bench.provider.cancel(made.reference)).status).toBe(ended.status)
      expect((await bench.provider.fetch(made.reference)).status).toBe(ended.status)
    })

    test.skipIf(!can('cancel'))('a paid payment is not ended: its money is told of', async () => {
      const { made, told } = await paid()
      expect(await bench.provider.cancel(made.reference)).toEqual(told)
    })

    test('a payment that is unknown is refused', async () => {
      await expect(bench.provider.fetch(randomUUID())).rejects.toThrow(ProviderRefusal)
    })

    refunds(can('refund'), can('part'), () => bench, paid, refundOf, usual)
    notices(can('notice'), () => bench, paid)
    faults(can('fail'), can('refund'), () => bench, request, paid, refundOf)

    test.skipIf(!can('dispute'))(
      'a dispute is told of while it is open, and what the bank took for good',
      async () => {
        const [one, other] = [await paid(), await paid()]
        for (const { made } of [one, other]) await bench.dispute?.(made, 'open')
        expect(await bench.provider.fetch(one.made.reference)).toMatchObject({
          status: 'captured',
          isDisputed: true,
          reversed: null,
        })
        await bench.dispute?.(one.made, 'won')
        await bench.dispute?.(other.made, 'lost')
        expect(await bench.provider.fetch(one.made.reference)).toMatchObject({
          isDisputed: false,
          reversed: null,
        })
        expect(await bench.provider.fetch(other.made.reference)).toMatchObject({
          isDisputed: false,
          reversed: { minor: usual.minor, currency: usual.currency },
          captured: one.told.captured,
        })
      },
    )

    test.skipIf(!can('dispute'))(
      'what the bank has given back is not told as taken any more',
      async () => {
        const { made, told } = await paid()
        for (const what of ['open', 'lost', 'given_back'] as const)
          await bench.dispute?.(made, what)
        expect(await bench.provider.fetch(made.reference)).toMatchObject({
          status: 'captured',
          isDisputed: false,
          reversed: null,
          captured: told.captured,
        })
      },
    )

    test.skipIf(!can('refund_failure'))(
      'a refund that came back is told as failed, and its money can be given back once more',
      async () => {
        const { made } = await paid()
        const asked = refundOf(made, usual.minor)
        expect((await bench.provider.refund(asked)).status).toBe('succeeded')
        await bench.failRefund?.(made)
        const failed = await bench.provider.findRefund(asked)
        expect(failed).toMatchObject({ status: 'failed' })
        expect(failed?.failure).toBeTruthy()
        expect(await bench.provider.refund(asked)).toEqual(failed)
        expect((await bench.provider.refund(refundOf(made, usual.minor))).status).toBe('succeeded')
      },
    )

    test.skipIf(!can('list'))('payments of a span of time are listed', async () => {
      const { made, told } = await paid()
      const at = bench.now().getTime()
      const found = await listed(bench.provider, at - 3_600_000, at + 3_600_000)
      expect(found.find(({ reference }) => reference === made.reference)).toEqual(told)
      expect(await listed(bench.provider, at - 7_200_000, at - 3_600_000)).toEqual([])
    })
  })
}

async function listed(
  provider: PaymentProvider,
  since: number,
  until: number,
): Promise<ProviderPayment[]> {
  const found: ProviderPayment[] = []
  for await (const payment of provider.list({ since: new Date(since), until: new Date(until) }))
    found.push(payment)
  return found
}

type Paid = () => Promise<{ readonly made: ProviderPayment }>
type RefundOf = (
  made: ProviderPayment,
  minor: bigint,
  currency?: string,
) => Parameters<PaymentProvider['refund']>[0]

function refunds(
  isTested: boolean,
  hasParts: boolean,
  bench: () => PaymentBench,
  paid: Paid,
  refundOf: RefundOf,
  usual: Money,
): void {
  test.skipIf(!isTested)(
    'a refund of everything is made once, however often it is asked for, and is found by our name',
    async () => {
      const { made } = await paid()
      const asked = refundOf(made, usual.minor)
      expect(await bench().provider.findRefund(asked)).toBeNull()
      const first = await bench().provider.refund(asked)
      expect(['succeeded', 'pending']).toContain(first.status)
      expect(await bench().provider.refund(asked)).toEqual(first)
      expect(await bench().provider.findRefund(asked)).toEqual(first)
      await expect(bench().provider.refund(refundOf(made, usual.minor))).rejects.toThrow(
        ProviderRefusal,
      )
      expect((await bench().provider.fetch(made.reference)).captured).toEqual({
        minor: usual.minor,
        currency: usual.currency,
      })
    },
  )

  test.skipIf(!isTested || !hasParts)(
    'a part can be given back, and then the rest, and no more',
    async () => {
      const { made } = await paid()
      const part = usual.minor / 4n
      expect((await bench().provider.refund(refundOf(made, part))).status).not.toBe('failed')
      await expect(
        bench().provider.refund(refundOf(made, usual.minor - part + 1n)),
      ).rejects.toThrow(ProviderRefusal)
      expect((await bench().provider.refund(refundOf(made, usual.minor - part))).status).not.toBe(
        'failed',
      )
    },
  )

  test.skipIf(!isTested)(
    'more than was taken, another currency and an unpaid payment are refused',
    async () => {
      const { made } = await paid()
      await expect(bench().provider.refund(refundOf(made, usual.minor + 1n))).rejects.toThrow(
        ProviderRefusal,
      )
      await expect(
        bench().provider.refund(
          refundOf(made, usual.minor, usual.currency === 'EUR' ? 'USD' : 'EUR'),
        ),
      ).rejects.toThrow(ProviderRefusal)
    },
  )
}

const LONG_MS = 10 * 24 * 3_600_000

function notices(isTested: boolean, bench: () => PaymentBench, paid: Paid): void {
  const sent = async () => {
    const { made } = await paid()
    const notice = bench().notice?.(made)
    if (!notice) throw new Error('there is no notice')
    const read = (body = notice.body, headers = notice.headers, now = bench().now()) =>
      bench().provider.readNotice(body, headers, now)
    return { made, read, ...notice }
  }

  test.skipIf(!isTested)(
    'a notice leads to its payment, and is the same when it comes twice',
    async () => {
      const { made, read } = await sent()
      const notice = await read()
      expect(notice.eventId).not.toBe('')
      expect(await read()).toEqual(notice)
      expect((await bench().provider.fetch(notice.paymentReference ?? '')).reference).toBe(
        made.reference,
      )
    },
  )

  test.skipIf(!isTested)(
    'a notice that was changed, cut off, not signed, or kept for long is refused',
    async () => {
      const { read, body, headers } = await sent()
      const changed = Buffer.from(Buffer.from(body).toString().replace(/"(\w)/, '"x$1'))
      await expect(read(changed)).rejects.toThrow(ProviderRefusal)
      await expect(read(body.slice(0, -9))).rejects.toThrow(ProviderRefusal)
      await expect(read(new Uint8Array())).rejects.toThrow(ProviderRefusal)
      await expect(read(body, new Headers())).rejects.toThrow(ProviderRefusal)
      const cut = new Headers(
        [...headers].map(([key, value]): [string, string] => [
          key,
          value.slice(0, Math.ceil(value.length / 2)),
        ]),
      )
      await expect(read(body, cut)).rejects.toThrow(ProviderRefusal)
      await expect(
        read(body, headers, new Date(bench().now().getTime() + LONG_MS)),
      ).rejects.toThrow(ProviderRefusal)
    },
  )
}

function faults(
  isTested: boolean,
  hasRefunds: boolean,
  bench: () => PaymentBench,
  request: () => PaymentRequest,
  paid: Paid,
  refundOf: RefundOf,
): void {
  const doubt = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(ProviderRefusal)
  }
  const kinds = ['fault', 'too_many', 'lost_request', 'lost_answer', 'silent'] as const

  test.skipIf(!isTested).each(kinds)(
    'a payment whose making ends in %s is in doubt, and asked for again it is made',
    async (fault) => {
      const asked = request()
      bench().fail?.('create', fault)
      await doubt(bench().provider.create(asked))
      const made = await bench().provider.create(asked)
      expect(made).toMatchObject({ ourReference: asked.ourReference, status: 'requires_action' })
      expect(await bench().provider.create(asked)).toEqual(made)
    },
  )

  test.skipIf(!isTested).each(kinds)(
    'a payment whose fetching ends in %s is in doubt',
    async (fault) => {
      const { made } = await paid()
      bench().fail?.('fetch', fault)
      await doubt(bench().provider.fetch(made.reference))
      expect((await bench().provider.fetch(made.reference)).status).toBe('captured')
    },
  )

  test
    .skipIf(!isTested || !hasRefunds)
    .each(['too_many', 'lost_request', 'lost_answer', 'silent'] as const)(
    'a refund that ends in %s is in doubt, and never made twice',
    async (fault) => {
      const { made } = await paid()
      const asked = refundOf(made, 100n)
      bench().fail?.('refund', fault)
      await doubt(bench().provider.refund(asked))
      const isDone = fault === 'lost_answer' || fault === 'silent'
      const found = await bench().provider.findRefund(asked)
      expect(found !== null).toBe(isDone)
      const done = await bench().provider.refund(asked)
      if (found) expect(done.reference).toBe(found.reference)
      expect(await bench().provider.findRefund(asked)).toEqual(done)
    },
  )
}
