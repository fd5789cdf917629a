import {
  auditAccount,
  openSession,
  secondFactorNeeded,
  tellOwner,
} from '#features/account/commands.ts'
import { findAccount, findAccountById, lockPassword } from '#features/account/queries.ts'
import { accountNameOf, type Account, type AccountName } from '#features/account/rules.ts'
import { hasSecondFactor } from '#features/factor/queries.ts'
import { countTry, forgetTries, liftPauses } from '#features/guard/commands.ts'
import { TOLD_AT_FAILURES } from '#features/guard/rules.ts'
import type { SessionSecrets } from '#features/session/rules.ts'
import { consumeSecret } from '#features/verification/commands.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import { enqueue, transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { assertHashingFree, verifyPassword } from '#platform/password-hash.ts'

export interface SignIn {
  /** E-mail address or user name, as typed. */
  readonly account: string
  readonly password: string
  readonly visitor: Visitor
  /** Id of the session the caller came with. */
  readonly replaces?: string | null
}

/**
 * Signs in with a password. Whether the account exists shows in nothing: the same refusal, the same work, the same pauses.
 * Throws `sign_in_failed`, `too_many_requests` during a pause or a rush, or `second_factor_needed` with the ticket for
 * `finishSecondFactor` as its data.
 */
export async function signIn(ctx: Ctx, wanted: SignIn): Promise<SessionSecrets> {
  const typed = accountNameOf(wanted.account)
  assertHashingFree()
  const failures = await countTry(ctx, { typed })
  const account = await findAccount(ctx.db, typed)
  const isRight = await verifyPassword(account?.passwordHash ?? null, wanted.password)
  if (!account || !isRight) {
    if (failures === TOLD_AT_FAILURES) await announcePause(ctx, typed)
    throw new AppError('sign_in_failed')
  }
  if (account.status !== 'active') {
    await transaction(ctx, (tx) => tellOwner(tx, ctx, account, 'sign_in_while_cancelling'))
    throw new AppError('sign_in_failed')
  }
  await forgetTries(ctx.db, ctx, { typed })
  const outcome = await transaction(ctx, async (tx) => {
    await assertUnchanged(tx, account)
    if (await hasSecondFactor(tx, account.id)) return secondFactorNeeded(tx, ctx, account.id)
    return openSession(tx, ctx, {
      accountId: account.id,
      visitor: wanted.visitor,
      replaces: wanted.replaces ?? null,
    })
  })
  if (isAppError(outcome)) throw outcome
  return outcome
}

/** Put down for every name alike; only the job looks whether somebody owns it. */
async function announcePause(ctx: Ctx, typed: AccountName): Promise<void> {
  const key = ctx.keys.mac('sign_in_paused', `${typed.kind} ${typed.text}`).toString('base64url')
  await transaction(ctx, (tx) => enqueue(tx, 'sign_in_paused', typed, `sign_in_paused:${key}`))
}

/** The password may have been changed while this one was being compared. */
async function assertUnchanged(tx: Tx, account: Account): Promise<void> {
  if (!(await lockPassword(tx, account))) throw new AppError('sign_in_failed')
}

/** Lifts the pauses of an account by the mailed link. Throws `link_expired`. */
export async function unfreeze(ctx: Ctx, { key }: { readonly key: string }): Promise<void> {
  await transaction(ctx, async (tx) => {
    const { accountId } = await consumeSecret(tx, ctx, { purpose: 'unfreeze', secret: key })
    const account = accountId === null ? null : await findAccountById(tx, accountId)
    if (!account) throw new AppError('link_expired')
    await liftPauses(tx, ctx, account)
    await auditAccount(tx, ctx, account.id, 'unfreeze', [])
  })
}
