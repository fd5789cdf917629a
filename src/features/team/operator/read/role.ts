import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import {
  LIMITED_PERMISSIONS,
  PERMISSIONS,
  type LimitedPermission,
  type Operator,
  type OwnRole,
  type Powers,
} from '../rules.ts'

/** What a row of an operator with its role says, where `operator_role` is joined as `r`. */
export const POWER_COLUMNS = ['r.permissions', 'r.limits', 'r.name as role_name'] as const

interface PowerRow {
  readonly role_name: string | null
  readonly permissions: readonly string[] | null
  readonly limits: unknown
}

export const operatorOf = (
  row: PowerRow & { readonly id: string; readonly name: string; readonly role: string },
): Operator => {
  const own = ownOf(row)
  return { id: row.id, name: row.name, role: row.role, ...(own ? { own } : {}) }
}

/** What a release after this one knows beside is nothing here. */
function ownOf({ permissions, limits, role_name: name }: PowerRow): OwnRole | null {
  if (permissions === null || name === null) return null
  const given = limits !== null && typeof limits === 'object' ? Object.entries(limits) : []
  const stored = new Map<string, unknown>(given)
  const read: Partial<Record<LimitedPermission, bigint | null>> = {}
  for (const one of LIMITED_PERMISSIONS) {
    const limit = stored.get(one)
    if (limit === null) read[one] = null
    else if (typeof limit === 'string' && /^\d{1,18}$/.test(limit)) read[one] = BigInt(limit)
  }
  return { name, permissions: PERMISSIONS.filter((one) => permissions.includes(one)), limits: read }
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
  return row ? { role: row.code, own: ownOf(row), version: row.version } : null
}
