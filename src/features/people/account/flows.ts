import { countTry, liftPauses } from '#features/base/guard/commands.ts'
import { knownDevice } from '#features/people/device/commands.ts'
import { readDevice } from '#features/people/device/rules.ts'
import { passwordProblem } from '#features/people/password/queries.ts'
import { recordProof, rotateSession } from '#features/people/session/commands.ts'
import type { Person, SessionSecrets } from '#features/people/session/rules.ts'
import { checkCode, consumeCode, consumeSecret } from '#features/people/verification/commands.ts'
import type { Typing } from '#features/people/verification/rules.ts'
import { peekSecret } from '#features/people/verification/queries.ts'
import { AppError, fieldError, type FieldProblem } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { securityEvent } from '#platform/security-log.ts'
import { assertHashingFree, hashPassword, verifyPassword } from '#platform/password-hash.ts'
import {
  createAccount,
  isUserNameTaken,
  lockAccount,
  openSession,
  setEmail,
  setPassword,
  writeProfile,
  type ProfileChanges,
} from './commands.ts'
import { findAccount, findAccountById } from './queries.ts'
import { accountNameOf, assertEmail, emailOf, FIELD, isUserName, nicknameOf } from './rules.ts'

/** The mailed code with the address it went to, or the mailed link alone. */
export type MailedProof =
  | { readonly email: string; readonly code: string }
  | { readonly key: string }

export interface Registration {
  readonly proof: MailedProof
  readonly userName: string
  readonly password: string
  readonly strictPasswords: boolean
  readonly visitor: Visitor
  /** Id of the session the caller came with. */
  readonly replaces?: string | null
}

/**
 * Makes an account and signs it in. The address is proven first; a user name that is taken leaves code and link as they are.
 * Throws `check_fields`, `link_expired`, or `email_taken` when the address got an account in between.
 */
export async function register(ctx: Ctx, wanted: Registration): Promise<SessionSecrets> {
  const { proof } = wanted
  const email = 'key' in proof ? await addressOfLink(ctx, proof.key) : emailOf(proof.email)
  const userName = wanted.userName.trim()
  assertNoProblems([
    ...(email === null ? [{ field: FIELD.email, reason: 'email_format' as const }] : []),
    ...(isUserName(userName) ? [] : [{ field: FIELD.userName, reason: 'user_name_rule' as const }]),
    ...passwordProblems(wanted.password, FIELD.password, wanted.strictPasswords, [
      userName,
      email ?? '',
    ]),
  ])
  const use = await mailedProofUse(
    ctx,
    'key' in proof ? proof : { email: email ?? '', code: proof.code },
    wanted.visitor,
  )
  if (await isUserNameTaken(ctx.db, userName, null))
    throw fieldError(FIELD.userName, 'user_name_taken')
  const passwordHash = await hashPassword(wanted.password)
  return transaction(ctx, async (tx) => {
    const proven = await use(tx)
    const accountId = await createAccount(tx, ctx, {
      email: proven,
      userName,
      passwordHash,
      language: ctx.locale,
    })
    return openSession(tx, ctx, {
      accountId,
      visitor: wanted.visitor,
      replaces: wanted.replaces ?? null,
    })
  })
}

async function addressOfLink(ctx: Ctx, key: string): Promise<string> {
  const link = await peekSecret(ctx.db, ctx, { purpose: 'register', secret: key })
  if (!link) throw new AppError('link_expired')
  return link.target
}

/** Checks a code now and gives what uses it, or the link, up in the transaction: the proven address. */
async function mailedProofUse(
  ctx: Ctx,
  proof: MailedProof,
  visitor: Visitor,
): Promise<(tx: Tx) => Promise<string>> {
  if ('key' in proof)
    return async (tx) =>
      (await consumeSecret(tx, ctx, { purpose: 'register', secret: proof.key })).target
  const checked = await checkCode(
    ctx,
    { purpose: 'register', target: proof.email, accountId: null, code: proof.code },
    typingOf(visitor),
  )
  return async (tx) => (await consumeCode(tx, ctx, checked)).target
}

function typingOf({ device, network }: Visitor): Typing {
  return { device: readDevice(device)?.id ?? null, network }
}

/** The mailed code with the address or user name it was asked for, or the mailed link alone. */
export type ResetProof =
  | { readonly account: string; readonly code: string }
  | { readonly key: string }

