import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../../../test/support/database.ts'
import {
  LAPTOP,
  PASSWORD,
  PHONE,
  refused,
  signedIn,
  somebody,
} from '../../../../test/support/people.ts'
import { setPassword } from '#features/people/account/commands.ts'
import { notifyOfPause } from '#features/people/account/jobs.ts'
import { findPerson } from '#features/people/session/queries.ts'
import { issueVerification } from '#features/people/verification/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { hashPassword } from '#platform/password-hash.ts'
import { signIn, unfreeze } from './flows.ts'

const database = useDatabase()
// The clock of these tests goes back and forth.
beforeEach(() => database.ctx.db.deleteFrom('rate_limit').execute())
const NOON = Date.parse('2026-03-04T12:00:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const at = (ms: number): Ctx => ({
  ...database.ctx,
  now: () => new Date(NOON + ms),
  actor: 'visitor',
})
const enter = (ctx: Ctx, account: string, password = PASSWORD, visitor = PHONE) =>
  signIn(ctx, { account, password, visitor })
const mailsTo = async (accountId: string) =>
  (
    await database.ctx.db
      .selectFrom('outgoing_mail')
      .select('kind')
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  ).map(({ kind }) => kind)

/** Runs the sign-in as often as it takes to be refused with a pause; tells how many were judged and the seconds to wait. */
async function untilPause(
  ctx: Ctx,
  account: string,
): Promise<{ readonly judged: number; readonly seconds: number }> {
  for (let judged = 0; judged < 100; judged += 1) {
    const refusal = await refused(enter(ctx, account, 'Wrong4You'))
    if (refusal.code === 'too_many_requests')
      return { judged, seconds: (refusal.params as { seconds: number }).seconds }
    expect(refusal).toMatchObject({ code: 'sign_in_failed', fields: {}, data: null })
  }
  throw new Error('no pause came')
}

test('somebody signs in with address or user name in any case of letters', async () => {
  const { accountId, email, userName } = await somebody(at(0))
  for (const account of [email, email.toUpperCase(), userName, ` ${userName.toUpperCase()} `]) {
    const { token } = await enter(at(0), account)
    expect(await findPerson(database.ctx.db, at(1), { cookie: token, handle: null })).toMatchObject(
      { accountId },
    )
  }
})

test('a wrong password, an unknown account and one without a password are refused alike', async () => {
  const known = await somebody(at(0))
  const bare = await somebody(at(0), { withPassword: false })
  const refusals = await Promise.all([
    refused(enter(at(0), known.email, 'Wrong4You')),
    refused(enter(at(0), 'nobody@shop.example')),
    refused(enter(at(0), 'nobodyatall')),
    refused(enter(at(0), bare.email)),
    refused(enter(at(0), '')),
    refused(enter(at(0), '@')),
    refused(enter(at(0), `${'x'.repeat(99_999)}\u0000@`)),
    refused(enter(at(0), "' or ''='")),
  ])
  for (const refusal of refusals)
    expect(refusal).toEqual({ code: 'sign_in_failed', fields: {}, params: {}, data: null })
})

test('after five wrong tries comes a pause of 15 minutes, then 30, then 60, for known and unknown alike', async () => {
  const { email } = await somebody(at(0))
  for (const account of [email, 'stranger@shop.example', 'strangername']) {
    await database.ctx.db.deleteFrom('rate_limit').execute()
    let now = 0
    for (const minutes of [15, 30, 60, 120, 240, 480, 960, 1440, 1440]) {
      expect([account, minutes, await untilPause(at(now), account)]).toEqual([
        account,
        minutes,
        { judged: 5, seconds: minutes * 60 },
      ])
      now += minutes * MINUTE
    }
  }
})

test('during a pause even the right password is refused, and after it it is not', async () => {
  const { email } = await somebody(at(0))
  await untilPause(at(0), email)
  expect((await refused(enter(at(15 * MINUTE - 1), email))).code).toBe('too_many_requests')
  await enter(at(15 * MINUTE), email)
  // And counting starts anew.
  expect(await untilPause(at(15 * MINUTE), email)).toEqual({ judged: 5, seconds: 900 })
})

