import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { operatorOf, POWER_COLUMNS } from './role.ts'

/** How an operator may show the second half of a sign-in. */
export type FactorWay = 'passkey' | 'code' | 'recovery'

/** Whether there is anything beside the password. */
export async function hasFactor(db: Db | Tx, operatorId: string): Promise<boolean> {
  const { hasApp, passkeys } = await readFactors(db, operatorId)
  return hasApp || passkeys.length > 0
}

export interface OperatorPasskey {
  /** Public id. */
  readonly id: string
  readonly name: string
  readonly isBackedUp: boolean
  readonly createdAt: Date
  readonly usedAt: Date | null
}

export interface OperatorFactors {
  readonly passkeys: readonly OperatorPasskey[]
  readonly hasApp: boolean
  readonly recoveryCodesLeft: number
}

export async function readFactors(db: Db | Tx, operatorId: string): Promise<OperatorFactors> {
  const passkeys = await db
    .selectFrom('operator_passkey')
    .select(['public_id', 'name', 'is_backed_up', 'created_at', 'used_at'])
    .where('operator_id', '=', operatorId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const app = await db
    .selectFrom('operator_totp')
    .select('operator_id')
    .where('operator_id', '=', operatorId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  const left = await db
    .selectFrom('operator_recovery_code')
    .select(({ fn }) => fn.countAll<string>().as('codes'))
    .where('operator_id', '=', operatorId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return {
    passkeys: passkeys.map((row) => ({
      id: row.public_id,
      name: row.name,
      isBackedUp: row.is_backed_up,
      createdAt: row.created_at,
      usedAt: row.used_at,
    })),
    hasApp: app !== undefined,
    recoveryCodesLeft: Number(left.codes),
  }
}

export function waysOf({ passkeys, hasApp, recoveryCodesLeft }: OperatorFactors): FactorWay[] {
  const isAny = passkeys.length > 0 || hasApp
  return [
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
    ...(hasApp ? (['code'] as const) : []),
    ...(isAny && recoveryCodesLeft > 0 ? (['recovery'] as const) : []),
  ]
}

/** A kept passkey, with whose it is; null for none, and for that of an operator who is disabled. */
export async function findOperatorPasskey(db: Db, credentialId: Buffer) {
  const row = await db
    .selectFrom('operator_passkey as p')
    .innerJoin('operator as o', 'o.id', 'p.operator_id')
    .innerJoin('operator_role as r', 'r.code', 'o.role')
    .select([
      ...POWER_COLUMNS,
      'p.id',
      'p.public_key',
      'p.counter',
      'o.id as operator_id',
      'o.name',
      'o.role',
      'o.handle',
    ])
    .where('p.credential_id', '=', credentialId)
    .where('o.status', '=', 'active')
    .executeTakeFirst()
  if (!row) return null
  return {
    id: row.id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    handle: row.handle,
    operator: operatorOf({ ...row, id: row.operator_id }),
  }
}

/** What passkeys an operator has already, for making another. */
export async function listCredentials(db: Db, operatorId: string) {
  const rows = await db
    .selectFrom('operator_passkey')
    .select(['credential_id', 'transports'])
    .where('operator_id', '=', operatorId)
    .execute()
  return rows.map((row) => ({ id: row.credential_id, transports: row.transports }))
}
