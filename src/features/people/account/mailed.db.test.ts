import { expect, test } from 'vitest'
import { useDatabase } from '../../../../test/support/database.ts'
import { PASSWORD, PHONE, refused, signedIn, somebody } from '../../../../test/support/people.ts'
import { sendMail } from '#features/people/mail/jobs.ts'
import { signIn, unfreeze } from '#features/people/sign-in/flows.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { OutgoingMessage } from '#providers/mail/sender.ts'
import { requestCode } from '#features/people/mailed-code/flows.ts'
import { changeEmail, changePassword, prove, register, resetPassword } from './flows.ts'
import { mailResetCode, notifyOfPause } from './jobs.ts'

const database = useDatabase()
const visiting = (): Ctx => ({ ...database.ctx, actor: 'visitor' })
const SECOND = 'Sepeda9Biru'

interface Received {
  readonly subject: string
  readonly text: string
  readonly code: string
  readonly key: string
}

/** Sends what waits, as the worker does, and gives the last mail to an address with the code and the key it holds. */
async function received(to: string): Promise<Received> {
  const sent: OutgoingMessage[] = []
  const mail = {
    send: (message: OutgoingMessage) => Promise.resolve((sent.push(message), 'sent' as const)),
    close: () => {},
  }
  const rows = await database.ctx.db
    .selectFrom('outgoing_mail')
    .select('id')
    .where('sent_at', 'is', null)
    .where('recipient', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  for (const { id } of rows)
    await sendMail(
      database.ctx,
      { id },
      { mail, publicUrl: 'https://shop.example', timeZone: 'UTC' },
    )
  const last = sent.filter((message) => message.to === to).at(-1)
  if (!last) throw new Error(`no mail went to ${to}`)
  return {
    subject: last.subject,
    text: last.text,
    code: /\b\d{6}\b/.exec(last.text)?.[0] ?? '',
    key: /[?&]key=([\w-]{43})/.exec(last.text)?.[1] ?? '',
  }
}

const enroll = (proof: { email: string; code: string } | { key: string }, userName: string) =>
  register(visiting(), {
    proof,
    userName,
    password: PASSWORD,
    strictPasswords: false,
    visitor: PHONE,
  })

test('the mailed code registers, and so does the mailed link', async () => {
  for (const [email, by] of [
    ['bycode@shop.example', 'code'],
    ['bylink@shop.example', 'link'],
  ] as const) {
    await requestCode(visiting(), {
      type: 'register',
      account: email.toUpperCase(),
      person: null,
      visitor: PHONE,
    })
    const { code, key } = await received(email)
    await enroll(by === 'code' ? { email, code } : { key }, `${by}person`)
    await signIn(visiting(), { account: email, password: PASSWORD, visitor: PHONE })
    const { used } =
      by === 'code'
        ? { used: enroll({ key }, 'another1') }
        : { used: enroll({ email, code }, 'another1') }
    await refused(used)
  }
})

test('whoever owns the address of an account is told so instead, and no code is good for it', async () => {
  const { email } = await somebody(database.ctx)
  await requestCode(visiting(), { type: 'register', account: email, person: null, visitor: PHONE })
  const { code, key } = await received(email)
  expect([code, key]).toEqual(['', ''])
  expect((await refused(enroll({ email, code: '123456' }, 'intruder1'))).fields).toEqual({
    code: 'code_wrong',
  })
})

test('the mailed code and link reset a password, asked for by address or by user name', async () => {
  for (const by of ['email', 'userName'] as const) {
    const who = await somebody(database.ctx)
    await requestCode(visiting(), { type: 'reset', account: who[by], person: null, visitor: PHONE })
    if (by === 'userName')
      await mailResetCode(database.ctx, { userName: who.userName.toLowerCase(), language: 'en' })
    const { code } = await received(who.email)
    await resetPassword(visiting(), {
      proof: { account: who[by], code },
      password: SECOND,
      strictPasswords: false,
      visitor: PHONE,
    })
    await signIn(visiting(), { account: who.email, password: SECOND, visitor: PHONE })
  }
  const { email } = await somebody(database.ctx)
  await requestCode(visiting(), { type: 'reset', account: email, person: null, visitor: PHONE })
  const { key } = await received(email)
  await resetPassword(visiting(), {
    proof: { key },
    password: SECOND,
    strictPasswords: false,
    visitor: PHONE,
  })
  await signIn(visiting(), { account: email, password: SECOND, visitor: PHONE })
})

test('the code mailed to a new address changes it, and the one for a proof proves', async () => {
  const { accountId, email } = await somebody(database.ctx, { withPassword: false })
  const { person } = await signedIn(database.ctx, accountId)
  await requestCode(database.ctx, { type: 'proof', account: '', person, visitor: PHONE })
  await prove(database.ctx, person, { code: (await received(email)).code })
  await changePassword(database.ctx, person, { newPassword: SECOND, strictPasswords: false })
  await requestCode(database.ctx, {
    type: 'email',
    account: 'next@shop.example',
    person,
    visitor: PHONE,
  })
  const { code } = await received('next@shop.example')
  await changeEmail(database.ctx, person, { email: 'next@shop.example', code })
  const told = await received(email)
  expect(told.code).toBe('')
  await signIn(visiting(), { account: 'next@shop.example', password: SECOND, visitor: PHONE })
})

test('a new address that has an account gets no code', async () => {
  const { accountId } = await somebody(database.ctx)
  const other = await somebody(database.ctx)
  const { person } = await signedIn(database.ctx, accountId)
  await requestCode(database.ctx, { type: 'email', account: other.email, person, visitor: PHONE })
  expect((await received(other.email)).code).toBe('')
})

test('the link mailed at a pause lifts it', async () => {
  const { email, userName } = await somebody(database.ctx)
  for (let n = 0; n < 5; n += 1)
    await refused(signIn(visiting(), { account: userName, password: 'Wrong4You', visitor: PHONE }))
  expect(
    (await refused(signIn(visiting(), { account: userName, password: PASSWORD, visitor: PHONE })))
      .code,
  ).toBe('too_many_requests')
  await notifyOfPause(database.ctx, { kind: 'user_name', text: userName.toLowerCase() })
  await unfreeze(visiting(), { key: (await received(email)).key, visitor: PHONE })
  await signIn(visiting(), { account: userName, password: PASSWORD, visitor: PHONE })
})
