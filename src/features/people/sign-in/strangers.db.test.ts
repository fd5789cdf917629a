import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../../../test/support/database.ts'
import {
  PASSWORD,
  PHONE,
  refused,
  somebody,
  type Somebody,
} from '../../../../test/support/people.ts'
import { requestCode } from '#features/people/mailed-code/flows.ts'
import { resetPassword } from '#features/people/account/flows.ts'
import { cookieKnowing, deviceOrNew } from '#features/people/device/commands.ts'
import { deviceCookie } from '#features/people/device/rules.ts'
import { issueVerification } from '#features/people/verification/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { networkOf, type Visitor } from '#platform/http/visitor.ts'
import { signIn } from './flows.ts'

const database = useDatabase()
beforeEach(async () => {
  for (const table of ['rate_limit', 'sign_in_guard'] as const)
    await database.ctx.db.deleteFrom(table).execute()
})

const visitors = (): Ctx => ({ ...database.ctx, actor: 'visitor' })
const from = (address: string, device?: string): Visitor => ({
  address,
  network: networkOf(address),
  userAgent: PHONE.userAgent,
  ...(device === undefined ? {} : { device }),
})
/** An address in a network of its own. */
const anywhere = (n: number) => from(`11.${n >> 8}.${n & 255}.7`)
/** One of the 256 networks (/56) of one site (/48). */
const inOneSite = (n: number) => from(`2001:db8:1:${((n % 256) * 256).toString(16)}::${n}`)

type Outcome = 'in' | 'sign_in_failed' | 'too_many_requests'

async function enter(visitor: Visitor, account: string, password = PASSWORD): Promise<Outcome> {
  try {
    await signIn(visitors(), { account, password, visitor })
    return 'in'
  } catch (error) {
    return (error as { code: Outcome }).code
  }
}

/** So many at a time, as a crowd comes; fewer than wait for hashing. */
async function crowd<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<Outcome>,
): Promise<Record<Outcome, number>> {
  const counts = { in: 0, sign_in_failed: 0, too_many_requests: 0 }
  const rest = items.entries()
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      for (const [index, item] of rest) counts[await work(item, index)] += 1
    }),
  )
  return counts
}

const people = (count: number) =>
  Promise.all(Array.from({ length: count }, () => somebody(database.ctx)))

/** Some type their password wrong once. */
async function enterAsPeople(
  visitor: Visitor,
  { email }: Somebody,
  index: number,
): Promise<Outcome> {
  if (index % 20 === 0) expect(await enter(visitor, email, 'Wrong4You')).toBe('sign_in_failed')
  return enter(visitor, email)
}

test('a crowd gets in: from 300 addresses, half of them in one site of IPv6', async () => {
  const all = await people(300)
  const counts = await crowd(all, (person, index) =>
    enterAsPeople(index % 2 === 0 ? anywhere(index) : inOneSite(index), person, index * 10),
  )
  expect(counts).toEqual({ in: 300, sign_in_failed: 0, too_many_requests: 0 })
}, 600_000)

test('a crowd gets in: a campus behind one address', async () => {
  const all = await people(100)
  const counts = await crowd(all, (person, index) =>
    enterAsPeople(from('203.0.113.9'), person, index),
  )
  expect(counts).toEqual({ in: 100, sign_in_failed: 0, too_many_requests: 0 })
}, 600_000)

test('one attacker does not: 1,000 addresses get 50 guesses at a name, and its owner signs in meanwhile', async () => {
  const { accountId, email } = await somebody(database.ctx)
  const counts = await crowd(Array.from({ length: 3_000 }), (_, index) =>
    enter(anywhere(index % 1_000), email, `Wrong4You${index}`),
  )
  expect(counts.sign_in_failed).toBe(50)
  const own = cookieKnowing(database.ctx, undefined, accountId)
  expect(await enter(from('198.51.100.7', own), email)).toBe('in')
  expect(await enter(from('198.51.100.8'), email)).toBe('too_many_requests')
}, 600_000)

test('one attacker does not: stuffing 1,000 names gets 300 tries from one site of IPv6 and 150 from one network', async () => {
  const names = Array.from({ length: 1_000 }, (_, n) => `leaked${n}@shop.example`)
  const site = await crowd(names, (name, index) => enter(inOneSite(index), name, 'Wrong4You'))
  // Some come back while it runs.
  expect(site.sign_in_failed).toBeGreaterThanOrEqual(300)
  expect(site.sign_in_failed).toBeLessThan(500)
  const network = await crowd(names, (name) => enter(from('203.0.113.9'), name, 'Wrong4You'))
  expect(network.sign_in_failed).toBeGreaterThanOrEqual(150)
  expect(network.sign_in_failed).toBeLessThan(300)
}, 600_000)

