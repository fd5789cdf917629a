import { Secret, TOTP } from 'otpauth'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Site } from '#features/base/authenticator/rules.ts'
import { newCredential, usedCredential } from '#features/base/authenticator/schema.ts'
import { present } from '#kernel/assert.ts'
import type { Ctx } from '#platform/ctx.ts'
import { createAuthenticator } from '../../../../test/support/authenticator.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { LAPTOP, PHONE, refused, signedIn, somebody } from '../../../../test/support/people.ts'
import {
  actingAs,
  changeOperatorPassword,
  changeRole,
  createFirstOwner,
  createOperator,
  endListedSession,
  forgetEndedOperatorSessions,
  removeOperatorFactor,
  setOperatorStatus,
  type OperatorCtx,
} from './commands.ts'
import {
  addAuthenticator,
  addOperatorPasskey,
  askForOperatorPasskey,
  askToMakePasskey,
  beginAuthenticator,
  freshProof,
  operatorCookie,
  operatorOfCookie,
  proveFactor,
  signInWithPasskey,
  signOut,
  startSignIn,
  type SignedIn,
} from './flows.ts'
import { listOperatorSessions, readFactors } from './queries.ts'
import { isProofFresh, type OperatorRole } from './rules.ts'

const PASSWORD = 'correct horse battery'
const site: Site = { publicUrl: 'https://shop.example', shopName: 'Lukado' }
const MINUTE = 60_000
const database = useDatabase()
// Never goes back: what is counted against guessing is counted by it.
let clock = new Date()
let ctx: Ctx
let owner: OperatorCtx
let serial = 0

beforeAll(async () => {
  const made = await createFirstOwner(database.ctx, { name: 'mara', password: PASSWORD })
  owner = actingAs(database.ctx, made)
})

beforeEach(() => {
  later(24 * 60)
  ctx = { ...database.ctx, now: () => clock }
})

const later = (minutes: number) => void (clock = new Date(clock.getTime() + minutes * MINUTE))

async function newOperator(role: OperatorRole = 'support'): Promise<string> {
  const name = `op${(serial += 1)}`
  await createOperator(owner, { name, role, password: PASSWORD })
  return name
}

const start = (
  name: string,
  wanted: { readonly password?: string; readonly isDemo?: boolean } = {},
) =>
  startSignIn(ctx, {
    account: name,
    password: wanted.password ?? PASSWORD,
    visitor: PHONE,
    replaces: null,
    isFactorRequired: wanted.isDemo !== true,
  })

const who = (token: string) =>
  operatorOfCookie(ctx, operatorCookie(token, true).split(';')[0], true)

async function demoSession(name: string): Promise<{ token: string; signed: SignedIn }> {
  const step = await start(name, { isDemo: true })
  if (step.step !== 'signed_in') throw new Error(step.step)
  return { token: step.token, signed: present(await who(step.token), 'session') }
}

const codeOf = (seed: string) =>
  new TOTP({ secret: Secret.fromBase32(seed.replaceAll(' ', '')) }).generate({
    timestamp: clock.getTime(),
  })

async function withApp(name: string) {
  const step = await start(name)
  if (step.step !== 'enrol') throw new Error(step.step)
  const by = { ticket: step.ticket, visitor: PHONE, replaces: null }
  const { seed } = await beginAuthenticator(ctx, by, 'Lukado')
  const made = await addAuthenticator(ctx, by, codeOf(seed))
  return { seed, token: present(made.token, 'token'), recoveryCodes: made.recoveryCodes }
}

async function ticketOf(name: string): Promise<string> {
  const step = await start(name)
  if (step.step !== 'factor') throw new Error(step.step)
  return step.ticket
}

const prove = (ticket: string, code: string) =>
  proveFactor(ctx, { ticket, proof: { code }, visitor: PHONE, replaces: null })

test('the cookie is for this host alone, no script reads it and no other site sends it', () => {
  expect(operatorCookie('T', true)).toBe(
    '__Host-operator=T; Path=/; SameSite=Strict; HttpOnly; Secure',
  )
  expect(operatorCookie('T', false)).toBe('operator=T; Path=/; SameSite=Strict; HttpOnly')
})

