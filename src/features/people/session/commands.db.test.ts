import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../../test/support/database.ts'
import { LAPTOP, PHONE, signedIn, somebody } from '../../../../test/support/people.ts'
import { countTry } from '#features/base/guard/commands.ts'
import { issueVerification } from '#features/people/verification/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { sha256 } from '#platform/secrets.ts'
import {
  endListedSession,
  endSession,
  endSessions,
  eraseSession,
  recordProof,
  startSession,
} from './commands.ts'
import { cleanUp } from './jobs.ts'
import { KNOWN_DEVICES_MAX, SESSIONS_MAX } from './rules.ts'
import { exportSession, findPerson, listSessions } from './queries.ts'

const database = useDatabase()
const NOON = Date.parse('2026-03-04T12:00:00Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR
const at = (ms: number): Ctx => ({ ...database.ctx, now: () => new Date(NOON + ms) })
const byCookie = (ctx: Ctx, cookie: string) => findPerson(ctx.db, ctx, { cookie, handle: null })
const byHandle = (ctx: Ctx, handle: string) => findPerson(ctx.db, ctx, { cookie: null, handle })

test('the cookie and the handle find the person, and neither can be read in the table', async () => {
  const { accountId, email, userName } = await somebody(at(0))
  const { token, handle } = await signedIn(at(0), accountId)
  expect(await byCookie(at(1), token)).toMatchObject({
    via: 'cookie',
    accountId,
    email,
    userName,
    nickname: userName,
    hasPassword: true,
    roleId: 0,
    avatar: null,
    language: 'en',
  })
  expect(await byHandle(at(1), handle)).toMatchObject({ via: 'handle', accountId })
  const rows = await database.ctx.db
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', accountId)
    .execute()
  const dump = JSON.stringify(rows, (_key, value: unknown) =>
    Buffer.isBuffer(value) ? value.toString('latin1') : value,
  )
  expect(dump).not.toContain(token)
  expect(dump).not.toContain(handle)
  // What stands in the row signs nobody in.
  for (const row of rows)
    expect(await byCookie(at(1), row.token_hash.toString('base64url'))).toBeNull()
})

test('a handle is no cookie and a cookie no handle', async () => {
  const { accountId } = await somebody(at(0))
  const { token, handle } = await signedIn(at(0), accountId)
  expect(await byCookie(at(1), handle)).toBeNull()
  expect(await byHandle(at(1), token)).toBeNull()
})

test('where a cookie is sent it decides alone', async () => {
  const mine = await signedIn(at(0), (await somebody(at(0))).accountId)
  const theirs = await signedIn(at(0), (await somebody(at(0))).accountId)
  const both = await findPerson(database.ctx.db, at(1), {
    cookie: mine.token,
    handle: theirs.handle,
  })
  expect(both).toMatchObject({ via: 'cookie', accountId: mine.person.accountId })
  for (const cookie of ['', 'dead', 'A'.repeat(43)])
    expect(await findPerson(database.ctx.db, at(1), { cookie, handle: theirs.handle })).toBeNull()
})

test('a session ends after 14 days without use and after 90 days in any case', async () => {
  const { accountId } = await somebody(at(0))
  const idle = await signedIn(at(0), accountId)
  expect(await byCookie(at(14 * DAY - 1), idle.token)).not.toBeNull()
  expect(await byCookie(at(28 * DAY), idle.token)).toBeNull()
  const used = await signedIn(at(0), accountId)
  for (let day = 10; day < 90; day += 10)
    expect(await byCookie(at(day * DAY), used.token)).not.toBeNull()
  expect(await byCookie(at(90 * DAY), used.token)).toBeNull()
})

test('a handle dies after 24 hours without use, the cookie beside it lives', async () => {
  const { accountId } = await somebody(at(0))
  const { token, handle } = await signedIn(at(0), accountId)
  expect(await byHandle(at(23 * HOUR), handle)).not.toBeNull()
  expect(await byHandle(at(46 * HOUR), handle)).not.toBeNull()
  for (let hour = 50; hour < 71; hour += 5) await byCookie(at(hour * HOUR), token)
  expect(await byHandle(at(70 * HOUR), handle)).toBeNull()
  expect(await byCookie(at(71 * HOUR), token)).not.toBeNull()
})

test('use is noted at most once a minute', async () => {
  const { accountId } = await somebody(at(0))
  const { token, person } = await signedIn(at(0), accountId)
  const seen = async () =>
    (
      await database.ctx.db
        .selectFrom('session')
        .select('seen_at')
        .where('id', '=', person.sessionId)
        .executeTakeFirstOrThrow()
    ).seen_at.getTime() - NOON
  await byCookie(at(59_999), token)
  expect(await seen()).toBe(0)
  await byCookie(at(60_000), token)
  expect(await seen()).toBe(60_000)
})

test('signing in ends the session it replaces, and a planted one is never taken over', async () => {
  const { accountId } = await somebody(at(0))
  const planted = await signedIn(at(0), (await somebody(at(0))).accountId)
  const fresh = await transaction(at(1), (tx) =>
    startSession(tx, at(1), { accountId, visitor: PHONE, replaces: planted.person.sessionId }),
  )
  expect([fresh.token, fresh.handle]).not.toContain(planted.token)
  expect(fresh.handle).not.toBe(planted.handle)
  expect(await byCookie(at(2), planted.token)).toBeNull()
  expect(await byHandle(at(2), planted.handle)).toBeNull()
  expect(await byCookie(at(2), fresh.token)).toMatchObject({ accountId })
})

test('a proof is noted and changes token and handle; the old ones are dead at once', async () => {
  const { accountId } = await somebody(at(0))
  const { token, handle, person } = await signedIn(at(0), accountId)
  const rotated = await transaction(at(HOUR), (tx) => recordProof(tx, at(HOUR), person.sessionId))
  expect(await byCookie(at(HOUR), token)).toBeNull()
  expect(await byHandle(at(HOUR), handle)).toBeNull()
  expect(await byCookie(at(HOUR), rotated.token)).toMatchObject({
    sessionId: person.sessionId,
    provedAt: new Date(NOON + HOUR),
  })
})

test('a sign-in that proves nothing leaves sensitive actions closed', async () => {
  const { accountId } = await somebody(at(0))
  const { token } = await transaction(at(0), (tx) =>
    startSession(tx, at(0), { accountId, visitor: PHONE, proved: false }),
  )
  expect((await byCookie(at(1), token))?.provedAt).toEqual(new Date(0))
})

test('nobody is signed in to an account that is being cancelled', async () => {
  const { accountId } = await somebody(at(0))
  const { token } = await signedIn(at(0), accountId)
  await database.ctx.db
    .updateTable('account')
    .set({ status: 'cancelling', cancel_requested_at: at(0).now(), erase_at: at(30 * DAY).now() })
    .where('id', '=', accountId)
    .execute()
  expect(await byCookie(at(1), token)).toBeNull()
})

test('the list of devices marks the current one and ends the others there', async () => {
  const { accountId } = await somebody(at(0))
  const stranger = await signedIn(at(0), (await somebody(at(0))).accountId)
  const phone = await signedIn(at(0), accountId)
  const laptop = await signedIn(at(HOUR), accountId, LAPTOP)
  const list = await listSessions(database.ctx.db, at(HOUR), phone.person)
  expect(list.map(({ browser, system, current }) => [browser, system, current])).toEqual([
    ['Firefox', 'Windows', false],
    ['Chrome', 'Android', true],
  ])
  const [listed] = list
  expect(
    await transaction(at(HOUR), (tx) => endListedSession(tx, stranger.person, listed?.id ?? '')),
  ).toBe(false)
  expect(await byCookie(at(HOUR), laptop.token)).not.toBeNull()
  expect(
    await transaction(at(HOUR), (tx) => endListedSession(tx, phone.person, listed?.id ?? '')),
  ).toBe(true)
  expect(await byCookie(at(HOUR), laptop.token)).toBeNull()
  await signedIn(at(HOUR), accountId, LAPTOP)
  expect(
    await transaction(at(HOUR), (tx) => endSessions(tx, accountId, phone.person.sessionId)),
  ).toBe(1)
  expect(await byCookie(at(HOUR), phone.token)).not.toBeNull()
  await transaction(at(HOUR), (tx) => endSession(tx, phone.person.sessionId))
  expect(await byCookie(at(HOUR), phone.token)).toBeNull()
  expect(await byHandle(at(HOUR), phone.handle)).toBeNull()
})

test('a device is new where the account was used before, but never from browser, system and network like these', async () => {
  const { accountId } = await somebody(at(0))
  const start = (visitor: typeof PHONE) =>
    transaction(at(0), (tx) => startSession(tx, at(0), { accountId, visitor }))
  expect((await start(PHONE)).onNewDevice).toBe(false)
  expect((await start(PHONE)).onNewDevice).toBe(false)
  expect((await start(LAPTOP)).onNewDevice).toBe(true)
  expect((await start(LAPTOP)).onNewDevice).toBe(false)
  expect((await start({ ...PHONE, network: '192.0.2.0/24' })).onNewDevice).toBe(true)
})

test('what has run out is cleaned up, and nothing else', async () => {
  const { accountId } = await somebody(at(0))
  await signedIn(at(0), accountId)
  const { token } = await signedIn(at(10 * DAY), accountId)
  const day = 20 * DAY
  for (const typed of ['old', 'new'])
    await countTry(at(typed === 'old' ? day - 2 * DAY : day - HOUR), {
      typed: { kind: 'user_name', text: typed },
    })
  const issue = (from: number) =>
    transaction(at(from), (tx) =>
      issueVerification(tx, at(from), {
        purpose: 'undo_cancel',
        accountId,
        target: '',
        withCode: false,
        withSecret: true,
        ttl: 10 * DAY,
      }),
    )
  await issue(0)
  const { secret = '' } = await issue(day - DAY)
  await cleanUp(at(day))
  expect(await database.ctx.db.selectFrom('sign_in_guard').selectAll().execute()).toHaveLength(1)
  expect(await database.ctx.db.selectFrom('verification').select('secret_hash').execute()).toEqual([
    { secret_hash: sha256(secret) },
  ])
  expect(await byCookie(at(20 * DAY), token)).not.toBeNull()
  expect(
    await database.ctx.db
      .selectFrom('session')
      .select('id')
      .where('account_id', '=', accountId)
      .execute(),
  ).toHaveLength(1)
})

test('sessions are exported without secrets and erased whole', async () => {
  const { accountId } = await somebody(at(0))
  await signedIn(at(0), accountId)
  expect(await exportSession(database.ctx.db, accountId)).toEqual([
    {
      browser: 'Chrome',
      system: 'Android',
      network: '203.0.113.0/24',
      signed_in_at: '2026-03-04T12:00:00.000Z',
      seen_at: '2026-03-04T12:00:00.000Z',
      ends_at: '2026-06-02T12:00:00.000Z',
    },
  ])
  await transaction(at(0), (tx) => eraseSession(tx, accountId))
  expect(await exportSession(database.ctx.db, accountId)).toEqual([])
  expect(
    await database.ctx.db
      .selectFrom('known_device')
      .selectAll()
      .where('account_id', '=', accountId)
      .execute(),
  ).toEqual([])
})

test("an account has so many sessions and known devices; one more ends the oldest and no other account's", async () => {
  const [{ accountId }, neighbour] = [await somebody(at(0)), await somebody(at(0))]
  const other = await signedIn(at(0), neighbour.accountId)
  const first = await signedIn(at(0), accountId)
  for (let place = 1; place < SESSIONS_MAX; place += 1) await signedIn(at(place * 1_000), accountId)
  expect(await byCookie(at(DAY), first.token)).not.toBeNull()
  const last = await signedIn(at(SESSIONS_MAX * 1_000), accountId)
  // It was used a day later than all others were begun, so that another one is the oldest.
  expect(await byCookie(at(DAY), first.token)).not.toBeNull()
  expect(await byCookie(at(DAY), last.token)).not.toBeNull()
  expect(await byCookie(at(DAY), other.token)).not.toBeNull()
  const count = async (table: 'session' | 'known_device') =>
    (
      await database.ctx.db
        .selectFrom(table)
        .select('account_id')
        .where('account_id', '=', accountId)
        .execute()
    ).length
  expect(await count('session')).toBe(SESSIONS_MAX)

  await sql`insert into known_device (account_id, fingerprint, seen_at)
    select ${accountId}, sha256(place::text::bytea), ${new Date(NOON - DAY)} from generate_series(1, ${KNOWN_DEVICES_MAX}::integer) as place`.execute(
    database.ctx.db,
  )
  await signedIn(at(2 * DAY), accountId)
  expect(await count('known_device')).toBe(KNOWN_DEVICES_MAX)
})
