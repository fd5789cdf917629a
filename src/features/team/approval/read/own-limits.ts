import { sql } from 'kysely'
import { readShopCurrency, type ShopCurrency } from '#features/base/shop/queries.ts'
import {
  LIMITED_PERMISSIONS,
  limitOf,
  mayDo,
  TOTAL_LIMITS,
  totalLimitOf,
  type LimitedPermission,
  type Operator,
  type TotalLimit,
} from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import type { Db } from '#platform/db.ts'
import { COUNTED_HOURS, GIVING_KINDS } from '../rules.ts'
import { COUNTED } from './counted.ts'

const HOUR_MS = 3_600_000

interface Used {
  readonly used: bigint
  /** Null for no limit. */
  readonly limit: bigint | null
}

/** What an operator has given, of what they may, in minor units of the shop's currency. */
export interface OwnLimits {
  readonly currency: ShopCurrency
  /** By whatever means: to everybody within the hours that count, and for the order that they gave most for in them. */
  readonly totals: readonly (Used & { readonly total: TotalLimit })[]
  /** By each permission they have: to everybody in those hours, with what they may give one shopper. */
  readonly permissions: readonly (Used & { readonly permission: LimitedPermission })[]
}

export async function readOwnLimits(
  db: Db,
  { actor, operator }: { readonly actor: string; readonly operator: Operator },
  now: Date,
): Promise<OwnLimits> {
  const since = new Date(now.getTime() - COUNTED_HOURS * HOUR_MS)
  const giving = [...GIVING_KINDS]
  const [currency, sums, orders] = await Promise.all([
    readShopCurrency(db),
    sql<{ permission: string; moved: string; given: string }>`
      select permission, coalesce(sum(counted), 0)::text as moved, coalesce(sum(counted) filter (where kind = any(${giving})), 0)::text as given
      from (select permission, kind, ${COUNTED} as counted from operator_act
        where decided_by = ${actor} and status in ('given','approved') and decided_at > ${since}) a group by permission`.execute(
      db,
    ),
    sql<{ most: string }>`
      select coalesce(max(o.given), 0)::text as most from (
        select distinct order_id from operator_act where decided_by = ${actor} and status in ('given','approved') and decided_at > ${since} and kind = any(${giving})
      ) a cross join lateral (select sum(${COUNTED}) as given from operator_act where order_id = a.order_id and decided_by = ${actor}
        and status in ('given','approved') and kind = any(${giving})) o`.execute(db),
  ])
  const used: Readonly<Record<TotalLimit, bigint>> = {
    day: sums.rows.reduce((sum, { given }) => sum + BigInt(given), 0n),
    order: BigInt(present(orders.rows[0], 'a sum').most),
  }
  const moved = new Map(sums.rows.map((row) => [row.permission, BigInt(row.moved)]))
  return {
    currency,
    totals: TOTAL_LIMITS.map((total) => ({
      total,
      used: used[total],
      limit: totalLimitOf(operator, total),
    })),
    permissions: LIMITED_PERMISSIONS.filter((one) => mayDo(operator, one)).map((permission) => ({
      permission,
      used: moved.get(permission) ?? 0n,
      limit: limitOf(operator, permission),
    })),
  }
}
