import { sql } from 'kysely'
import { listSupplierBooks } from '#features/supply/purchase/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import { brokenPromises, unbalanced } from '../verdict.ts'

/** A sale in a supplier's own books; cents. */
export interface Sold {
  readonly supplier: string
  readonly reference: string
  readonly cost: number
  /** It stands: neither under way, failed nor taken back. */
  readonly isKept: boolean
}

export interface Bought {
  readonly unit: string
  readonly unitStatus: string
  readonly isHeld: boolean
  readonly reference: string | null
  readonly supplier: string | null
  readonly status: string | null
  readonly actual: number | null
  readonly isByPerson: boolean
}

/** Every unit with every attempt to buy it. */
export async function listBought(ctx: Ctx): Promise<Bought[]> {
  const { rows } = await sql<Bought>`
    select u.id as unit, u.status as "unitStatus", exists (select from supply_queue q where q.unit_id = u.id and q.held is not null) as "isHeld",
      p.reference, p.supplier, p.status, p.actual_minor::integer as actual,
      exists (select from audit_log a where a.action = 'purchase_settled' and a.subject_code = p.reference) as "isByPerson"
    from order_unit u left join purchase_unit n on n.unit_id = u.id left join purchase p on p.id = n.purchase_id order by u.id, p.created_at, p.id`.execute(
    ctx.db,
  )
  return rows
}

/** Everything that is wrong once all has come to its end, in the shop's own books and beside the suppliers'. */
export async function findFaults(
  ctx: Ctx,
  { units, sold }: { readonly units: number; readonly sold: readonly Sold[] },
): Promise<string[]> {
  const bought = await listBought(ctx)
  return [
    ...lost(bought, units),
    ...twice(bought, sold),
    ...(await differing(ctx, bought, sold)),
    ...(await brokenPromises(ctx)),
    ...(await unbalanced(ctx)),
  ]
}

const KNOWN = ['delivered', 'refund_due', 'refunded']

/** What was paid for is delivered, or its price goes back. */
function lost(bought: readonly Bought[], wanted: number): string[] {
  const states = new Map(bought.map(({ unit, unitStatus }) => [unit, unitStatus]))
  return [
    ...(states.size === wanted ? [] : [`${states.size} units are left of ${wanted}`]),
    ...[...states]
      .filter(([, status]) => !KNOWN.includes(status))
      .map(([unit, status]) => `a paid unit is ${status}: ${unit}`),
  ]
}

/** No attempt is sold twice, and no unit by two attempts, but where a supplier has broken its word and the shop knows. */
function twice(bought: readonly Bought[], sold: readonly Sold[]): string[] {
  const times = new Map<string, number>()
  for (const { reference } of sold) times.set(reference, (times.get(reference) ?? 0) + 1)
  const known = new Map(
    bought.flatMap((each) => (each.reference === null ? [] : [[each.reference, each] as const])),
  )
  const credits = new Map<string, number>()
  for (const { reference, isKept } of sold) {
    const attempt = known.get(reference)
    if (!isKept || !attempt || attempt.status === 'late') continue
    credits.set(attempt.unit, (credits.get(attempt.unit) ?? 0) + 1)
  }
  return [
    ...[...times]
      .filter(([, count]) => count > 1)
      .map(([reference, count]) => `one attempt was sold ${count} times: ${reference}`),
    ...[...times.keys()]
      .filter((reference) => !known.has(reference))
      .map((reference) => `a supplier has sold what the shop knows nothing of: ${reference}`),
    ...[...credits]
      .filter(([, count]) => count > 1)
      .map(([unit, count]) => `a unit was credited ${count} times: ${unit}`),
    ...bought
      .filter(({ unit, unitStatus }) => unitStatus !== 'delivered' && credits.has(unit))
      .filter(({ status }) => status !== 'reversed')
      .map(({ unit, unitStatus }) => `a credited unit is ${unitStatus}: ${unit}`),
  ]
}

/** Attempt by attempt, and in sum to the last unit. */
async function differing(
  ctx: Ctx,
  bought: readonly Bought[],
  sold: readonly Sold[],
): Promise<string[]> {
  const kept = new Map(
    sold.flatMap((sale) => (sale.isKept ? [[sale.reference, sale] as const] : [])),
  )
  const spent = new Map<string, number>()
  for (const { supplier, cost } of kept.values())
    spent.set(supplier, (spent.get(supplier) ?? 0) + cost)
  const faults: string[] = []
  for (const { reference, supplier, status, actual, isByPerson } of bought) {
    if (reference === null || supplier === null) continue
    const sale = kept.get(reference)
    const isPaid = status === 'done' || status === 'late'
    if (isPaid !== Boolean(sale))
      faults.push(`${reference} is ${status}, and at ${supplier} ${sale ? 'sold' : 'not sold'}`)
    if (!sale || actual === null) continue
    // A person says that it was delivered, not what it cost.
    if (isByPerson) spent.set(supplier, (spent.get(supplier) ?? 0) - sale.cost + actual)
    else if (sale.cost !== actual)
      faults.push(`${reference} cost ${actual}, and ${sale.cost} at ${supplier}`)
  }
  for (const { supplier, currency, prepaid, reserved } of await listSupplierBooks(ctx.db)) {
    const theirs = spent.get(supplier) ?? 0
    if (-Number(prepaid) !== theirs || Number(reserved) !== 0)
      faults.push(
        `${supplier} has taken ${theirs} ${currency}, the books say ${-Number(prepaid)}, and ${reserved} reserved`,
      )
  }
  return faults
}

/** Whoever has a card has one for each that was delivered, and nobody else has any of them. */
export async function cardFaults(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ unit: string; status: string; keys: number }>`
    select u.id as unit, u.status, count(k.id)::integer as keys from order_unit u left join card_key k on k.unit_id = u.id and k.status = 'delivered'
    group by u.id having count(k.id) <> (u.status = 'delivered')::integer`.execute(ctx.db)
  const { rows: twice } = await sql<{ count: number }>`
    select count(*)::integer as count from card_key group by fingerprint having count(*) > 1`.execute(
    ctx.db,
  )
  return [
    ...rows.map(({ unit, status, keys }) => `a unit that is ${status} has ${keys} cards: ${unit}`),
    ...twice.map(({ count }) => `one card is kept ${count} times`),
  ]
}

/** By the owner's rule the money for what a supplier has taken back is on its way back, once. */
export async function keptMoney(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ unit: string }>`
    select u.id as unit from order_unit u join purchase_unit n on n.unit_id = u.id and n.is_done join purchase p on p.id = n.purchase_id
    where p.status = 'reversed' and u.status = 'delivered'`.execute(ctx.db)
  return rows.map(({ unit }) => `the money for what was taken back is kept: ${unit}`)
}
