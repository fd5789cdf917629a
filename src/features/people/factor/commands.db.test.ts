import { Secret, TOTP } from 'otpauth'
import { beforeEach, expect, test } from 'vitest'
import { issueVerification } from '#features/people/verification/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { addAccount } from '../../../../test/support/accounts.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  eraseFactors,
  finishSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './commands.ts'
import { exportFactors, hasSecondFactor, readSecondFactor } from './queries.ts'
import { cookieKnowing } from '#features/people/device/commands.ts'
import { NO_SESSION } from '../../../../test/support/people.ts'

const database = useDatabase()
const MANY = 100
let clock: Date
let ctx: Ctx

beforeEach(() => {
  clock = new Date('2026-11-21T12:00:00Z')
  ctx = { ...database.ctx, now: () => clock }
})

/** A sign-in of its own: a ticket, then the code. */
async function signInWith(accountId: string, code: string): Promise<string> {
  return finishSecondFactor(ctx, { ticket: await ticketFor(accountId), code })
}

test('codes are on after the first one has come back, and the seed lies sealed', async () => {
  const { accountId, app } = await begun()
  expect(await hasSecondFactor(ctx.db, accountId)).toBe(false)
  await expect(
    confirmSecondFactor(ctx, { accountId, sessionId: NO_SESSION }, '000000'),
  ).rejects.toMatchObject({
    code: 'check_fields',
    fields: [{ field: 'confirm', reason: 'code_wrong' }],
  })
  expect(
    await confirmSecondFactor(
      ctx,
      { accountId, sessionId: NO_SESSION },
      app.generate({ timestamp: clock.getTime() }),
    ),
  ).toHaveLength(10)
  expect(await readSecondFactor(ctx.db, accountId)).toEqual({
    isOn: true,
    confirmedAt: clock,
    recoveryCodesLeft: 10,
  })
  const row = await ctx.db
    .selectFrom('second_factor')
    .select('sealed_seed')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  expect(row.sealed_seed.includes(Buffer.from(app.secret.bytes))).toBe(false)
  await expect(beginSecondFactor(ctx, accountId, 'Lukado')).rejects.toMatchObject({
    code: 'changed_meanwhile',
  })
})

test('a seed begun anew takes the place of one never confirmed', async () => {
  const { accountId, app } = await begun()
  await beginSecondFactor(ctx, accountId, 'Lukado')
  await expect(
    confirmSecondFactor(
      ctx,
      { accountId, sessionId: NO_SESSION },
      app.generate({ timestamp: clock.getTime() }),
    ),
  ).rejects.toMatchObject({ code: 'check_fields' })
})

test('a code counts once, from the step before to the step after', async () => {
  const { accountId, codeAt } = await confirmed()
  const first = codeAt(1)
  await signInWith(accountId, first)
  await expect(signInWith(accountId, first)).rejects.toMatchObject({
    code: 'check_fields',
    fields: [{ field: 'code', reason: 'code_wrong' }],
  })
  await expect(signInWith(accountId, codeAt(0))).rejects.toMatchObject({ code: 'check_fields' })
  await expect(signInWith(accountId, codeAt(3))).rejects.toMatchObject({ code: 'check_fields' })
  later(60)
  await signInWith(accountId, codeAt(-1 + 1))
  await signInWith(accountId, codeAt(1))
})

test('the code that turned codes on opens nothing any more', async () => {
  const { accountId, codeAt } = await confirmed({ isRested: false })
  await expect(signInWith(accountId, codeAt(0))).rejects.toMatchObject({ code: 'check_fields' })
})

test('of a hundred uses of one code at the same time one succeeds', async () => {
  const { accountId, codeAt } = await confirmed()
  expect(await successesOf(() => signInWith(accountId, codeAt(0)))).toBe(1)
})

test('of a hundred uses of one recovery code at the same time one succeeds', async () => {
  const { accountId, recovery } = await confirmed()
  expect(await successesOf(() => signInWith(accountId, recovery[3] ?? ''))).toBe(1)
  expect((await readSecondFactor(ctx.db, accountId)).recoveryCodesLeft).toBe(9)
})

test('of a hundred confirmations at the same time one succeeds', async () => {
  const { accountId, app } = await begun()
  expect(
    await successesOf(() =>
      confirmSecondFactor(
        ctx,
        { accountId, sessionId: NO_SESSION },
        app.generate({ timestamp: clock.getTime() }),
      ),
    ),
  ).toBe(1)
  expect((await readSecondFactor(ctx.db, accountId)).recoveryCodesLeft).toBe(10)
  expect(await mailsOf(accountId)).toEqual([{ kind: 'factor_added', params: { factor: 'totp' } }])
})