test('in a demo name and password are enough; elsewhere the first sign-in makes a factor, and the next asks for it', async () => {
  const name = await newOperator()
  expect((await demoSession(name)).signed).toMatchObject({
    operator: { actor: `operator:${name}`, operator: { name, role: 'support' } },
    session: { factor: 'none', profile: { displayName: name, language: 'en', theme: 'system' } },
  })
  const { token, recoveryCodes, seed } = await withApp(name)
  expect(recoveryCodes).toHaveLength(10)
  expect(await who(token)).toMatchObject({ session: { factor: 'totp' } })
  later(1)
  expect(await start(name, { isDemo: true })).toMatchObject({
    step: 'factor',
    ways: ['code', 'recovery'],
  })
  const next = await prove(await ticketOf(name), codeOf(seed))
  expect(await who(next)).toMatchObject({ operator: { operator: { name } } })
})

test('a ticket to make the first factor makes none once there is one: a password alone is not enough any more', async () => {
  const name = await newOperator()
  const early = await start(name)
  if (early.step !== 'enrol') throw new Error(early.step)
  const by = { ticket: early.ticket, visitor: PHONE, replaces: null }
  const { seed, token } = await withApp(name)
  later(1)
  const app = beginAuthenticator(ctx, by, 'Lukado')
  expect((await refused(app)).code).toBe('changed_meanwhile')
  const device = createAuthenticator(site.publicUrl)
  const credential = newCredential.parse(device.create(await askToMakePasskey(ctx, by, site)))
  const key = addOperatorPasskey(ctx, by, { site, credential, name: 'Late' })
  expect((await refused(key)).code).toBe('ticket_expired')
  // Nothing of the first one is lost by it.
  expect(await who(token)).toMatchObject({ session: { factor: 'totp' } })
  const next = await prove(await ticketOf(name), codeOf(seed))
  expect(await who(next)).toMatchObject({ operator: { operator: { name } } })
})

test('a code counts once, so does a recovery code, and a ticket is good for one sign-in', async () => {
  const name = await newOperator()
  const { seed, recoveryCodes } = await withApp(name)
  expect(await refused(prove(await ticketOf(name), codeOf(seed)))).toMatchObject({
    code: 'check_fields',
    fields: { code: 'code_wrong' },
  })
  later(1)
  const ticket = await ticketOf(name)
  await prove(ticket, codeOf(seed))
  later(1)
  expect(await refused(prove(ticket, codeOf(seed)))).toMatchObject({ code: 'ticket_expired' })
  const [recovery = ''] = recoveryCodes
  const token = await prove(await ticketOf(name), recovery)
  expect(await who(token)).toMatchObject({ session: { factor: 'recovery' } })
  expect((await refused(prove(await ticketOf(name), recovery))).code).toBe('check_fields')
})

test('a ticket of one operator takes no code of another, and ends after ten minutes, with the password and with the operator', async () => {
  const [one, other] = [await newOperator(), await newOperator()]
  const [own, foreign] = [await withApp(one), await withApp(other)]
  later(1)
  expect((await refused(prove(await ticketOf(one), codeOf(foreign.seed)))).code).toBe(
    'check_fields',
  )
  const old = await ticketOf(one)
  later(11)
  expect((await refused(prove(old, codeOf(own.seed)))).code).toBe('ticket_expired')
  const before = await ticketOf(one)
  await changeOperatorPassword(owner, one, 'another horse battery')
  expect((await refused(prove(before, codeOf(own.seed)))).code).toBe('ticket_expired')
  const shut = await ticketOf(other)
  await setOperatorStatus(owner, other, 'disabled')
  expect((await refused(prove(shut, codeOf(foreign.seed)))).code).toBe('ticket_expired')
  expect((await refused(start(other))).code).toBe('sign_in_failed')
})

test('wrong passwords and wrong codes are noted and bring a pause, whether the operator exists or not', async () => {
  const name = await newOperator()
  for (const typed of [name, 'nobody-of-here']) {
    for (let tries = 0; tries < 5; tries += 1)
      expect((await refused(start(typed, { password: 'wrong' }))).code).toBe('sign_in_failed')
    expect((await refused(start(typed))).code).toBe('too_many_requests')
  }
  const careful = await newOperator()
  const { seed } = await withApp(careful)
  later(1)
  const ticket = await ticketOf(careful)
  for (let tries = 0; tries < 5; tries += 1)
    expect((await refused(prove(ticket, '000000'))).code).toBe('check_fields')
  expect((await refused(prove(ticket, codeOf(seed)))).code).toBe('ticket_expired')
  expect((await refused(prove(await ticketOf(careful), codeOf(seed)))).code).toBe(
    'too_many_requests',
  )
  const { rows } = await audited(careful, 'proof_refused')
  expect(rows).toBe(5)
  expect((await audited('nobody-of-here', 'proof_refused')).rows).toBe(0)
})

