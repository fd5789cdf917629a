import type { Ctx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { sha256 } from '#platform/secrets.ts'
import { isSecret, targetAt, type Verification, type VerificationPurpose } from './rules.ts'

export interface SecretQuery {
  readonly purpose: VerificationPurpose
  readonly secret: string
}

/** Columns of a `Verification`. */
export const VERIFICATION_COLUMNS = [
  'id',
  'purpose',
  'account_id',
  'target',
  'data',
  'expires_at',
] as const

interface VerificationRow {
  readonly id: string
  readonly purpose: VerificationPurpose
  readonly account_id: string | null
  readonly target: string
  readonly data: unknown
  readonly expires_at: Date
}

/**
 * What a link or a ticket stands for, without using it up: for the page that shows its button. Null when it has expired,
 * was used or never was.
 */
export async function peekSecret(
  db: Db,
  ctx: Pick<Ctx, 'now'>,
  query: SecretQuery,
): Promise<Verification | null> {
  if (!isSecret(query.secret)) return null
  const row = await db
    .selectFrom('verification')
    .select(VERIFICATION_COLUMNS)
    .where('secret_hash', '=', sha256(query.secret))
    .where('purpose', '=', query.purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst()
  return row ? toVerification(row) : null
}

export function toVerification(row: VerificationRow): Verification {
  return {
    id: row.id,
    purpose: row.purpose,
    accountId: row.account_id,
    target: targetAt(row.target),
    data: row.data as Readonly<Record<string, unknown>>,
    expiresAt: row.expires_at,
  }
}