test("new recovery codes end the old ones, and somebody else's open nothing", async () => {
  const { accountId, recovery } = await confirmed()
  const other = await confirmed()
  const renewed = await renewRecoveryCodes(ctx, accountId)
  await expect(signInWith(accountId, recovery[0] ?? '')).rejects.toMatchObject({
    code: 'check_fields',
  })
  await expect(signInWith(other.accountId, renewed[0] ?? '')).rejects.toMatchObject({
    code: 'check_fields',
  })
  await signInWith(accountId, ` ${(renewed[0] ?? '').toLowerCase().replace('-', ' ')}`)
})

test('a ticket and a code sign in once', async () => {
  const { accountId, codeAt } = await confirmed()
  const ticket = await ticketFor(accountId)
  expect(await finishSecondFactor(ctx, { ticket, code: codeAt(0) })).toBe(accountId)
  await expect(finishSecondFactor(ctx, { ticket, code: codeAt(1) })).rejects.toMatchObject({
    code: 'ticket_expired',
  })
})

test('of a hundred sign-ins with one ticket and several good codes at the same time one succeeds', async () => {
  const { accountId, recovery } = await confirmed()
  const ticket = await ticketFor(accountId)
  let turn = 0
  expect(
    await successesOf(() =>
      finishSecondFactor(ctx, { ticket, code: recovery[(turn += 1) % 10] ?? '' }),
    ),
  ).toBe(1)
  // The others' codes are not lost.
  expect((await readSecondFactor(ctx.db, accountId)).recoveryCodesLeft).toBe(9)
})

test('after five wrong codes a ticket is dead, even for the right one', async () => {
  const { accountId, codeAt } = await confirmed()
  const ticket = await ticketFor(accountId)
  for (const _ of [1, 2, 3, 4, 5])
    await expect(finishSecondFactor(ctx, { ticket, code: 'nonsense' })).rejects.toMatchObject({
      code: 'check_fields',
    })
  await expect(finishSecondFactor(ctx, { ticket, code: codeAt(0) })).rejects.toMatchObject({
    code: 'ticket_expired',
  })
})

test('a ticket of the wrong kind, of nobody or of yesterday opens nothing', async () => {
  const { accountId, codeAt } = await confirmed()
  const ticket = await ticketFor(accountId)
  await expect(
    finishSecondFactor(ctx, { ticket: 'A'.repeat(43), code: codeAt(0) }),
  ).rejects.toMatchObject({ code: 'ticket_expired' })
  await expect(
    finishSecondFactor(ctx, { ticket: '\0'.repeat(9), code: codeAt(0) }),
  ).rejects.toMatchObject({ code: 'ticket_expired' })
  later(24 * 3600)
  await expect(finishSecondFactor(ctx, { ticket, code: codeAt(0) })).rejects.toMatchObject({
    code: 'ticket_expired',
  })
})

test('however many tickets, wrong codes of an account make it wait longer and longer, and a right one clears them', async () => {
  const { accountId, codeAt } = await confirmed()
  const wrong = () =>
    signInWith(accountId, 'wrong').catch((error: { code: string; params: unknown }) => [
      error.code,
      error.params,
    ])
  for (let tries = 0; tries < 10; tries += 1) expect(await wrong()).toEqual(['check_fields', {}])
  expect(await wrong()).toEqual(['too_many_requests', { seconds: 60 }])
  later(61)
  expect(await wrong()).toEqual(['check_fields', {}])
  expect(await wrong()).toEqual(['too_many_requests', { seconds: 120 }])
  await expect(signInWith(accountId, codeAt(0))).rejects.toMatchObject({
    code: 'too_many_requests',
  })
  later(121)
  await signInWith(accountId, codeAt(0))
  expect(await wrong()).toEqual(['check_fields', {}])
  expect(await wrong()).toEqual(['check_fields', {}])
})

test('whoever knows the password and guesses codes elsewhere keeps the owner out of no browser of hers', async () => {
  const { accountId, codeAt } = await confirmed()
  const device = cookieKnowing(ctx, undefined, accountId)
  const guess = async (cookie?: string) =>
    finishSecondFactor(ctx, { ticket: await ticketFor(accountId), code: 'wrong', device: cookie })
  for (let tries = 0; tries < 10; tries += 1)
    await expect(guess()).rejects.toMatchObject({ code: 'check_fields' })
  await expect(guess()).rejects.toMatchObject({ code: 'too_many_requests' })
  const ticket = await ticketFor(accountId)
  expect(await finishSecondFactor(ctx, { ticket, code: codeAt(0), device })).toBe(accountId)
  for (let tries = 0; tries < 10; tries += 1)
    await expect(guess(device)).rejects.toMatchObject({ code: 'check_fields' })
  await expect(guess(device)).rejects.toMatchObject({ code: 'too_many_requests' })
})

