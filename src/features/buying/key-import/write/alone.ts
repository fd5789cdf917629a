import { sql } from 'kysely'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import { inTurn, noteGiven, type Turn } from '#features/team/approval/commands.ts'
import { isAboveRole, type Act } from '#features/team/approval/rules.ts'
import { COUNTED, readCounts, readShopLimit } from '#features/team/approval/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { AppError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import { COUNTED_HOURS, needsApproval } from '../rules.ts'

const HOUR_MS = 3_600_000

export interface Worth {
  readonly money: Money
  readonly usdMinor: bigint | null
}

/** What new keys count against the limit: what they cost, and never less than half of what they are sold for, whatever was said they cost. */
export async function worthOf(
  tx: Tx,
  {
    cost,
    price,
    fresh,
  }: { readonly cost: Money | null; readonly price: Money; readonly fresh: number },
): Promise<Worth> {
  const all = ({ minor, currency }: Money): Money => ({ minor: minor * BigInt(fresh), currency })
  const worth = async (money: Money) => ({ money, usdMinor: await readUsdMinor(tx, money) })
  if (!cost) return worth(all(price))
  const half = await worth(all({ minor: price.minor / 2n, currency: price.currency }))
  const said = await worth(all(cost))
  const isTooLow = said.usdMinor !== null && (half.usdMinor ?? 0n) > said.usdMinor
  return isTooLow ? half : said
}

/** An act by which keys come in. */
export const importAct = (subject: string, worth: Worth, details: Act['details']) =>
  ({
    kind: 'key_import',
    subject,
    accountId: null,
    orderId: null,
    ...worth,
    details,
  }) as const

/** Whether an operator may take keys alone, with what they took so within a day; where they may, it is written down. */
export async function takeAlone(
  tx: Turn,
  ctx: OperatorCtx,
  act: ReturnType<typeof importAct>,
): Promise<boolean> {
  const { minor } = await readCounts(tx, act)
  const limit = await readShopLimit(tx, 'imported')
  const counted = await countTaken(tx, ctx.actor, ctx.now())
  const sums = { toSame: counted, toAll: counted, given: 0n, forOrder: 0n }
  const isAbove = isAboveRole(ctx.operator, { kind: act.kind, minor }, sums)
  if (isAbove || needsApproval(minor, counted, limit)) return false
  await noteGiven(tx, ctx, act)
  return true
}

/**
 * What an operator took alone within the hours that count, in minor units of the shop's currency. Imports of releases before, which noted no
 * act, count as well: nobody begins anew by an upgrade.
 */
async function countTaken(tx: Turn, actor: string, now: Date): Promise<bigint> {
  const since = new Date(now.getTime() - COUNTED_HOURS * HOUR_MS)
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(counted), 0)::text as sum from (
      select ${COUNTED} as counted from operator_act
      where decided_by = ${actor} and status = 'given' and decided_at > ${since} and kind = 'key_import'
      union all
      select in_shop_currency(n.usd_minor, 'USD') from key_import n
      where n.taken_by = ${actor} and n.taken_at > ${since} and n.approved_by is null
        and not exists (select from operator_act a where a.decided_by = ${actor} and a.decided_at > ${since} and a.kind = 'key_import' and a.subject = n.id::text and a.status = 'given')
    ) taken`.execute(tx)
  return BigInt(rows[0]?.sum ?? 0)
}

/**
 * Counts the new keys of a file that a command takes, which are worth what they are sold for. Throws 'not_found', and 'needs_another' where
 * they are more than the operator may take alone.
 */
export async function takeFileAlone(
  ctx: OperatorCtx,
  {
    itemCode,
    fileName,
    fresh,
  }: { readonly itemCode: string; readonly fileName: string; readonly fresh: number },
): Promise<void> {
  await inTurn(ctx, async (tx) => {
    const item = await tx
      .selectFrom('item')
      .select(['price_minor', 'price_currency'])
      .where('code', '=', itemCode)
      .executeTakeFirst()
    if (!item) throw new AppError('not_found')
    const price = { minor: BigInt(item.price_minor), currency: item.price_currency }
    const worth = await worthOf(tx, { cost: null, price, fresh })
    const details = { item: itemCode, keys: fresh, file: fileName }
    if (!(await takeAlone(tx, ctx, importAct(ctx.newId(), worth, details))))
      throw new AppError('needs_another')
  })
}
