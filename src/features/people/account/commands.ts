import { recordAudit } from '#features/base/audit/commands.ts'
import { liftPauses } from '#features/base/guard/commands.ts'
import { postMail } from '#features/people/mail/commands.ts'
import type { MailKind, MailParams } from '#features/people/mail/rules.ts'
import { postNotice } from '#features/people/notice/commands.ts'
import { endSessions, startSession, type NewSession } from '#features/people/session/commands.ts'
import type { SessionSecrets } from '#features/people/session/rules.ts'
import { issueVerification, withdrawVerifications } from '#features/people/verification/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { DEFAULT_LANGUAGE, type LanguageCode } from '#kernel/language.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { deviceOf } from '#platform/http/device-name.ts'
import { newPublicId } from '#platform/secrets.ts'
import { securityEvent } from '#platform/security-log.ts'
import { findAccountById } from './queries.ts'
import { FIELD, NICKNAME_MAX, nicknameOf, type Account } from './rules.ts'

export { changeLevel, setCustomerLevel } from './write/level.ts'
export {
  freezeAccount,
  lockActiveShopper,
  lockShopper,
  releaseAccount,
  type LockedShopper,
} from './write/shopper.ts'

export interface NewAccount {
  /** As `emailOf` gives it; proven to be theirs. */
  readonly email: string
  /** Null: one is made up. */
  readonly userName: string | null
  /** Null: the user name. */
  readonly nickname?: string | null
  /** Null for who comes through another service and has set none. */
  readonly passwordHash: string | null
  readonly language: LanguageCode
}

const DRAWS_MAX = 20
const UID_FIRST = 100_000_000
const UIDS = 900_000_000

/**
 * Makes an account, with its welcome. Throws `check_fields` with `user_name_taken`, or `email_taken`.
 * @returns its id
 */
export async function createAccount(tx: Tx, ctx: Ctx, wanted: NewAccount): Promise<string> {
  const now = ctx.now()
  for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
    const id = ctx.newId()
    const userName = wanted.userName ?? inventedUserName(ctx)
    const made = await tx
      .insertInto('account')
      .values({
        id,
        user_id: newPublicId(ctx),
        uid: String(UID_FIRST + drawBelow(ctx, UIDS)),
        user_name: userName,
        nickname: nicknameOf((wanted.nickname ?? userName).slice(0, NICKNAME_MAX)) ?? userName,
        email: wanted.email,
        email_verified_at: now,
        password_hash: wanted.passwordHash,
        password_changed_at: wanted.passwordHash === null ? null : now,
        language: wanted.language,
        registered_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) {
      await refuseTaken(tx, wanted)
      continue
    }
    await postNotice(tx, ctx, { accountId: id, kind: 'welcome', params: {} })
    await auditAccount(tx, ctx, id, 'create', [
      'user_name',
      'email',
      ...(wanted.passwordHash === null ? [] : ['password']),
    ])
    return id
  }
  throw new Error('no free uid was drawn')
}

/** Nothing is thrown where only a number drawn was taken. */
async function refuseTaken(tx: Tx, wanted: NewAccount): Promise<void> {
  if (wanted.userName !== null && (await isUserNameTaken(tx, wanted.userName, null)))
    throw fieldError(FIELD.userName, 'user_name_taken')
  const holder = await tx
    .selectFrom('account')
    .select('id')
    .where('email', '=', wanted.email)
    .executeTakeFirst()
  if (holder) throw new AppError('email_taken')
}

/** Whether an account other than the given one has the user name in any case of letters. */
export async function isUserNameTaken(
  tx: Tx | Ctx['db'],
  userName: string,
  except: string | null,
): Promise<boolean> {
  const holder = await tx
    .selectFrom('account')
    .select('id')
    .where((where) => where(where.fn<string>('lower', ['user_name']), '=', userName.toLowerCase()))
    .executeTakeFirst()
  return holder !== undefined && holder.id !== except
}

const NAME_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'

function inventedUserName({ random }: Pick<Ctx, 'random'>): string {
  return `user${Array.from(random(10), (byte) => NAME_LETTERS[byte % NAME_LETTERS.length]).join('')}`
}

