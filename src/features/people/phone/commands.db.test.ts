import { expect, test } from 'vitest'
import type { Person } from '#features/people/session/rules.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Sms, SmsOutcome, SmsSender } from '#providers/sms/sender.ts'
import { addAccount } from '../../../../test/support/accounts.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { confirmPhone, forgetOldSms, removePhone, requestPhoneCode } from './commands.ts'
import { sendSms } from './jobs.ts'
import { exportPhone } from './queries.ts'

const database = useDatabase()
let serial = 0
const nextNumber = () => `+62812345${String((serial += 1)).padStart(5, '0')}`
const REQUEST = { network: '203.0.113.0/24', isPossible: true }

async function newPerson(status: 'active' | 'cancelling' = 'active'): Promise<Person> {
  const accountId = await addAccount(database.ctx, { status })
  return {
    sessionId: accountId,
    via: 'cookie',
    provedAt: new Date(),
    accountId,
    userId: '',
    uid: '',
    userName: '',
    nickname: '',
    email: '',
    mobile: null,
    mobileVerified: false,
    avatar: null,
    language: 'en',
    roleId: 0,
    registeredAt: new Date(),
    hasPassword: true,
  }
}

const messagesOf = (person: Person) =>
  database.ctx.db
    .selectFrom('outgoing_sms')
    .selectAll()
    .where('account_id', '=', person.accountId)
    .orderBy('id')
    .execute()
const mobileOf = async (person: Person) =>
  await database.ctx.db
    .selectFrom('account')
    .select(['mobile', 'mobile_verified_at'])
    .where('id', '=', person.accountId)
    .executeTakeFirstOrThrow()

function senderOf(outcome: SmsOutcome | (() => SmsOutcome)): {
  sms: SmsSender
  sent: Sms[]
  publicUrl: string
} {
  const sent: Sms[] = []
  const send = (sms: Sms) =>
    Promise.resolve(
      sent.push(sms) > 0 && typeof outcome === 'function' ? outcome() : (outcome as SmsOutcome),
    )
  return { sms: { send, close: () => {} }, sent, publicUrl: 'https://shop.example' }
}

/** Runs the jobs of a person's messages. @returns what was sent */
async function deliver(
  person: Person,
  services = senderOf({ kind: 'sent', reference: 'SM1' }),
  ctx: Ctx = database.ctx,
): Promise<readonly Sms[]> {
  for (const { id } of await messagesOf(person)) await sendSms(ctx, { id }, services)
  return services.sent
}

const codeIn = (sms: Sms | undefined) => /\d{6}/.exec(sms?.text ?? '')?.[0] ?? ''

test('a number is added with the code that was sent to it, once', async () => {
  const { ctx } = database
  const person = await newPerson()
  const mobile = nextNumber()
  await requestPhoneCode(ctx, person, { mobile, ...REQUEST })
  expect(await messagesOf(person)).toHaveLength(1)
  const [sms] = await deliver(person)
  expect(sms).toMatchObject({ to: mobile, validSeconds: 600 })
  expect(sms?.text).toBe(
    `${codeIn(sms)} is your Lukado code. It expires in 10 minutes. Never share it.\n\n@shop.example #${codeIn(sms)}`,
  )

  await expect(
    confirmPhone(ctx, person, { mobile, code: codeIn(sms) === '000000' ? '000001' : '000000' }),
  ).rejects.toMatchObject({ fields: [{ field: 'code', reason: 'code_wrong' }] })
  await expect(
    confirmPhone(ctx, person, { mobile: nextNumber(), code: codeIn(sms) }),
  ).rejects.toMatchObject({ fields: [{ reason: 'code_wrong' }] })
  const uses = await Promise.allSettled(
    Array.from({ length: 100 }, () => confirmPhone(ctx, person, { mobile, code: codeIn(sms) })),
  )
  expect(uses.filter((use) => use.status === 'fulfilled')).toHaveLength(1)
  expect(await mobileOf(person)).toMatchObject({ mobile, mobile_verified_at: expect.any(Date) })
  await expect(
    requestPhoneCode(ctx, { ...person, mobile, mobileVerified: true }, { mobile, ...REQUEST }),
  ).rejects.toMatchObject({ fields: [{ field: 'mobile', reason: 'same_as_before' }] })

  await removePhone(ctx, person)
  await removePhone(ctx, person)
  expect(await mobileOf(person)).toEqual({ mobile: null, mobile_verified_at: null })
})

test('a code is no use to another account', async () => {
  const { ctx } = database
  const [person, other] = [await newPerson(), await newPerson()]
  const mobile = nextNumber()
  await requestPhoneCode(ctx, person, { mobile, ...REQUEST })
  const [sms] = await deliver(person)
  await expect(confirmPhone(ctx, other, { mobile, code: codeIn(sms) })).rejects.toMatchObject({
    fields: [{ reason: 'code_wrong' }],
  })
  await confirmPhone(ctx, person, { mobile, code: codeIn(sms) })
})

