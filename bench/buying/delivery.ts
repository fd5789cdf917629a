import { sql } from 'kysely'
import { recordNotice } from '#features/buying/payment/commands.ts'
import { settleNotice } from '#features/buying/payment/flows.ts'
import type { Ctx } from '#platform/ctx.ts'
import {
  ProviderRefusal,
  type PaymentProvider,
  type ProviderPayment,
} from '#providers/payment/provider.ts'
import { quantile } from '../load/client.ts'

export const CLIENTS = 16

export interface Paced {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

/** As many at once as there are clients, each beginning its next when its last is done, until the work or the time is over. */
export async function atOnce(
  seconds: number,
  work: () => Promise<unknown> | null,
): Promise<Paced & { readonly count: number }> {
  const times: number[] = []
  const began = performance.now()
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (;;) {
        const start = performance.now()
        if (start - began > seconds * 1000) return
        const doing = work()
        if (doing === null) return
        await doing
        times.push(performance.now() - start)
      }
    }),
  )
  const perSecond = (times.length * 1000) / (performance.now() - began)
  const sorted = Float64Array.from(times).sort()
  return { perSecond, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), count: times.length }
}

const ROWS = 100_000

/** The yardstick: one row of many is updated by its key, each time in a transaction of its own. */
export async function measureUpdates(ctx: Ctx, seconds: number): Promise<Paced> {
  await sql`create table if not exists bench_row as select n as id, 0 as value from generate_series(1, ${sql.lit(ROWS)}) as n`.execute(
    ctx.db,
  )
  await sql`create unique index if not exists bench_row_id on bench_row (id)`.execute(ctx.db)
  let next = 0
  return atOnce(seconds, () => {
    next = (next + 7_919) % ROWS
    return sql`update bench_row set value = value + 1 where id = ${next + 1}`.execute(ctx.db)
  })
}

/** A provider whose payments are all paid exactly, and answers at once: what is measured is the shop. */
export function paidAtOnce(currency: string, minor: bigint): PaymentProvider {
  const payment = (reference: string): ProviderPayment => ({
    reference,
    ourReference: reference.slice('bench_'.length),
    status: 'captured',
    captured: { minor, currency },
    isDisputed: false,
    reversed: null,
    redirectUrl: null,
    failure: null,
  })
  const refuse = () => Promise.reject(new ProviderRefusal('only asked about payments'))
  return {
    code: 'bench',
    limits: () => null,
    create: refuse,
    refund: refuse,
    findRefund: refuse,
    cancel: refuse,
    fetch: async (reference) => payment(reference),
    readNotice: () => {
      throw new ProviderRefusal('it sends no notices')
    },
    list: async function* () {},
  }
}

/**
 * Whole deliveries: the notice stored, then worked off, which books the money, claims and delivers a key of the one hot item and
 * completes the order. A share of the notices comes twice, the second time at once with the first.
 */
export async function measureDeliveries(
  ctx: Ctx,
  attempts: string[],
  { seconds, twice }: { readonly seconds: number; readonly twice: number },
): Promise<Paced & { readonly count: number }> {
  const services = {
    providers: new Map([['bench', paidAtOnce('USD', 1_030n)]]),
    publicUrl: 'https://shop.example',
  }
  let taken = 0
  const deliver = async (attempt: string) => {
    const notice = {
      eventId: `evt_${attempt}`,
      kind: 'captured',
      paymentReference: `bench_${attempt}`,
    }
    await recordNotice(ctx, 'bench', notice, Buffer.from('{}'))
    await settleNotice(ctx, services, {
      provider: 'bench',
      eventId: notice.eventId,
      reference: notice.paymentReference,
    })
  }
  return atOnce(seconds, () => {
    const attempt = attempts.pop()
    if (attempt === undefined) return null
    taken += 1
    return (taken * twice) % 1 < twice
      ? Promise.all([deliver(attempt), deliver(attempt)])
      : deliver(attempt)
  })
}