function drawBelow({ random }: Pick<Ctx, 'random'>, limit: number): number {
  return Number(Buffer.from(random(8)).readBigUInt64BE() % BigInt(limit))
}

/** A uid that no account has. */
async function drawUid(tx: Tx, ctx: Pick<Ctx, 'random'>): Promise<string> {
  for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
    const uid = String(UID_FIRST + drawBelow(ctx, UIDS))
    if (!(await tx.selectFrom('account').select('id').where('uid', '=', uid).executeTakeFirst()))
      return uid
  }
  throw new Error('no free uid was drawn')
}

/**
 * Signs an account in: a session, and word to its owner where it starts on a device not seen before. Throws `sign_in_failed`
 * for an account that is not active. The row stays locked until the transaction ends, so that a password change beside it
 * ends this session too.
 */
export async function openSession(tx: Tx, ctx: Ctx, wanted: NewSession): Promise<SessionSecrets> {
  const account = await tx
    .selectFrom('account')
    .select(['email', 'language'])
    .where('id', '=', wanted.accountId)
    .where('status', '=', 'active')
    .forShare()
    .executeTakeFirst()
  if (!account?.email) throw new AppError('sign_in_failed')
  const session = await startSession(tx, ctx, wanted)
  if (session.onNewDevice) {
    const device = deviceOf(wanted.visitor.userAgent)
    const told = {
      id: wanted.accountId,
      email: account.email,
      language: account.language,
    }
    await notifyOwner(tx, ctx, told, 'new_device', { ...device, network: wanted.visitor.network })
    await postNotice(tx, ctx, { accountId: wanted.accountId, kind: 'new_device', params: device })
  }
  return { token: session.token, handle: session.handle }
}

/** Somebody has shown that they may sign in to an account that is not active; its owner is told how to take a cancelled one back. */
export async function noteShut(
  ctx: Ctx,
  accountId: string,
  account: Account | null,
): Promise<void> {
  const isFrozen = account?.status === 'frozen'
  if (account && !isFrozen)
    await transaction(ctx, (tx) => notifyOwner(tx, ctx, account, 'sign_in_while_cancelling'))
  const how = isFrozen ? 'frozen account' : 'cancelled account'
  securityEvent(ctx.log, 'sign_in.failed', { how, account: accountId })
}

/** What tells that signing in goes on with a code: `finishSecondFactor` takes the ticket in its data. */
export async function secondFactorNeeded(tx: Tx, ctx: Ctx, accountId: string): Promise<AppError> {
  const { secret } = await issueVerification(tx, ctx, {
    purpose: 'second_factor',
    accountId,
    target: '',
    withCode: false,
    withSecret: true,
  })
  return new AppError(
    'second_factor_needed',
    {},
    { data: { ticket: secret, methods: ['totp', 'recovery_code'] } },
  )
}

/** A mail to the owner's address, in the owner's language. */
export async function notifyOwner(
  tx: Tx,
  ctx: Ctx,
  account: Pick<Account, 'id' | 'email' | 'language'>,
  kind: MailKind,
  params?: MailParams,
): Promise<void> {
  await postMail(tx, ctx, {
    kind,
    accountId: account.id,
    recipient: account.email,
    language: account.language,
    ...(params ? { params } : {}),
  })
}

/** What a person says of themselves, by the columns it is kept in. */
export interface ProfileChanges {
  readonly user_name?: string
  readonly nickname?: string
  readonly language?: LanguageCode
}

/** Writes what has changed of a locked account's profile. */
export async function writeProfile(
  tx: Tx,
  ctx: Ctx,
  accountId: string,
  changes: ProfileChanges,
): Promise<void> {
  await tx.updateTable('account').set(changes).where('id', '=', accountId).execute()
  await auditAccount(tx, ctx, accountId, 'update', Object.keys(changes))
}

/**
 * Sets a password, whether there was one or not: every other session ends, what was open under the old one is withdrawn,
 * pauses are lifted, the owner is told.
 * @param keep the session that goes on, if any
 */
