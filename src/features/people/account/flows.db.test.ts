import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../../test/support/database.ts'
import {
  LAPTOP,
  PASSWORD,
  PHONE,
  refused,
  signedIn,
  somebody,
} from '../../../../test/support/people.ts'
import { findPerson } from '#features/people/session/queries.ts'
import { signIn } from '#features/people/sign-in/flows.ts'
import { issueVerification, type NewVerification } from '#features/people/verification/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { requestCode } from '#features/people/mailed-code/flows.ts'
import {
  changeEmail,
  changePassword,
  checkProof,
  prove,
  register,
  resetPassword,
  updateProfile,
  type Registration,
} from './flows.ts'
import { mailResetCode } from './jobs.ts'
import { exportAccount } from './queries.ts'

const database = useDatabase()
const visiting = (): Ctx => ({ ...database.ctx, actor: 'visitor' })
const SECOND = 'Sepeda9Biru'

async function issued(
  wanted: Partial<NewVerification> & Pick<NewVerification, 'purpose'>,
): Promise<{ code: string; secret: string }> {
  const ctx = database.ctx
  const made = await transaction(ctx, (tx) =>
    issueVerification(tx, ctx, {
      accountId: null,
      target: '',
      withCode: true,
      withSecret: true,
      ...wanted,
    }),
  )
  return { code: made.code ?? '', secret: made.secret ?? '' }
}

const enroll = (wanted: Partial<Registration> & Pick<Registration, 'proof'>) =>
  register(visiting(), {
    userName: 'anna2026',
    password: PASSWORD,
    strictPasswords: false,
    visitor: PHONE,
    ...wanted,
  })
const personOf = (token: string) =>
  findPerson(database.ctx.db, database.ctx, { cookie: token, handle: null })
const mails = async (accountId: string) =>
  (
    await database.ctx.db
      .selectFrom('outgoing_mail')
      .select(['kind', 'recipient'])
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  ).map(({ kind, recipient }) => `${kind} ${recipient ?? ''}`)
const mailsTo = (recipient: string) =>
  database.ctx.db
    .selectFrom('outgoing_mail')
    .select(['kind', 'account_id'])
    .where('recipient', '=', recipient)
    .execute()
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('somebody registers with a mailed code, is signed in and can sign in again', async () => {
  const email = 'anna@shop.example'
  const { code } = await issued({ purpose: 'register', target: email })
  const { token } = await enroll({ proof: { email: ' Anna@Shop.Example ', code } })
  const person = await personOf(token)
  expect(person).toMatchObject({
    email,
    userName: 'anna2026',
    nickname: 'anna2026',
    language: 'en',
    roleId: 0,
    hasPassword: true,
    mobileVerified: false,
  })
  expect(person?.uid).toMatch(/^\d{9}$/)
  expect(person?.userId).toMatch(/^[A-Za-z0-9_-]{22}$/)
  await signIn(visiting(), { account: 'ANNA2026', password: PASSWORD, visitor: PHONE })
  expect((await refused(enroll({ proof: { email, code }, userName: 'anna2027' }))).fields).toEqual({
    code: 'code_wrong',
  })
})

test('somebody registers with a mailed link, once', async () => {
  const { secret } = await issued({ purpose: 'register', target: 'link@shop.example' })
  expect(
    await personOf((await enroll({ proof: { key: secret }, userName: 'linkperson' })).token),
  ).toMatchObject({ email: 'link@shop.example' })
  expect((await refused(enroll({ proof: { key: secret }, userName: 'linkperson2' }))).code).toBe(
    'link_expired',
  )
})

test('a user name that is taken, in any case of letters, uses neither code nor link up', async () => {
  const { userName } = await somebody(database.ctx)
  const { code, secret } = await issued({ purpose: 'register', target: 'late@shop.example' })
  for (let n = 0; n < 8; n += 1)
    expect(
      (
        await refused(
          enroll({ proof: { email: 'late@shop.example', code }, userName: userName.toUpperCase() }),
        )
      ).fields,
    ).toEqual({ username: 'user_name_taken' })
  expect((await refused(enroll({ proof: { key: secret }, userName }))).fields).toEqual({
    username: 'user_name_taken',
  })
  await enroll({ proof: { email: 'late@shop.example', code }, userName: 'freshname' })
})

