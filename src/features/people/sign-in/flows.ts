import {
  auditAccount,
  noteShut,
  openSession,
  secondFactorNeeded,
} from '#features/people/account/commands.ts'
import { findAccount, findAccountById, lockPassword } from '#features/people/account/queries.ts'
import { accountNameOf, type Account, type AccountName } from '#features/people/account/rules.ts'
import { hasSecondFactor } from '#features/people/factor/queries.ts'
import {
  countStrangersTry,
  countTry,
  liftPauses,
  type CountedTry,
} from '#features/base/guard/commands.ts'
import { knownDevice } from '#features/people/device/commands.ts'
import type { SessionSecrets } from '#features/people/session/rules.ts'
import { consumeSecret } from '#features/people/verification/commands.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import { enqueue, transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { securityEvent } from '#platform/security-log.ts'
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
  const account = await findAccount(ctx.db, typed)
  const counted = await countSignIn(ctx, typed, account, wanted.visitor)
  if (!(await isRight(account, wanted.password, counted)) || !account) {
    await noteFailed(ctx, typed, counted)
    throw new AppError('sign_in_failed')
  }
  if (account.status !== 'active') {
    await noteShut(ctx, account.id, account)
    throw new AppError('sign_in_failed')
  }
  const outcome = await transaction(ctx, async (tx) => {
    await assertUnchanged(tx, account)
    if (await hasSecondFactor(tx, account.id)) return secondFactorNeeded(tx, ctx, account.id)
    return openSession(tx, ctx, {
      accountId: account.id,
      visitor: wanted.visitor,
      replaces: wanted.replaces ?? null,
    })
  })
  if (!isAppError(outcome)) return outcome
  securityEvent(ctx.log, 'sign_in.second_step', { account: account.id })
  throw outcome
}

/** Tries of strangers never count against a browser that the account was signed in with before. */
function countSignIn(
  ctx: Ctx,
  typed: AccountName,
  account: Account | null,
  visitor: Visitor,
): Promise<CountedTry> {
  const device = account && knownDevice(ctx, visitor.device, account.id)
  return account && device !== null
    ? countTry(ctx, { accountId: account.id, device })
    : countStrangersTry(ctx, typed, visitor)
}

/** A right one, and one that nobody had the time to judge, is taken back from what was counted. */
async function isRight(
  account: Account | null,
  password: string,
  { forgive }: CountedTry,
): Promise<boolean> {
  try {
    const isSame = await verifyPassword(account?.passwordHash ?? null, password)
    if (isSame) await forgive()
    return isSame
  } catch (error) {
    await forgive()
    throw error
  }
}

/** What was typed shows in the log by a keyed hash alone: the same name, whether it exists or not, gives the same one. */
async function noteFailed(
  ctx: Ctx,
  typed: AccountName,
  { beginsPause }: CountedTry,
): Promise<void> {
  const subject = ctx.keys
    .mac('security log', `${typed.kind} ${typed.text}`)
    .toString('hex')
    .slice(0, 16)
  securityEvent(ctx.log, 'sign_in.failed', { how: 'password', subject })
  if (!beginsPause) return
  securityEvent(ctx.log, 'sign_in.paused', { how: 'password', subject })
  await announcePause(ctx, typed)
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

/**
 * Lifts the pauses of an account by the mailed link. Throws `link_expired`.
 * @returns the account's id: the browser that shows the link is its owner's
 */
export function unfreeze(
  ctx: Ctx,
  { key, visitor }: { readonly key: string; readonly visitor: Visitor },
): Promise<string> {
  return transaction(ctx, async (tx) => {
    const { accountId } = await consumeSecret(tx, ctx, { purpose: 'unfreeze', secret: key })
    const account = accountId === null ? null : await findAccountById(tx, accountId)
    if (!account) throw new AppError('link_expired')
    await liftPauses(tx, ctx, account, {
      network: visitor.network,
      device: knownDevice(ctx, visitor.device, account.id),
    })
    await auditAccount(tx, ctx, account.id, 'unfreeze', [])
    securityEvent(ctx.log, 'sign_in.pause_lifted', { account: account.id })
    return account.id
  })
}
