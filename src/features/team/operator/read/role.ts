import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import {
  LIMITED_PERMISSIONS,
  PERMISSIONS,
  TOTAL_LIMITS,
  type LimitedPermission,
  type Operator,
  type OwnRole,
  type Powers,
  type TotalLimit,
} from '../rules.ts'

/** Limits as they hold now, and what stands for a dollar in those that nobody has written. */
const LIMITS = sql<unknown>`limits_in_shop_currency(r.limits, r.limit_currency)`
const UNIT = sql<string>`shop_unit()::text`

/** What a row of an operator with its role says, where `operator_role` is joined as `r`. */
export const POWER_COLUMNS = [
  'r.permissions',
  'r.name as role_name',
  LIMITS.as('limits'),
  UNIT.as('unit'),
  'r.price_limit',
] as const

/** The same in a statement that is written out. */
export const POWERS = sql`r.permissions, r.name as role_name, ${LIMITS} as limits, ${UNIT} as unit, r.price_limit`

export interface PowerRow {
  readonly role_name: string | null
  readonly permissions: readonly string[] | null
  readonly limits: unknown
  readonly unit: string
  readonly price_limit: number | null
}

export const operatorOf = (
  row: PowerRow & { readonly id: string; readonly name: string; readonly role: string },
): Operator => {
  const own = ownOf(row)
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    unit: BigInt(row.unit),
    ...(own ? { own } : {}),
  }
}

/** What a total is called among the limits of a row; no permission is called so. */
export const keyOfTotal = (total: TotalLimit): string => `total.${total}`

/** What a release after this one knows beside is nothing here. */
function ownOf({
  permissions,
  limits,
  role_name: name,
  price_limit: priceLimit,
}: PowerRow): OwnRole | null {
  if (permissions === null || name === null) return null
  const given = limits !== null && typeof limits === 'object' ? Object.entries(limits) : []
  const stored = new Map<string, unknown>(given)
  const read: Partial<Record<LimitedPermission, bigint | null>> = {}
  for (const one of LIMITED_PERMISSIONS) {
    const limit = limitIn(stored, one)
    if (limit !== undefined) read[one] = limit
  }
  const totals: Partial<Record<TotalLimit, bigint | null>> = {}
  for (const one of TOTAL_LIMITS) {
    const limit = limitIn(stored, keyOfTotal(one))
    if (limit !== undefined) totals[one] = limit
  }
  const granted = PERMISSIONS.filter((one) => permissions.includes(one))
  return { name, permissions: granted, limits: read, totals, priceLimit }
}

/** Undefined for one that is not there, or that is none. */
function limitIn(stored: ReadonlyMap<string, unknown>, key: string): bigint | null | undefined {
  const limit = stored.get(key)
  if (limit === null) return null
  return typeof limit === 'string' && /^\d{1,30}$/.test(limit) ? BigInt(limit) : undefined
}

export interface ListedRole extends Powers {
  readonly own: OwnRole | null
  readonly version: number
  /** How many have it, those who are shut out too. */
  readonly people: number
}

/** The program's roles, and then the shop's own. */
export async function listRoles(db: Db): Promise<ListedRole[]> {
  const rows = await db
    .selectFrom('operator_role as r')
    .select(['r.code', 'r.version', ...POWER_COLUMNS])
    .select(({ selectFrom }) =>
      selectFrom('operator as o')
        .whereRef('o.role', '=', 'r.code')
        .select(({ fn }) => fn.countAll<string>().as('people'))
        .as('people'),
    )
    .orderBy('r.is_own')
    .orderBy('r.name')
    .orderBy('r.code')
    .execute()
  return rows.map((row) => ({
    role: row.code,
    own: ownOf(row),
    unit: BigInt(row.unit),
    version: row.version,
    people: Number(row.people ?? 0),
  }))
}

/** A role by its code; null for none. */
export async function findRole(
  db: Db | Tx,
  code: string,
): Promise<(Powers & { readonly version: number }) | null> {
  const row = await db
    .selectFrom('operator_role as r')
    .select(['r.code', 'r.version', ...POWER_COLUMNS])
    .where('r.code', '=', code)
    .executeTakeFirst()
  return row
    ? { role: row.code, own: ownOf(row), unit: BigInt(row.unit), version: row.version }
    : null
}