test('a password of ten years ago signs in and need not be changed', async () => {
  const { accountId, email } = await somebody(at(0))
  await database.ctx.db
    .updateTable('account')
    .set({ password_changed_at: at(-3_650 * 24 * HOUR).now() })
    .where('id', '=', accountId)
    .execute()
  expect((await enter(at(0), email)).token).toMatch(/^[\w-]{20,}$/)
})

test('wrong tries are forgotten after a day without one', async () => {
  const { email } = await somebody(at(0))
  await untilPause(at(0), email)
  expect(await untilPause(at(15 * MINUTE + 24 * HOUR), email)).toEqual({ judged: 5, seconds: 900 })
})

test('of 100 guesses at the same time five are judged', async () => {
  const { email } = await somebody(at(0))
  for (const account of [email, 'crowd@shop.example']) {
    const refusals = await Promise.all(
      Array.from({ length: 100 }, () => refused(enter(at(0), account, 'Wrong4You'))),
    )
    expect(refusals.filter(({ code }) => code === 'sign_in_failed')).toHaveLength(5)
    expect(refusals.filter(({ code }) => code === 'too_many_requests')).toHaveLength(95)
  }
})

test('guessing for a day gets no more than fifty tries', async () => {
  const { email } = await somebody(at(0))
  let judged = 0
  for (let minute = 0; minute < 1440; minute += 5) {
    for (let n = 0; n < 6; n += 1)
      if ((await refused(enter(at(minute * MINUTE), email, 'Wrong4You'))).code === 'sign_in_failed')
        judged += 1
  }
  expect(judged).toBeLessThanOrEqual(50)
})

test('at a pause the owner gets a link that lifts it, once a day; for an unknown account the request does the same', async () => {
  const { accountId, email } = await somebody(at(0))
  const jobs = async () =>
    (
      await sql<{
        n: number
      }>`select count(*)::int as n from graphile_worker.jobs where task_identifier = 'sign_in_paused'`.execute(
        database.ctx.db,
      )
    ).rows[0]?.n ?? 0
  const before = await jobs()
  for (const account of [email, 'ghost@shop.example']) {
    await untilPause(at(0), account)
    await untilPause(at(15 * MINUTE), account)
  }
  expect(await jobs()).toBe(before + 2)
  await notifyOfPause(at(15 * MINUTE), { kind: 'email', text: 'ghost@shop.example' })
  await notifyOfPause(at(15 * MINUTE), { kind: 'email', text: email })
  await notifyOfPause(at(23 * HOUR), { kind: 'email', text: email })
  expect(await mailsTo(accountId)).toEqual(['mailbox_frozen'])
  const { secret = '' } = await transaction(at(15 * MINUTE), (tx) =>
    issueVerification(tx, at(15 * MINUTE), {
      purpose: 'unfreeze',
      accountId,
      target: email,
      withCode: false,
      withSecret: true,
    }),
  )
  await unfreeze(at(16 * MINUTE), { key: secret, visitor: PHONE })
  await enter(at(16 * MINUTE), email)
  expect((await refused(unfreeze(at(17 * MINUTE), { key: secret, visitor: PHONE }))).code).toBe(
    'link_expired',
  )
})

test('who cancels hears what a stranger hears, and gets a mail where the password was right', async () => {
  const { accountId, email } = await somebody(at(0))
  await database.ctx.db
    .updateTable('account')
    .set({ status: 'cancelling', cancel_requested_at: at(0).now(), erase_at: at(HOUR).now() })
    .where('id', '=', accountId)
    .execute()
  expect((await refused(enter(at(1), email, 'Wrong4You'))).code).toBe('sign_in_failed')
  expect(await mailsTo(accountId)).toEqual([])
  expect((await refused(enter(at(2), email))).code).toBe('sign_in_failed')
  expect(await mailsTo(accountId)).toEqual(['sign_in_while_cancelling'])
})