test('the session a browser came with ends, and nobody sets the token of the next one', async () => {
  const [mallory, victim] = [await newOperator(), await newOperator()]
  const planted = await demoSession(mallory)
  const step = await startSignIn(ctx, {
    account: victim,
    password: PASSWORD,
    visitor: LAPTOP,
    replaces: planted.token,
    isFactorRequired: false,
  })
  if (step.step !== 'signed_in') throw new Error(step.step)
  expect(step.token).not.toBe(planted.token)
  expect(await who(planted.token)).toBeNull()
  expect(await who(step.token)).toMatchObject({ operator: { operator: { name: victim } } })
})

test('a plain cookie is nobody under https, as a neighbouring host can plant one; nor is the session of a shopper', async () => {
  const { token } = await demoSession(await newOperator())
  expect(await operatorOfCookie(ctx, `operator=${token}`, true)).toBeNull()
  expect(await operatorOfCookie(ctx, `operator=${token}`, false)).not.toBeNull()
  const { accountId } = await somebody(ctx)
  const shopper = await signedIn(ctx, accountId)
  expect(await who(shopper.token)).toBeNull()
  expect(await who('')).toBeNull()
  expect(await operatorOfCookie(ctx, undefined, true)).toBeNull()
})

test('a session ends after half an hour without use, after twelve hours, at signing out and by hand, and its role is the one of now', async () => {
  const name = await newOperator()
  const { token, signed } = await demoSession(name)
  await changeRole(owner, name, 'finance')
  expect(await who(token)).toMatchObject({ operator: { operator: { role: 'finance' } } })
  later(29)
  expect(await who(token)).not.toBeNull()
  later(29)
  expect(await who(token)).not.toBeNull()
  later(31)
  expect(await who(token)).toBeNull()
  const day = await demoSession(name)
  for (let minutes = 0; minutes < 12 * 60; minutes += 20) {
    later(20)
    await who(day.token)
  }
  expect(await who(day.token)).toBeNull()
  const third = await demoSession(name)
  await signOut(third.signed)
  expect(await who(third.token)).toBeNull()
  const fourth = await demoSession(name)
  const stranger = await demoSession(await newOperator())
  const id = fourth.signed.session.publicId
  expect((await refused(endListedSession(stranger.signed.operator, id))).code).toBe('forbidden')
  await endListedSession({ ...owner, now: ctx.now }, id)
  expect(await who(fourth.token)).toBeNull()
  const listed = await listOperatorSessions(ctx.db, clock, {
    operatorId: signed.session.operatorId,
    currentId: null,
  })
  expect(listed).toEqual([])
  await forgetEndedOperatorSessions(ctx)
  const left = await ctx.db
    .selectFrom('operator_session')
    .select('id')
    .where('operator_id', '=', signed.session.operatorId)
    .execute()
  expect(left).toEqual([])
})

test('a disabled operator is out at once, and a new password ends every session', async () => {
  const name = await newOperator()
  const first = await demoSession(name)
  await setOperatorStatus(owner, name, 'disabled')
  expect(await who(first.token)).toBeNull()
  await setOperatorStatus(owner, name, 'active')
  expect(await who(first.token)).toBeNull()
  const second = await demoSession(name)
  await changeOperatorPassword(owner, name, 'another horse battery')
  expect(await who(second.token)).toBeNull()
})

test('a fresh proof counts ten minutes for its kind alone, under a new token, and no recovery code makes one', async () => {
  const name = await newOperator()
  const { seed, token, recoveryCodes } = await withApp(name)
  const signed = present(await who(token), 'session')
  expect(isProofFresh(signed.session, 'key', clock)).toBe(false)
  expect(await refused(freshProof(signed, 'key', { code: recoveryCodes[0] ?? '' }))).toMatchObject({
    fields: { code: 'code_wrong' },
  })
  expect(await refused(freshProof(signed, 'key', { password: PASSWORD }))).toMatchObject({
    fields: { password: 'password_wrong' },
  })
  later(1)
  const next = await freshProof(signed, 'key', { code: codeOf(seed) })
  expect(await who(token)).toBeNull()
  const { session } = present(await who(next), 'session')
  expect(isProofFresh(session, 'key', clock)).toBe(true)
  expect(isProofFresh(session, 'staff', clock)).toBe(false)
  later(11)
  expect(isProofFresh(session, 'key', clock)).toBe(false)
  const demo = await demoSession(await newOperator())
  expect(await freshProof(demo.signed, 'staff', { password: PASSWORD })).not.toBe(demo.token)
})