test('in a day of trying without rest few codes are looked at', async () => {
  const { accountId } = await confirmed()
  let looked = 0
  let ticket = ''
  for (let second = 0, tries = 0; second < 24 * 3600; second += 20, tries += 1) {
    // Every ticket is used up: it is good for five tries.
    if (tries % 5 === 0) ticket = await ticketFor(accountId)
    const refused = await finishSecondFactor(ctx, { ticket, code: 'wrong' }).catch(
      (error: { code: string }) => error.code,
    )
    expect(['check_fields', 'too_many_requests']).toContain(refused)
    if (refused === 'check_fields') looked += 1
    later(20)
  }
  expect(looked).toBeLessThan(60)
})

test('codes turned off leave nothing behind and are told of once', async () => {
  const { accountId, codeAt } = await confirmed()
  await Promise.all(
    Array.from({ length: 20 }, () => removeSecondFactor(ctx, { accountId, sessionId: NO_SESSION })),
  )
  expect(await readSecondFactor(ctx.db, accountId)).toEqual({
    isOn: false,
    confirmedAt: null,
    recoveryCodesLeft: 0,
  })
  await expect(signInWith(accountId, codeAt(0))).rejects.toMatchObject({ code: 'check_fields' })
  expect((await mailsOf(accountId)).map((mail) => mail.kind)).toEqual([
    'factor_added',
    'factor_removed',
  ])
  const notices = await ctx.db
    .selectFrom('notice')
    .select(['kind', 'params'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  expect(notices).toEqual([
    { kind: 'factor_added', params: { factor: 'authenticator' } },
    { kind: 'factor_removed', params: { factor: 'authenticator' } },
  ])
  const audit = await ctx.db
    .selectFrom('audit_log')
    .select(['action', 'subject', 'before', 'after'])
    .where('subject_code', '=', accountId)
    .orderBy('id')
    .execute()
  expect(audit).toEqual([
    { action: 'create', subject: 'second_factor', before: null, after: {} },
    { action: 'remove', subject: 'second_factor', before: {}, after: null },
  ])
})

test('export tells dates and no secret; erasing leaves nothing', async () => {
  const { accountId } = await confirmed()
  expect(await exportFactors(ctx.db, accountId)).toEqual([
    { kind: 'authenticator_app', added: '2026-11-21T12:00:00.000Z', recovery_codes_left: 10 },
  ])
  await transaction(ctx, (tx) => eraseFactors(tx, accountId))
  expect(await exportFactors(ctx.db, accountId)).toEqual([])
})

async function begun() {
  const accountId = await addAccount(ctx)
  const { uri, seed, qr } = await beginSecondFactor(ctx, accountId, 'Lukado')
  const app = new TOTP({ secret: Secret.fromBase32(seed.replaceAll(' ', '')) })
  expect(uri).toContain(`secret=${app.secret.base32}`)
  expect(qr).toContain('<path')
  return { accountId, app }
}

/** @param isRested whether the step of the first code has passed */
async function confirmed({ isRested = true } = {}) {
  const { accountId, app } = await begun()
  const recovery = await confirmSecondFactor(
    ctx,
    { accountId, sessionId: NO_SESSION },
    app.generate({ timestamp: clock.getTime() }),
  )
  if (isRested) later(60)
  return {
    accountId,
    recovery,
    codeAt: (steps: number) => app.generate({ timestamp: clock.getTime() + steps * 30_000 }),
  }
}

function later(seconds: number) {
  clock = new Date(clock.getTime() + seconds * 1000)
}

async function ticketFor(accountId: string): Promise<string> {
  const issued = await transaction(ctx, (tx) =>
    issueVerification(tx, ctx, {
      purpose: 'second_factor',
      accountId,
      target: '',
      withCode: false,
      withSecret: true,
    }),
  )
  return issued.secret ?? ''
}

async function successesOf(attempt: () => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: MANY }, attempt))
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'AppError' })
  return outcomes.filter((outcome) => outcome.status === 'fulfilled').length
}

function mailsOf(accountId: string) {
  return ctx.db
    .selectFrom('outgoing_mail')
    .select(['kind', 'params'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
