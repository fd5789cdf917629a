import { countTry, forgetTries } from '#features/guard/commands.ts'
import { takeShare } from '#features/limit/commands.ts'
import { postMail } from '#features/mail/commands.ts'
import { passwordProblem } from '#features/password/queries.ts'
import { recordProof, rotateSession } from '#features/session/commands.ts'
import type { Person, SessionSecrets } from '#features/session/rules.ts'
import { checkCode, consumeCode, consumeSecret } from '#features/verification/commands.ts'
import { peekSecret } from '#features/verification/queries.ts'
import { AppError, fieldError, type FieldProblem } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { enqueue, transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { assertHashingFree, hashPassword, verifyPassword } from '#platform/password-hash.ts'
import {
  auditAccount,
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
import { accountNameOf, emailOf, FIELD, isUserName, nicknameOf } from './rules.ts'

/** Codes sent to one address: so many at once, and as many again in an hour. */
const CODES = { name: 'mailed_code', per: 3600, burst: 6 } as const

export type CodeType = 'register' | 'reset' | 'email' | 'proof'

/**
 * Has a code mailed. What happens here is the same whether an account exists or not: a share is taken and one job put down;
 * only sending looks up what the address is to be told. `email` and `proof` need somebody signed in.
 * @param account e-mail address (`reset`: or user name; `proof`: not read)
 */
export async function requestCode(
  ctx: Ctx,
  wanted: { readonly type: CodeType; readonly account: string; readonly person: Person | null },
): Promise<void> {
  const { type, person } = wanted
  if (type === 'email' || type === 'proof') {
    if (!person) throw new AppError('unauthorised')
    if (type === 'email') return mailCodeToNewAddress(ctx, person, wanted.account)
    if (person.hasPassword) throw fieldError('type', 'not_allowed')
    return mailCode(ctx, {
      kind: 'proof_code',
      accountId: person.accountId,
      recipient: person.email,
    })
  }
  const typed = accountNameOf(wanted.account)
  if (type === 'reset' && typed.kind === 'user_name') return mailResetCodeTo(ctx, typed.text)
  return mailCode(ctx, {
    kind: type === 'reset' ? 'reset_code' : 'register_code',
    accountId: null,
    recipient: assertEmail(wanted.account, FIELD.account),
  })
}

function mailCodeToNewAddress(ctx: Ctx, person: Person, typed: string): Promise<void> {
  const email = assertEmail(typed, FIELD.account)
  if (email === person.email) throw fieldError(FIELD.account, 'same_as_before')
  return mailCode(ctx, { kind: 'email_code', accountId: person.accountId, recipient: email })
}

async function mailResetCodeTo(ctx: Ctx, userName: string): Promise<void> {
  if (userName === '') throw fieldError(FIELD.account, 'required')
  if (!isUserName(userName)) throw fieldError(FIELD.account, 'user_name_rule')
  await assureShare(ctx, userName)
  const key = ctx.keys.mac('mail_reset_code', userName).toString('base64url')
  await transaction(ctx, (tx) =>
    enqueue(tx, 'mail_reset_code', { userName, language: ctx.locale }, `mail_reset_code:${key}`),
  )
}

async function mailCode(
  ctx: Ctx,
  mail: {
    readonly kind: 'register_code' | 'reset_code' | 'email_code' | 'proof_code'
    readonly accountId: string | null
    readonly recipient: string
  },
): Promise<void> {
  await assureShare(ctx, mail.recipient)
  await transaction(ctx, (tx) => postMail(tx, ctx, { ...mail, language: ctx.locale }))
}

async function assureShare(ctx: Ctx, key: string): Promise<void> {
  const share = await takeShare(ctx, { ...CODES, key })
  if (!share.ok) throw new AppError('too_many_requests', { seconds: share.seconds })
}

function assertEmail(typed: string, field: string): string {
  const email = emailOf(typed)
  if (email === null) throw fieldError(field, typed.trim() === '' ? 'required' : 'email_format')
  return email
}

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
async function mailedProofUse(ctx: Ctx, proof: MailedProof): Promise<(tx: Tx) => Promise<string>> {
  if ('key' in proof)
    return async (tx) =>
      (await consumeSecret(tx, ctx, { purpose: 'register', secret: proof.key })).target
  const checked = await checkCode(ctx, {
    purpose: 'register',
    target: proof.email,
    accountId: null,
    code: proof.code,
  })
  return async (tx) => (await consumeCode(tx, ctx, checked)).target
}

/** The mailed code with the address or user name it was asked for, or the mailed link alone. */
export type ResetProof =
  | { readonly account: string; readonly code: string }
  | { readonly key: string }

/** Sets a new password by code or link; every session ends. Throws `check_fields` or `link_expired`. */
export function resetPassword(
  ctx: Ctx,
  wanted: {
    readonly proof: ResetProof
    readonly password: string
    readonly strictPasswords: boolean
  },
): Promise<void> {
  const { proof, password, strictPasswords } = wanted
  return 'key' in proof
    ? resetByLink(ctx, proof.key, password, strictPasswords)
    : resetByCode(ctx, proof, password, strictPasswords)
}

async function resetByCode(
  ctx: Ctx,
  proof: { readonly account: string; readonly code: string },
  password: string,
  strict: boolean,
): Promise<void> {
  const typed = accountNameOf(proof.account)
  assertNoProblems(passwordProblems(password, FIELD.password, strict, [typed.text]))
  const account = await findAccount(ctx.db, typed)
  const isActive = account?.status === 'active'
  const checked = await checkCode(ctx, {
    purpose: 'reset',
    target: isActive ? account.email : typed.text,
    accountId: isActive ? account.id : null,
    code: proof.code,
  })
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
  })
}

async function resetByLink(
  ctx: Ctx,
  key: string,
  password: string,
  strict: boolean,
): Promise<void> {
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
  })
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
  const guarded = { accountId: person.accountId }
  assertHashingFree()
  await countTry(ctx, guarded)
  const account = await findAccountById(ctx.db, person.accountId)
  if (!(await verifyPassword(account?.passwordHash ?? null, password)))
    throw fieldError(FIELD.password, 'password_wrong')
  await forgetTries(ctx.db, ctx, guarded)
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