test('a passkey is made, signs in alone and as second step, and proves; one of somebody else does none of it', async () => {
  const [name, other] = [await newOperator(), await newOperator()]
  const { device, token } = await withPasskey(name)
  expect(await who(token)).toMatchObject({ session: { factor: 'passkey' } })
  const foreign = await withPasskey(other)
  const sign = async (by: typeof device) =>
    usedCredential.parse(by.get(await askForOperatorPasskey(ctx, site, 'sign_in')))
  const alone = await signInWithPasskey(ctx, {
    credential: await sign(device),
    site,
    visitor: PHONE,
    replaces: null,
  })
  const signed = present(await who(alone), 'session')
  expect(signed.operator.operator.name).toBe(name)
  const second = async (by: typeof device) =>
    proveFactor(ctx, {
      ticket: await ticketOf(name),
      proof: { credential: await sign(by), site },
      visitor: PHONE,
      replaces: null,
    })
  expect((await refused(second(foreign.device))).code).toBe('passkey_failed')
  expect(await who(await second(device))).not.toBeNull()
  const proof = async (by: typeof device) => {
    const wanted = { proofOf: signed.session.operatorId }
    const credential = usedCredential.parse(by.get(await askForOperatorPasskey(ctx, site, wanted)))
    return freshProof(signed, 'staff', { credential, site })
  }
  expect((await refused(proof(foreign.device))).code).toBe('passkey_failed')
  expect(await who(await proof(device))).not.toBeNull()
  // What was asked for a sign-in proves nothing, and what was answered once is worth nothing the second time.
  expect(
    (await refused(freshProof(signed, 'staff', { credential: await sign(device), site }))).code,
  ).toBe('passkey_failed')
  const used = await sign(device)
  const again = { credential: used, site, visitor: PHONE, replaces: null }
  await signInWithPasskey(ctx, again)
  expect((await refused(signInWithPasskey(ctx, again))).code).toBe('ticket_expired')
})

test('the last factor stays where one is required, and taking another away ends the other sessions', async () => {
  const name = await newOperator()
  const { token, seed } = await withApp(name)
  const signed = present(await who(token), 'session')
  const holder = { operator: signed.operator.operator, sessionId: signed.session.id }
  expect((await refused(removeOperatorFactor(ctx, holder, 'totp', true))).code).toBe('last_way_in')
  expect((await readFactors(ctx.db, holder.operator.id)).hasApp).toBe(true)
  const device = createAuthenticator(site.publicUrl)
  const by = { operator: holder.operator, session: signed.session }
  const made = newCredential.parse(device.create(await askToMakePasskey(ctx, by, site)))
  const kept = await addOperatorPasskey(ctx, by, { site, credential: made, name: 'Laptop' })
  expect(kept).toEqual({ recoveryCodes: [], token: null })
  later(1)
  const elsewhere = await prove(await ticketOf(name), codeOf(seed))
  await removeOperatorFactor(ctx, holder, 'totp', true)
  expect(await who(elsewhere)).toBeNull()
  expect(await who(token)).not.toBeNull()
})

async function withPasskey(name: string) {
  const step = await start(name)
  if (step.step !== 'enrol') throw new Error(step.step)
  const by = { ticket: step.ticket, visitor: PHONE, replaces: null }
  const device = createAuthenticator(site.publicUrl)
  const made = newCredential.parse(device.create(await askToMakePasskey(ctx, by, site)))
  const enrolled = await addOperatorPasskey(ctx, by, { site, credential: made, name: 'Phone' })
  return { device, token: present(enrolled.token, 'token') }
}

async function audited(name: string, action: string): Promise<{ readonly rows: number }> {
  const rows = await ctx.db
    .selectFrom('audit_log')
    .select('id')
    .where('subject', '=', 'operator')
    .where('subject_code', '=', name)
    .where('action', '=', action)
    .execute()
  return { rows: rows.length }
}
