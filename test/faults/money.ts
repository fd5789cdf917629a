import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Ctx } from '#platform/ctx.ts'
import type { Line } from '../../src/sandbox/payment/book.ts'
import type { Journal } from './journal.ts'
import type { FaultShop } from './shop.ts'
import { findFaults } from './verdict.ts'

/** What the payment service says of a payment, in minor units: taken, given back, and taken back by the payer's bank. */
interface ServiceRecord {
  taken: bigint
  returned: bigint
  reversed: bigint
}

const SETTLED_MS = 180_000
const LOOK_EVERY_MS = 2_000

/**
 * Waits until refunds and late money have come to their end. @returns what is wrong then: promises, the journal, and every payment of which
 * the payment service says something else than the shop's books
 */
export async function findFaultsOnceSettled(
  shop: FaultShop,
  journal: Journal,
): Promise<readonly string[]> {
  for (const until = performance.now() + SETTLED_MS; ; await sleep(LOOK_EVERY_MS)) {
    const told = readService(shop.home)
    const faults = await shop.withCtx(async (ctx) => [
      ...(await findFaults(ctx, journal)),
      ...(await findMismatched(ctx, told)),
    ])
    if (faults.length === 0 || performance.now() > until) return faults
  }
}

/** The payment service's own books: its journal, of which a half line may be the last. */
function readService(home: string): Map<string, ServiceRecord> {
  const sessions = new Map<string, Line['session']>()
  const refunds = new Map<string, Line['refund']>()
  for (const text of readFileSync(join(home, 'sandbox/payment/journal.ndjson'), 'utf8').split(
    '\n',
  )) {
    const line = parsed(text)
    if (line?.session) sessions.set(line.session.id, line.session)
    if (line?.refund) refunds.set(line.refund.our_reference, line.refund)
  }
  const told = new Map<string, ServiceRecord>()
  for (const [id, session] of sessions)
    if (session?.captured)
      told.set(id, {
        taken: BigInt(session.captured.amount),
        returned: 0n,
        reversed: BigInt(session.reversed),
      })
  for (const refund of refunds.values()) {
    const payment = refund?.status === 'succeeded' ? told.get(refund.session) : undefined
    if (refund && payment) payment.returned += BigInt(refund.amount)
  }
  return told
}

function parsed(text: string): Line | null {
  try {
    return JSON.parse(text) as Line
  } catch {
    return null
  }
}

interface Booked {
  readonly reference: string
  readonly taken: string
  readonly returned: string
  readonly reversed: string
  readonly isOverAndKept: boolean
}

async function findMismatched(
  ctx: Ctx,
  told: ReadonlyMap<string, ServiceRecord>,
): Promise<string[]> {
  const { rows } = await sql<Booked>`
    select p.provider_reference as reference, p.captured_minor::text as taken, p.reversed_minor::text as reversed,
      (select coalesce(sum(r.amount_minor), 0) from refund r where r.attempt_id = p.id and r.status = 'succeeded' and r.purpose <> 'reversal' and r.destination = 'original')::text as returned,
      o.ended is not null and o.settled_at is null and p.captured_minor > p.refunded_minor as "isOverAndKept"
    from payment_attempt p join shop_order o on o.id = p.order_id where p.provider = 'sandbox' and p.provider_reference is not null`.execute(
    ctx.db,
  )
  const booked = new Map(rows.map((row) => [row.reference, row]))
  const differing = [...told].flatMap(([reference, { taken, returned, reversed }]) => {
    const row = booked.get(reference)
    const isSame =
      row?.taken === String(taken) &&
      row.returned === String(returned) &&
      row.reversed === String(reversed)
    return isSame
      ? []
      : [
          `the payment service took ${taken}, gave back ${returned} and lost ${reversed} of ${reference}; the books say ${JSON.stringify(row)}`,
        ]
  })
  const made = rows
    .filter(({ reference, taken }) => taken !== '0' && !told.has(reference))
    .map(({ reference }) => `the books know of money that nobody took: ${reference}`)
  const kept = rows
    .filter(({ isOverAndKept }) => isOverAndKept)
    .map(({ reference }) => `money of an order that is over is kept: ${reference}`)
  return [...differing, ...made, ...kept]
}