test('without the right code nobody learns which user names are taken', async () => {
  const { userName } = await somebody(database.ctx)
  const { code } = await issued({ purpose: 'register', target: 'curious@shop.example' })
  expect(
    (
      await refused(
        enroll({ proof: { email: 'curious@shop.example', code: wrong(code) }, userName }),
      )
    ).fields,
  ).toEqual({ code: 'code_wrong' })
})

test('every field at fault is named at once', async () => {
  const refusal = await refused(
    enroll({ proof: { email: 'no address', code: '000000' }, userName: 'a b', password: 'short' }),
  )
  expect(refusal).toMatchObject({
    code: 'check_fields',
    fields: { email: 'email_format', username: 'user_name_rule', password: 'password_rule' },
  })
  const personal = await refused(
    enroll({
      proof: { email: 'anna@shop.example', code: '000000' },
      userName: 'annaberg',
      password: 'AnnaBerg1',
    }),
  )
  expect(personal.fields).toEqual({ password: 'password_personal' })
})

test('of 100 registrations with one code one makes an account', async () => {
  const email = 'crowd@shop.example'
  const { code } = await issued({ purpose: 'register', target: email })
  const results = await Promise.allSettled(
    Array.from({ length: 100 }, (_, n) =>
      enroll({ proof: { email, code }, userName: `crowd${String(n).padStart(4, '0')}` }),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(
    await database.ctx.db.selectFrom('account').select('id').where('email', '=', email).execute(),
  ).toHaveLength(1)
})

test('of 30 people who choose one user name at the same time one gets it and the others keep their codes', async () => {
  const people = await Promise.all(
    Array.from({ length: 30 }, async (_, n) => ({
      email: `rush${n}@shop.example`,
      ...(await issued({ purpose: 'register', target: `rush${n}@shop.example` })),
    })),
  )
  const results = await Promise.allSettled(
    people.map(({ email, code }) => enroll({ proof: { email, code }, userName: 'goldrush' })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected')
      expect((result.reason as { fields: unknown }).fields).toEqual([
        { field: 'username', reason: 'user_name_taken' },
      ])
  const loser = results.findIndex(({ status }) => status === 'rejected')
  const { email = '', code = '' } = people[loser] ?? {}
  await enroll({ proof: { email, code }, userName: 'silverrush' })
})

test('asking for a code writes the same rows whether the address has an account or not', async () => {
  const { email, userName } = await somebody(database.ctx)
  for (const type of ['register', 'reset'] as const)
    for (const account of [email, `${type}stranger@shop.example`]) {
      await requestCode(visiting(), { type, account, person: null, visitor: PHONE })
      expect(await mailsTo(account)).toContainEqual({ kind: `${type}_code`, account_id: null })
    }
  const jobs = async () =>
    (
      await sql<{
        n: number
      }>`select count(*)::int as n from graphile_worker.jobs where task_identifier = 'mail_reset_code'`.execute(
        database.ctx.db,
      )
    ).rows[0]?.n ?? 0
  for (const account of [userName, 'nobodyhere']) {
    const before = await jobs()
    await requestCode(visiting(), { type: 'reset', account, person: null, visitor: PHONE })
    expect(await jobs()).toBe(before + 1)
  }
  await mailResetCode(database.ctx, { userName: 'nobodyhere', language: 'ja' })
  const rows = await mailsTo(email)
  await mailResetCode(database.ctx, { userName, language: 'ja' })
  expect(await mailsTo(email)).toHaveLength(rows.length + 1)
})

test('codes to one address are limited, whoever asks', async () => {
  const account = 'flood@shop.example'
  for (let n = 0; n < 6; n += 1)
    await requestCode(visiting(), {
      type: n % 2 ? 'register' : 'reset',
      account,
      person: null,
      visitor: PHONE,
    })
  expect(
    (
      await refused(
        requestCode(visiting(), {
          type: 'register',
          account: account.toUpperCase(),
          person: null,
          visitor: PHONE,
        }),
      )
    ).code,
  ).toBe('too_many_requests')
})

test('codes for what is no address, or without being signed in, are refused', async () => {
  expect(
    (
      await refused(
        requestCode(visiting(), {
          type: 'register',
          account: 'nobody',
          person: null,
          visitor: PHONE,
        }),
      )
    ).fields,
  ).toEqual({ account: 'email_format' })
  expect(
    (
      await refused(
        requestCode(visiting(), { type: 'reset', account: '', person: null, visitor: PHONE }),
      )
    ).fields,
  ).toEqual({ account: 'required' })
  for (const type of ['email', 'proof'] as const)
    expect(
      (
        await refused(
          requestCode(visiting(), {
            type,
            account: 'x@shop.example',
            person: null,
            visitor: PHONE,
          }),
        )
      ).code,
    ).toBe('unauthorised')
})

test('a forgotten password is set anew by code; every session ends and the owner is told', async () => {
  const { accountId, email, userName } = await somebody(database.ctx)
  const { token } = await signedIn(database.ctx, accountId)
  const { code } = await issued({ purpose: 'reset', accountId, target: email })
  const reset = (account: string, typed: string, password: string) =>
    resetPassword(visiting(), {
      proof: { account, code: typed },
      password,
      strictPasswords: false,
      visitor: PHONE,
    })
  expect((await refused(reset(email, wrong(code), SECOND))).fields).toEqual({ code: 'code_wrong' })
  expect((await refused(reset('nobody@shop.example', code, SECOND))).fields).toEqual({
    code: 'code_wrong',
  })
  expect((await refused(reset('nobodyhere', code, SECOND))).fields).toEqual({ code: 'code_wrong' })
  expect((await refused(reset(email, code, 'short'))).fields).toEqual({ password: 'password_rule' })
  await reset(userName.toUpperCase(), code, SECOND)
  expect(await personOf(token)).toBeNull()
  expect(await mails(accountId)).toEqual([`password_changed ${email}`])
  expect(
    (await refused(signIn(visiting(), { account: email, password: PASSWORD, visitor: PHONE })))
      .code,
  ).toBe('sign_in_failed')
  await signIn(visiting(), { account: email, password: SECOND, visitor: PHONE })
})

test('a reset by link works once, lifts pauses, and takes what else was mailed with it', async () => {
  const { accountId, email } = await somebody(database.ctx)
  const { secret } = await issued({ purpose: 'reset', accountId, target: email })
  for (let n = 0; n < 6; n += 1)
    await refused(signIn(visiting(), { account: email, password: 'Wrong4You', visitor: PHONE }))
  const reset = () =>
    resetPassword(visiting(), {
      proof: { key: secret },
      password: SECOND,
      strictPasswords: false,
      visitor: PHONE,
    })
  const results = await Promise.allSettled(Array.from({ length: 20 }, reset))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await signIn(visiting(), { account: email, password: SECOND, visitor: PHONE })
  expect((await refused(reset())).code).toBe('link_expired')
})

test('nothing is reset for an account that is being cancelled', async () => {
  const { accountId, email } = await somebody(database.ctx)
  const { code, secret } = await issued({ purpose: 'reset', accountId, target: email })
  await database.ctx.db
    .updateTable('account')
    .set({ status: 'cancelling', cancel_requested_at: new Date(), erase_at: new Date() })
    .where('id', '=', accountId)
    .execute()
  expect(
    (
      await refused(
        resetPassword(visiting(), {
          proof: { account: email, code },
          password: SECOND,
          strictPasswords: false,
          visitor: PHONE,
        }),
      )
    ).fields,
  ).toEqual({ code: 'code_wrong' })
  expect(
    (
      await refused(
        resetPassword(visiting(), {
          proof: { key: secret },
          password: SECOND,
          strictPasswords: false,
          visitor: PHONE,
        }),
      )
    ).code,
  ).toBe('link_expired')
})

test('a new password ends every other session; this one goes on under a new token', async () => {
  const { accountId, email } = await somebody(database.ctx)
  const here = await signedIn(database.ctx, accountId)
  const there = await signedIn(database.ctx, accountId, PHONE)
  const change = (newPassword: string, strictPasswords = false) =>
    changePassword(database.ctx, here.person, { newPassword, strictPasswords })
  expect((await refused(change(PASSWORD))).fields).toEqual({ new_password: 'same_as_before' })
  expect((await refused(change('Password1'))).fields).toEqual({ new_password: 'password_common' })
  expect((await refused(change('no'))).fields).toEqual({ new_password: 'password_rule' })
  const rotated = await change('Long enough 4 the strict rule, with spaces', true)
  expect(await personOf(here.token)).toBeNull()
  expect(await personOf(there.token)).toBeNull()
  expect(await personOf(rotated.token)).toMatchObject({ sessionId: here.person.sessionId })
  expect(await mails(accountId)).toEqual([`password_changed ${email}`])
})

test('somebody who came without a password proves by mailed code and sets one', async () => {
  const { accountId, email } = await somebody(database.ctx, { withPassword: false })
  const { person, token } = await signedIn(database.ctx, accountId)
  await requestCode(database.ctx, { type: 'proof', account: '', person, visitor: PHONE })
  expect(await mailsTo(email)).toEqual([{ kind: 'proof_code', account_id: accountId }])
  const { code } = await issued({ purpose: 'proof', accountId, target: email })
  expect((await refused(prove(database.ctx, person, { code: wrong(code) }))).fields).toEqual({
    proof_code: 'code_wrong',
  })
  const proven = await prove(database.ctx, person, { code })
  expect(await personOf(token)).toBeNull()
  expect((await refused(checkProof(database.ctx, person, { code }))).fields).toEqual({
    proof_code: 'code_wrong',
  })
  const fresh = await personOf(proven.token)
  if (!fresh) throw new Error('signed out')
  await changePassword(database.ctx, fresh, { newPassword: SECOND, strictPasswords: false })
  expect(await mails(accountId)).toContain(`password_set ${email}`)
})

test('a proof is the password; a mailed code does not stand in for it; guessing is paused', async () => {
  const { accountId, email } = await somebody(database.ctx)
  const { person } = await signedIn(database.ctx, accountId)
  await checkProof(database.ctx, person, { password: PASSWORD })
  expect((await refused(checkProof(database.ctx, person, {}))).code).toBe('proof_needed')
  const { code } = await issued({ purpose: 'proof', accountId, target: email })
  expect((await refused(checkProof(database.ctx, person, { code }))).fields).toEqual({
    proof_code: 'not_allowed',
  })
  for (let n = 0; n < 5; n += 1)
    expect(
      (await refused(checkProof(database.ctx, person, { password: 'Wrong4You' }))).fields,
    ).toEqual({ password: 'password_wrong' })
  expect((await refused(checkProof(database.ctx, person, { password: PASSWORD }))).code).toBe(
    'too_many_requests',
  )
  // Who guesses here does not shut the owner out.
  await signIn(visiting(), { account: email, password: PASSWORD, visitor: PHONE })
})

test('a new address needs the code sent there; the old address is told and other sessions end', async () => {
  const { accountId, email } = await somebody(database.ctx)
  const here = await signedIn(database.ctx, accountId)
  const there = await signedIn(database.ctx, accountId)
  const next = 'moved@shop.example'
  await requestCode(database.ctx, {
    type: 'email',
    account: next,
    person: here.person,
    visitor: PHONE,
  })
  expect(await mailsTo(next)).toEqual([{ kind: 'email_code', account_id: accountId }])
  const { code } = await issued({ purpose: 'email', accountId, target: next })
  expect(
    (
      await refused(
        changeEmail(database.ctx, here.person, { email: 'elsewhere@shop.example', code }),
      )
    ).fields,
  ).toEqual({ code: 'code_wrong' })
  expect((await refused(changeEmail(database.ctx, here.person, { email, code }))).fields).toEqual({
    email: 'same_as_before',
  })
  const rotated = await changeEmail(database.ctx, here.person, {
    email: 'Moved@Shop.Example',
    code,
  })
  expect(await personOf(rotated.token)).toMatchObject({ email: next })
  expect(await personOf(here.token)).toBeNull()
  expect(await personOf(there.token)).toBeNull()
  expect(await mails(accountId)).toContain(`email_changed ${email}`)
})

test('an address that got an account in between is refused, even at the same moment', async () => {
  const movers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const { accountId } = await somebody(database.ctx)
      const { person } = await signedIn(database.ctx, accountId)
      return {
        person,
        ...(await issued({ purpose: 'email', accountId, target: 'wanted@shop.example' })),
      }
    }),
  )
  const results = await Promise.allSettled(
    movers.map(({ person, code }) =>
      changeEmail(database.ctx, person, { email: 'wanted@shop.example', code }),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected')
      expect((result.reason as { code: string }).code).toBe('email_taken')
})

test('a profile changes what is given and leaves the rest', async () => {
  const taken = await somebody(database.ctx)
  const { accountId, userName } = await somebody(database.ctx)
  const { person, token } = await signedIn(database.ctx, accountId)
  await updateProfile(database.ctx, person, { nickname: '  Ana \u202e Maria ', language: 'ar' })
  expect(await personOf(token)).toMatchObject({ nickname: 'Ana Maria', language: 'ar', userName })
  await updateProfile(database.ctx, person, { userName: userName.toUpperCase() })
  expect(await personOf(token)).toMatchObject({ userName: userName.toUpperCase() })
  await updateProfile(database.ctx, person, {})
  expect(
    (await refused(updateProfile(database.ctx, person, { userName: taken.userName.toUpperCase() })))
      .fields,
  ).toEqual({ username: 'user_name_taken' })
  expect(
    (await refused(updateProfile(database.ctx, person, { userName: 'a', nickname: '\u200b' })))
      .fields,
  ).toEqual({ username: 'user_name_rule', nickname: 'nickname_rule' })
})

test('of ten people who take one user name at the same time one gets it', async () => {
  const people = await Promise.all(
    Array.from(
      { length: 10 },
      async () => (await signedIn(database.ctx, (await somebody(database.ctx)).accountId)).person,
    ),
  )
  const results = await Promise.allSettled(
    people.map((person) => updateProfile(database.ctx, person, { userName: 'everybody' })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected')
      expect((result.reason as { code: string }).code).toBe('check_fields')
})

test('the trail tells what changed and holds nothing about the person', async () => {
  const { accountId, email, userName } = await somebody(visiting())
  const { person } = await signedIn(database.ctx, accountId, LAPTOP)
  await updateProfile({ ...database.ctx, actor: `account:${accountId}` }, person, {
    nickname: 'Secretly Ana',
    userName: `${userName}z`,
  })
  await changePassword({ ...database.ctx, actor: `account:${accountId}` }, person, {
    newPassword: SECOND,
    strictPasswords: false,
  })
  const rows = await database.ctx.db
    .selectFrom('audit_log')
    .selectAll()
    .where('subject_code', '=', accountId)
    .orderBy('at')
    .orderBy('id')
    .execute()
  expect(rows.map(({ action, actor, after }) => [action, actor, after])).toEqual([
    ['create', `account:${accountId}`, { changed: ['user_name', 'email', 'password'] }],
    ['update', `account:${accountId}`, { changed: ['user_name', 'nickname'] }],
    ['update', `account:${accountId}`, { changed: ['password'] }],
  ])
  const dump = JSON.stringify(rows)
  for (const word of [email, userName, 'Ana', '203.0.113', '198.51.100'])
    expect(dump).not.toContain(word)
})

test('a person is exported whole, without the password', async () => {
  const { accountId, email, userName } = await somebody(database.ctx)
  const [row] = await exportAccount(database.ctx.db, accountId)
  expect(row).toMatchObject({
    email,
    user_name: userName,
    nickname: userName,
    mobile: null,
    language: 'en',
  })
  expect(JSON.stringify(row)).not.toContain('argon2')
})