test('the mark of one account, or one made up, makes no browser known to another', async () => {
  const [mine, other] = [await somebody(database.ctx), await somebody(database.ctx)]
  const forged = `${'A'.repeat(22)}.${'B'.repeat(22)}`
  for (const device of [cookieKnowing(database.ctx, undefined, mine.accountId), forged, 'x', '']) {
    const visitor = from('203.0.113.9', device)
    for (let n = 0; n < 6; n += 1) await enter(visitor, other.email, 'Wrong4You')
    expect(await enter(visitor, other.email)).toBe('too_many_requests')
  }
})

test('an own browser is paused by its own wrong tries alone', async () => {
  const { accountId, email } = await somebody(database.ctx)
  const visitor = from('203.0.113.9', cookieKnowing(database.ctx, undefined, accountId))
  for (let n = 0; n < 5; n += 1)
    expect(await enter(visitor, email, 'Wrong4You')).toBe('sign_in_failed')
  expect(await enter(visitor, email)).toBe('too_many_requests')
  expect(await enter(from('203.0.113.9'), email)).toBe('in')
})

test('strangers spend neither the code that the owner asked for nor her asking', async () => {
  const { accountId, email } = await somebody(database.ctx)
  const ctx = visitors()
  const own = deviceOrNew(ctx, undefined)
  const owner = from('198.51.100.7', deviceCookie(own))
  const { code = '' } = await transaction(ctx, (tx) =>
    issueVerification(tx, ctx, {
      purpose: 'reset',
      accountId,
      target: email,
      asker: own.id,
      withCode: true,
      withSecret: true,
    }),
  )
  for (let n = 0; n < 60; n += 1) {
    const stranger = { ...anywhere(n), device: deviceCookie(deviceOrNew(ctx, undefined)) }
    await requestCode(ctx, {
      type: 'reset',
      account: email,
      person: null,
      visitor: stranger,
    }).catch(() => {})
    await refused(
      resetPassword(ctx, {
        proof: { account: email, code: '000000' },
        password: 'Nangka8Manis',
        strictPasswords: false,
        visitor: stranger,
      }),
    )
  }
  // All strangers together have used up theirs; a browser she signed in with has its own.
  expect(
    (
      await refused(
        requestCode(ctx, { type: 'reset', account: email, person: null, visitor: anywhere(999) }),
      )
    ).code,
  ).toBe('too_many_requests')
  const known = from('198.51.100.7', cookieKnowing(ctx, undefined, accountId))
  await requestCode(ctx, { type: 'reset', account: email, person: null, visitor: known })
  await resetPassword(ctx, {
    proof: { account: email, code },
    password: 'Nangka8Manis',
    strictPasswords: false,
    visitor: owner,
  })
})

test('a code may be typed in another browser than it was asked for, and guessing there is soon over', async () => {
  const { accountId, email } = await somebody(database.ctx)
  const ctx = visitors()
  const { code = '' } = await transaction(ctx, (tx) =>
    issueVerification(tx, ctx, {
      purpose: 'reset',
      accountId,
      target: email,
      asker: 'A'.repeat(22),
      withCode: true,
      withSecret: true,
    }),
  )
  const reset = (typed: string, visitor: Visitor) =>
    resetPassword(ctx, {
      proof: { account: email, code: typed },
      password: 'Nangka8Manis',
      strictPasswords: false,
      visitor,
    })
  const wrong = code === '000000' ? '000001' : '000000'
  for (let n = 0; n < 5; n += 1)
    expect((await refused(reset(wrong, PHONE))).fields).toEqual({ code: 'code_wrong' })
  expect((await refused(reset(wrong, PHONE))).code).toBe('too_many_requests')
  let judged = 0
  for (let n = 0; n < 40; n += 1)
    if ((await refused(reset(wrong, anywhere(n)))).code === 'check_fields') judged += 1
  expect(judged).toBe(15)
  await database.ctx.db.deleteFrom('rate_limit').execute()
  await reset(code, from('198.51.100.99'))
})