export interface PasswordReset {
  readonly proof: ResetProof
  readonly password: string
  readonly strictPasswords: boolean
  readonly visitor: Visitor
}

/**
 * Sets a new password by code or link; every session ends. Throws `check_fields` or `link_expired`.
 * @returns the account's id: the browser is its owner's
 */
export function resetPassword(ctx: Ctx, wanted: PasswordReset): Promise<string> {
  const { proof } = wanted
  return 'key' in proof ? resetByLink(ctx, proof.key, wanted) : resetByCode(ctx, proof, wanted)
}

async function resetByCode(
  ctx: Ctx,
  proof: { readonly account: string; readonly code: string },
  { password, strictPasswords: strict, visitor }: PasswordReset,
): Promise<string> {
  const typed = accountNameOf(proof.account)
  assertNoProblems(passwordProblems(password, FIELD.password, strict, [typed.text]))
  const account = await findAccount(ctx.db, typed)
  const isActive = account?.status === 'active'
  const checked = await checkCode(
    ctx,
    {
      purpose: 'reset',
      target: isActive ? account.email : typed.text,
      accountId: isActive ? account.id : null,
      code: proof.code,
    },
    typingOf(visitor),
  )
  if (!isActive) throw fieldError(FIELD.code, 'code_wrong')
  assertNoProblems(
    passwordProblems(password, FIELD.password, strict, [
      account.userName,
      account.nickname,
      account.email,
    ]),
  )
  const passwordHash = await hashPassword(password)
  await transaction(ctx, async (tx) => {
    await lockAccount(tx, account.id)
    await consumeCode(tx, ctx, checked)
    await setPassword(tx, ctx, account.id, passwordHash)
    await liftPauses(tx, ctx, account, {
      network: visitor.network,
      device: knownDevice(ctx, visitor.device, account.id),
    })
  })
  return account.id
}

async function resetByLink(
  ctx: Ctx,
  key: string,
  { password, strictPasswords: strict, visitor }: PasswordReset,
): Promise<string> {
  const link = await peekSecret(ctx.db, ctx, { purpose: 'reset', secret: key })
  const account = link?.accountId ? await findAccountById(ctx.db, link.accountId) : null
  if (account?.status !== 'active') throw new AppError('link_expired')
  assertNoProblems(
    passwordProblems(password, FIELD.password, strict, [
      account.userName,
      account.nickname,
      account.email,
    ]),
  )
  const passwordHash = await hashPassword(password)
  await transaction(ctx, async (tx) => {
    await lockAccount(tx, account.id)
    await consumeSecret(tx, ctx, { purpose: 'reset', secret: key })
    await setPassword(tx, ctx, account.id, passwordHash)
    await liftPauses(tx, ctx, account, {
      network: visitor.network,
      device: knownDevice(ctx, visitor.device, account.id),
    })
  })
  return account.id
}

/**
 * Changes the password of somebody who has just proven who they are, or sets the first one. Their session goes on under new
 * secrets, every other ends. Throws `check_fields`.
 */
export async function changePassword(
  ctx: Ctx,
  person: Person,
  wanted: { readonly newPassword: string; readonly strictPasswords: boolean },
): Promise<SessionSecrets> {
  assertNoProblems(
    passwordProblems(wanted.newPassword, FIELD.newPassword, wanted.strictPasswords, [
      person.userName,
      person.nickname,
      person.email,
    ]),
  )
  const account = await findAccountById(ctx.db, person.accountId)
  if (account?.passwordHash && (await verifyPassword(account.passwordHash, wanted.newPassword)))
    throw fieldError(FIELD.newPassword, 'same_as_before')
  const passwordHash = await hashPassword(wanted.newPassword)
  return transaction(ctx, async (tx) => {
    await setPassword(tx, ctx, person.accountId, passwordHash, person.sessionId)
    return rotateSession(tx, ctx, person.sessionId)
  })
}

/** Changes the address to one that a code was mailed to; for somebody who has just proven who they are. Throws `check_fields` or `email_taken`. */
export async function changeEmail(
  ctx: Ctx,
  person: Person,
  wanted: { readonly email: string; readonly code: string },
): Promise<SessionSecrets> {
  const email = assertEmail(wanted.email, FIELD.email)
  if (email === person.email) throw fieldError(FIELD.email, 'same_as_before')
  const checked = await checkCode(ctx, {
    purpose: 'email',
    target: email,
    accountId: person.accountId,
    code: wanted.code,
  })
  return whereTaken(new AppError('email_taken'), () =>
    transaction(ctx, async (tx) => {
      await lockAccount(tx, person.accountId)
      await consumeCode(tx, ctx, checked)
      await setEmail(tx, ctx, person.accountId, email, person.sessionId)
      return rotateSession(tx, ctx, person.sessionId)
    }),
  )
}