test('with a second factor the password earns a ticket and no session', async () => {
  const { accountId, email } = await somebody(at(0))
  await database.ctx.db
    .insertInto('second_factor')
    .values({ account_id: accountId, sealed_seed: Buffer.alloc(40), confirmed_at: at(0).now() })
    .execute()
  const refusal = await refused(enter(at(0), email))
  expect(refusal).toMatchObject({
    code: 'second_factor_needed',
    data: {
      ticket: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      methods: ['totp', 'recovery_code'],
    },
  })
  expect((await refused(enter(at(0), email, 'Wrong4You'))).code).toBe('sign_in_failed')
  expect(
    await database.ctx.db
      .selectFrom('session')
      .select('id')
      .where('account_id', '=', accountId)
      .execute(),
  ).toEqual([])
})

test('the owner is told of a sign-in on a new device, not of one known', async () => {
  const { accountId, email } = await somebody(at(0))
  await enter(at(0), email)
  await enter(at(1), email)
  expect(await mailsTo(accountId)).toEqual([])
  await enter(at(2), email, PASSWORD, LAPTOP)
  await enter(at(3), email, PASSWORD, LAPTOP)
  expect(await mailsTo(accountId)).toEqual(['new_device'])
  const notices = await database.ctx.db
    .selectFrom('notice')
    .select('kind')
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()
  expect(notices.map(({ kind }) => kind)).toEqual(['welcome', 'new_device'])
})

test('signing in never goes on under a session somebody planted', async () => {
  const { email, accountId } = await somebody(at(0))
  const planted = await signedIn(at(0), (await somebody(at(0))).accountId)
  const mine = await signIn(at(1), {
    account: email,
    password: PASSWORD,
    visitor: PHONE,
    replaces: planted.person.sessionId,
  })
  expect(
    await findPerson(database.ctx.db, at(2), { cookie: planted.token, handle: null }),
  ).toBeNull()
  expect(
    await findPerson(database.ctx.db, at(2), { cookie: null, handle: planted.handle }),
  ).toBeNull()
  expect(
    await findPerson(database.ctx.db, at(2), { cookie: mine.token, handle: planted.handle }),
  ).toMatchObject({ accountId })
})

test('a sign-in beside a password change leaves no session of the old password', async () => {
  const other = await hashPassword('Another8One')
  for (const place of [0, 2, 4, 6]) {
    const { accountId, email } = await somebody(at(0))
    const work = Array.from({ length: 6 }, () => () => enter(at(1), email) as Promise<unknown>)
    work.splice(place, 0, () =>
      transaction(at(1), (tx) => setPassword(tx, at(1), accountId, other)),
    )
    const results = await Promise.allSettled(work.map((start) => start()))
    expect(results[place]).toMatchObject({ status: 'fulfilled' })
    expect(
      await database.ctx.db
        .selectFrom('session')
        .select('id')
        .where('account_id', '=', accountId)
        .execute(),
    ).toEqual([])
  }
})

test('a sign-in takes as long for an unknown account as for a known one', async () => {
  const { email } = await somebody(at(0))
  const timeOf = async (account: string, ctx: Ctx) => {
    const from = performance.now()
    await refused(enter(ctx, account, 'Wrong4You'))
    return performance.now() - from
  }
  const pairs: { readonly known: number; readonly unknown: number }[] = []
  for (let n = 0; n < 80; n += 1) {
    // A day apart, so that no pause comes between; each first as often as the other.
    const ctx = at((n + 1) * 25 * HOUR)
    const first = await timeOf(n % 2 === 0 ? email : 'unknown@shop.example', ctx)
    const second = await timeOf(n % 2 === 0 ? 'unknown@shop.example' : email, ctx)
    pairs.push(n % 2 === 0 ? { known: first, unknown: second } : { known: second, unknown: first })
  }
  const usual = median(pairs.map(({ known }) => known))
  expect(Math.abs(usual - median(pairs.map(({ unknown }) => unknown)))).toBeLessThan(
    Math.max(5, usual / 4),
  )
  // The sign test: if neither were slower, 80 pairs would lie further from 40 than this once in two thousand runs.
  expect(Math.abs(pairs.filter(({ known, unknown }) => known > unknown).length - 40)).toBeLessThan(
    17,
  )
})

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
