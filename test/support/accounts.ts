import type { Ctx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'

export interface TestAccount {
  readonly userName?: string
  readonly nickname?: string
  readonly email?: string
  readonly passwordHash?: string
  /** A cancelling account asked to leave now and has 30 days. */
  readonly status?: 'active' | 'cancelling'
}

const GRACE_MS = 30 * 86_400_000
let serial = 0

/** An account as registration leaves it, straight in its table. @returns its id */
export async function addAccount(
  ctx: Ctx,
  { userName, nickname, email, passwordHash, status = 'active' }: TestAccount = {},
): Promise<string> {
  const id = ctx.newId()
  const now = ctx.now()
  const number = (serial += 1)
  const leaving =
    status === 'cancelling'
      ? { status, cancel_requested_at: now, erase_at: new Date(now.getTime() + GRACE_MS) }
      : {}
  await ctx.db
    .insertInto('account')
    .values({
      id,
      user_id: newPublicId(ctx),
      uid: String(100_000_000 + number),
      user_name: userName ?? `shopper${number}`,
      nickname: nickname ?? `Shopper ${number}`,
      email: email ?? `shopper${number}@example.com`,
      email_verified_at: now,
      password_hash: passwordHash ?? null,
      language: 'en',
      registered_at: now,
      ...leaving,
    })
    .execute()
  return id
}