test('a message is sent once, however often its job runs, and its number is not kept', async () => {
  const person = await newPerson()
  await requestPhoneCode(database.ctx, person, { mobile: nextNumber(), ...REQUEST })
  const services = senderOf({ kind: 'sent', reference: 'SM1' })
  await Promise.all([
    deliver(person, services),
    deliver(person, services),
    deliver(person, services),
  ])
  await deliver(person, services)
  expect(services.sent).toHaveLength(1)
  expect(await messagesOf(person)).toMatchObject([{ mobile: null, sent_at: expect.any(Date) }])
  expect(await exportPhone(database.ctx.db, person.accountId)).toEqual([
    { mobile: null, asked_at: expect.any(String), sent_at: expect.any(String) },
  ])
})

test('a message surely not taken is tried again with a new code', async () => {
  const person = await newPerson()
  const mobile = nextNumber()
  await requestPhoneCode(database.ctx, person, { mobile, ...REQUEST })
  const busy = senderOf({ kind: 'later', reason: 'answer 429' })
  await expect(deliver(person, busy)).rejects.toThrow('answer 429')
  const [sms] = await deliver(person)
  expect(busy.sent).toHaveLength(1)
  await confirmPhone(database.ctx, person, { mobile, code: codeIn(sms) })
})

test.each(['unknown', 'refused'] as const)(
  'a message that is %s is not sent a second time',
  async (kind) => {
    const person = await newPerson()
    await requestPhoneCode(database.ctx, person, { mobile: nextNumber(), ...REQUEST })
    await deliver(person, senderOf({ kind, reason: 'answer 500' }))
    expect(await deliver(person)).toHaveLength(0)
    expect(await messagesOf(person)).toMatchObject([{ mobile: null, sent_at: null }])
  },
)

test('a message nobody waits for any more is not sent', async () => {
  const { ctx } = database
  const person = await newPerson()
  await requestPhoneCode(ctx, person, { mobile: nextNumber(), ...REQUEST })
  const later: Ctx = { ...ctx, now: () => new Date(Date.now() + 11 * 60_000) }
  expect(await deliver(person, undefined, later)).toHaveLength(0)
  await forgetOldSms(later)
  expect(await messagesOf(person)).toMatchObject([{ mobile: null, sent_at: null }])
  await forgetOldSms({ ...ctx, now: () => new Date(Date.now() + 31 * 86_400_000) })
  expect(await messagesOf(person)).toEqual([])
})

test('messages cost money: five an account a day, three a number an hour, twenty a network a day', async () => {
  const { ctx } = database
  const ask = async (person: Person, mobile: string, network: string) =>
    requestPhoneCode(ctx, person, { ...REQUEST, mobile, network }).then(
      () => 'sent',
      (error: { code: string }) => error.code,
    )
  const person = await newPerson()
  const answers = []
  for (let turn = 0; turn < 7; turn += 1)
    answers.push(await ask(person, nextNumber(), '198.51.100.0/24'))
  expect(answers).toEqual([
    ...Array<string>(5).fill('sent'),
    'too_many_requests',
    'too_many_requests',
  ])

  const mobile = nextNumber()
  const byNumber = []
  for (let turn = 0; turn < 4; turn += 1)
    byNumber.push(await ask(await newPerson(), mobile, `192.0.2.${turn}/24`))
  expect(byNumber).toEqual(['sent', 'sent', 'sent', 'too_many_requests'])

  const byNetwork = await Promise.all(
    Array.from({ length: 24 }, async () => ask(await newPerson(), nextNumber(), '2001:db8::/56')),
  )
  expect(byNetwork.filter((answer) => answer === 'sent')).toHaveLength(20)
})

test('nothing is asked for in a shop without a sender, for what is no number, or by who is leaving', async () => {
  const { ctx } = database
  const person = await newPerson()
  const mobile = nextNumber()
  await expect(
    requestPhoneCode(ctx, person, { ...REQUEST, mobile, isPossible: false }),
  ).rejects.toMatchObject({ code: 'sms_unavailable' })
  for (const text of ['', '0812', '+0812', "+62'; drop table account", `+${'9'.repeat(16)}`]) {
    await expect(
      requestPhoneCode(ctx, person, { ...REQUEST, mobile: text, field: 'account' }),
    ).rejects.toMatchObject({ fields: [{ field: 'account', reason: 'phone_format' }] })
  }
  await expect(
    requestPhoneCode(ctx, await newPerson('cancelling'), { ...REQUEST, mobile }),
  ).rejects.toMatchObject({ code: 'unauthorised' })
  expect(await messagesOf(person)).toEqual([])
})