export async function setPassword(
  tx: Tx,
  ctx: Ctx,
  accountId: string,
  passwordHash: string,
  keep?: string,
): Promise<void> {
  const account = await lockAccount(tx, accountId)
  await tx
    .updateTable('account')
    .set({ password_hash: passwordHash, password_changed_at: ctx.now() })
    .where('id', '=', accountId)
    .execute()
  await endSessions(tx, accountId, keep)
  for (const purpose of ['reset', 'proof', 'second_factor'] as const)
    await withdrawVerifications(tx, accountId, purpose)
  await liftPauses(tx, ctx, account)
  await notifyOwner(
    tx,
    ctx,
    account,
    account.passwordHash === null ? 'password_set' : 'password_changed',
  )
  await postNotice(tx, ctx, { accountId, kind: 'password_changed', params: {} })
  await auditAccount(tx, ctx, accountId, 'update', ['password'])
}

/**
 * Gives an account another address, proven to be its owner's: every other session ends, and the old address is told.
 * Throws `email_taken` when another account has it meanwhile.
 */
export async function setEmail(
  tx: Tx,
  ctx: Ctx,
  accountId: string,
  email: string,
  keep: string,
): Promise<void> {
  const account = await lockAccount(tx, accountId)
  const holder = await tx
    .selectFrom('account')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  if (holder && holder.id !== accountId) throw new AppError('email_taken')
  await tx
    .updateTable('account')
    .set({ email, email_verified_at: ctx.now() })
    .where('id', '=', accountId)
    .execute()
  await endSessions(tx, accountId, keep)
  for (const purpose of ['reset', 'proof', 'email', 'second_factor', 'unfreeze'] as const)
    await withdrawVerifications(tx, accountId, purpose)
  await notifyOwner(tx, ctx, account, 'email_changed')
  await postNotice(tx, ctx, { accountId, kind: 'email_changed', params: {} })
  await auditAccount(tx, ctx, accountId, 'update', ['email'])
}

/** The account's row, nobody else's to change until the transaction ends. Throws `unauthorised` unless it is active. */
export async function lockAccount(tx: Tx, accountId: string): Promise<Account> {
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
  const account = await findAccountById(tx, accountId)
  if (account?.status !== 'active') throw new AppError('unauthorised')
  return account
}

/** The trail names what changed and never its value: it is kept longer than the person's data. */
export async function auditAccount(
  tx: Tx,
  ctx: Ctx,
  accountId: string,
  action: string,
  changed: readonly string[],
): Promise<void> {
  const actor = ctx.actor === 'visitor' ? `account:${accountId}` : ctx.actor
  await recordAudit(tx, { ...ctx, actor }, ctx.now(), [
    { action, subject: 'account', subjectCode: accountId, before: null, after: { changed } },
  ])
}

/** From now on nobody signs in with it; the row of a locked account. */
export async function markCancelling(
  tx: Tx,
  accountId: string,
  { requestedAt, eraseAt }: { readonly requestedAt: Date; readonly eraseAt: Date },
): Promise<void> {
  await tx
    .updateTable('account')
    .set({ status: 'cancelling', cancel_requested_at: requestedAt, erase_at: eraseAt })
    .where('id', '=', accountId)
    .execute()
}

/** A cancelled account is active again. @returns false where it is not cancelled, or its time is over */
export async function takeBackAccount(tx: Tx, accountId: string, now: Date): Promise<boolean> {
  const back = await tx
    .updateTable('account')
    .set({ status: 'active', cancel_requested_at: null, erase_at: null })
    .where('id', '=', accountId)
    .where('status', '=', 'cancelling')
    .where('erase_at', '>', now)
    .executeTakeFirst()
  return back.numUpdatedRows > 0n
}

/** The row stays, for orders to hang on, under numbers nobody knows and without anything of the person. */
export async function markErased(tx: Tx, ctx: Ctx, accountId: string): Promise<void> {
  await tx
    .updateTable('account')
    .set({
      status: 'erased',
      erased_at: ctx.now(),
      user_id: newPublicId(ctx),
      uid: await drawUid(tx, ctx),
      user_name: null,
      nickname: null,
      email: null,
      email_verified_at: null,
      mobile: null,
      mobile_verified_at: null,
      password_hash: null,
      password_changed_at: null,
      avatar: null,
      language: DEFAULT_LANGUAGE,
      role_id: 0,
    })
    .where('id', '=', accountId)
    .execute()
}