export interface Profile {
  readonly userName?: string | undefined
  readonly nickname?: string | undefined
  readonly language?: LanguageCode | undefined
}

/** Changes what is given and leaves the rest. Throws `check_fields`. */
export async function updateProfile(ctx: Ctx, person: Person, wanted: Profile): Promise<void> {
  const userName = wanted.userName?.trim()
  const nickname = wanted.nickname === undefined ? undefined : nicknameOf(wanted.nickname)
  assertNoProblems([
    ...(userName === undefined || isUserName(userName)
      ? []
      : [{ field: FIELD.userName, reason: 'user_name_rule' as const }]),
    ...(nickname === null ? [{ field: FIELD.nickname, reason: 'nickname_rule' as const }] : []),
  ])
  const changes: ProfileChanges = {
    ...(userName === undefined ? {} : { user_name: userName }),
    ...(nickname === undefined || nickname === null ? {} : { nickname }),
    ...(wanted.language === undefined ? {} : { language: wanted.language }),
  }
  if (Object.keys(changes).length === 0) return
  await whereTaken(fieldError(FIELD.userName, 'user_name_taken'), () =>
    transaction(ctx, async (tx) => {
      await lockAccount(tx, person.accountId)
      if (userName !== undefined && (await isUserNameTaken(tx, userName, person.accountId)))
        throw fieldError(FIELD.userName, 'user_name_taken')
      await writeProfile(tx, ctx, person.accountId, changes)
    }),
  )
}

/** What shows that the person of a session is still the one who holds it. */
export interface GivenProof {
  readonly password?: string | undefined
  readonly code?: string | undefined
}

/**
 * Throws `check_fields` for a wrong password, or a wrong code where there is no password; `too_many_requests` after too many.
 * A mailed code says nothing where there is a password: the mailbox is often open in the same browser.
 */
export async function checkProof(ctx: Ctx, person: Person, proof: GivenProof): Promise<void> {
  if (proof.password !== undefined) return checkPassword(ctx, person, proof.password)
  if (proof.code === undefined) throw new AppError('proof_needed')
  if (person.hasPassword) throw fieldError(FIELD.proofCode, 'not_allowed')
  const checked = await checkCode(ctx, {
    purpose: 'proof',
    target: person.email,
    accountId: person.accountId,
    code: proof.code,
    field: FIELD.proofCode,
  })
  await transaction(ctx, (tx) => consumeCode(tx, ctx, checked, FIELD.proofCode))
}

async function checkPassword(ctx: Ctx, person: Person, password: string): Promise<void> {
  assertHashingFree()
  const counted = await countTry(ctx, { sessionId: person.sessionId })
  const account = await findAccountById(ctx.db, person.accountId)
  if (!(await verifyPassword(account?.passwordHash ?? null, password))) {
    const told = { how: 'password', account: person.accountId }
    securityEvent(ctx.log, 'proof.refused', told)
    if (counted.beginsPause) securityEvent(ctx.log, 'sign_in.paused', { ...told, how: 'proof' })
    throw fieldError(FIELD.password, 'password_wrong')
  }
  await counted.forgive()
}

/** Proves a session to be its owner's for the next minutes; it goes on under new secrets. Throws as `checkProof` does. */
export async function prove(ctx: Ctx, person: Person, proof: GivenProof): Promise<SessionSecrets> {
  await checkProof(ctx, person, proof)
  return transaction(ctx, (tx) => recordProof(tx, ctx, person.sessionId))
}

function passwordProblems(
  password: string,
  field: string,
  strict: boolean,
  personal: readonly string[],
): FieldProblem[] {
  const reason =
    password === ''
      ? 'required'
      : passwordProblem(password, { strict, personal: personal.filter((word) => word !== '') })
  return reason === null ? [] : [{ field, reason }]
}

function assertNoProblems(fields: readonly FieldProblem[]): void {
  if (fields.length > 0) throw new AppError('check_fields', {}, { fields })
}

/** Two at the same moment may both find a name free; the index decides, and the second hears the same as one who came later. */
async function whereTaken<T>(refusal: AppError, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === '23505' ? refusal : error
  }
}
