import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { issueVerification } from '#features/people/verification/commands.ts'
import { approveAct, refuseAct } from '#features/office/approval/commands.ts'
import {
  acceptInvitation,
  inviteOperator,
  issueOwnerLink,
  lookAtInvitation,
  sendInvitationAgain,
  takeInvitationBack,
  type Acceptance,
} from '#features/office/invitation/commands.ts'
import {
  askFactorReset,
  deleteRole,
  doDueResets,
  grantRole,
  reportLostFactor,
  resetFromShell,
  saveRole,
  stopFactorReset,
} from '#features/office/staff/commands.ts'
import {
  actingAs,
  changeProfile,
  changeRole,
  createOperator,
  createToken,
  proveByToken,
  setOperatorStatus,
  startOperatorSession,
  type OperatorCtx,
} from '#features/team/operator/commands.ts'
import { addAuthenticator, beginAuthenticator, startSignIn } from '#features/team/operator/flows.ts'
import {
  findColleague,
  findOperatorSession,
  listInvitations,
  listResets,
  readFactors,
} from '#features/team/operator/queries.ts'
import { limitOf, mayDo } from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { Secret, TOTP } from 'otpauth'
import { useDatabase } from '../../../../test/support/database.ts'
import { PHONE, refused } from '../../../../test/support/people.ts'
import { suspendOperator } from './commands.ts'

const PASSWORD = 'correct horse battery'
const HOUR_MS = 3_600_000
const database = useDatabase()
let clock = new Date()
let ctx: Ctx
let serial = 0
let mara: OperatorCtx

const later = (hours: number) => void (clock = new Date(clock.getTime() + hours * HOUR_MS))
const codeOf = async (work: Promise<unknown>) => (await refused(work)).code
const fieldsOf = async (work: Promise<unknown>) => (await refused(work)).fields

beforeAll(() => {
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)), now: () => clock }
})
beforeEach(() => later(48))

/** Somebody by a link of an invitation, as they come to be. */
async function join(role: string, name = `op${(serial += 1)}`): Promise<OperatorCtx> {
  const email = `${name}@shop.example`
  const { waits } = await inviteOperator(mara, {
    name,
    displayName: null,
    email,
    role,
    language: 'de',
  })
  if (waits) await approveAct(await anotherOwner(), waits)
  await acceptInvitation(ctx, accepting(await linkFor(email)))
  const made = present(await findColleague(ctx.db, name), name)
  // Long ago, so that nobody takes them for the hand of who invited.
  await ctx.db
    .updateTable('operator')
    .set({ created_at: new Date(clock.getTime() - 72 * HOUR_MS), password_set_at: null })
    .where('id', '=', made.id)
    .execute()
  return actingAs(ctx, {
    id: made.id,
    name,
    role: made.role,
    ...(made.own ? { own: made.own } : {}),
  })
}

/** What the mail carries, which makes its secret as it is sent. */
async function linkFor(email: string): Promise<string> {
  const { secret } = await transaction(ctx, (tx) =>
    issueVerification(tx, ctx, {
      purpose: 'operator_invitation',
      accountId: null,
      target: email,
      withCode: false,
      withSecret: true,
    }),
  )
  return present(secret, 'secret')
}

const accepting = (key: string, given: Partial<Acceptance> = {}): Acceptance => ({
  key,
  name: null,
  email: null,
  displayName: null,
  password: PASSWORD,
  visitor: PHONE,
  replaces: null,
  isFactorRequired: true,
  ...given,
})

let second: OperatorCtx | null = null
async function anotherOwner(): Promise<OperatorCtx> {
  if (second) return second
  const made = await createOperator(mara, { name: 'nils', role: 'owner', password: PASSWORD })
  await ctx.db
    .updateTable('operator')
    .set({
      created_at: new Date(clock.getTime() - 96 * HOUR_MS),
      created_by: 'shell',
      password_set_by: 'operator:nils',
      password_set_at: new Date(clock.getTime() - 96 * HOUR_MS),
      email: 'nils@shop.example',
    })
    .where('id', '=', made.id)
    .execute()
  return (second = actingAs(ctx, made))
}

const mailsOf = async (kind: string) =>
  ctx.db
    .selectFrom('outgoing_mail')
    .select(['recipient', 'language'])
    .where('kind', '=', kind)
    .orderBy('id')
    .execute()

const sessionOf = (operator: OperatorCtx) =>
  transaction(ctx, (tx) =>
    startOperatorSession(tx, ctx, {
      operator: operator.operator,
      visitor: PHONE,
      factor: 'totp',
      replaces: null,
    }),
  )

const enrol = async (name: string) => {
  const step = await startSignIn(ctx, {
    account: name,
    password: PASSWORD,
    visitor: PHONE,
    replaces: null,
    isFactorRequired: true,
  })
  if (step.step !== 'enrol') throw new Error(step.step)
  const by = { ticket: step.ticket, visitor: PHONE, replaces: null }
  const { seed } = await beginAuthenticator(ctx, by, 'Lukado')
  const code = new TOTP({ secret: Secret.fromBase32(seed.replaceAll(' ', '')) }).generate({
    timestamp: clock.getTime(),
  })
  await addAuthenticator(ctx, by, code)
}

describe('the first owner', () => {
  test('comes by a link that is good once, of which the last one counts', async () => {
    const first = await issueOwnerLink(ctx)
    const link = await issueOwnerLink(ctx)
    expect(await codeOf(lookAtInvitation(ctx, first))).toBe('link_expired')
    expect(await lookAtInvitation(ctx, link)).toMatchObject({ role: 'owner', email: null })
    expect(await fieldsOf(acceptInvitation(ctx, accepting(link, { name: 'Mara!' })))).toEqual({
      name: 'operator_name',
    })
    expect(
      await fieldsOf(
        acceptInvitation(
          ctx,
          accepting(link, { name: 'mara', email: 'mara@shop.example', password: 'mara' }),
        ),
      ),
    ).toEqual({ password: 'password_operator' })
    const both = await Promise.allSettled(
      ['mara', 'mallory'].map((name) =>
        acceptInvitation(ctx, accepting(link, { name, email: `${name}@shop.example` })),
      ),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const { name } = await ctx.db.selectFrom('operator').select('name').executeTakeFirstOrThrow()
    await ctx.db
      .updateTable('operator')
      .set({ created_at: new Date(clock.getTime() - 96 * HOUR_MS) })
      .execute()
    const made = present(await findColleague(ctx.db, name), name)
    expect(made).toMatchObject({ role: 'owner', email: `${name}@shop.example` })
    mara = actingAs(ctx, { id: made.id, name, role: made.role })
    expect(await codeOf(issueOwnerLink(ctx))).toBe('conflict')
    expect(await codeOf(lookAtInvitation(ctx, link))).toBe('link_expired')
  })
})

describe('an invitation', () => {
  const wanted = {
    name: 'lena',
    displayName: 'Lena Hoff',
    email: 'lena@shop.example',
    role: 'read-only',
    language: 'de',
  } as const

  test('is mailed in the language of who is invited, and its link makes one account', async () => {
    const { id, waits } = await inviteOperator(mara, wanted)
    expect(waits).toBeNull()
    expect(await mailsOf('operator_invited')).toEqual([{ recipient: wanted.email, language: 'de' }])
    expect(await fieldsOf(inviteOperator(mara, { ...wanted, name: 'other' }))).toEqual({
      email: 'invited_already',
    })
    const before = await linkFor(wanted.email)
    await sendInvitationAgain(mara, id)
    const link = await linkFor(wanted.email)
    expect(await codeOf(acceptInvitation(ctx, accepting(before)))).toBe('link_expired')
    // Whatever a stranger writes beside it, the account is whom it was meant for.
    const given = accepting(link, { name: 'owner', email: 'evil@shop.example' })
    const done = await Promise.allSettled([
      acceptInvitation(ctx, given),
      acceptInvitation(ctx, given),
    ])
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await findColleague(ctx.db, 'owner')).toBeNull()
    expect(await findColleague(ctx.db, 'lena')).toMatchObject({
      role: 'read-only',
      email: wanted.email,
      language: 'de',
    })
    expect(await codeOf(acceptInvitation(ctx, accepting(link)))).toBe('link_expired')
    expect(await fieldsOf(inviteOperator(mara, { ...wanted, email: 'x@y.example' }))).toEqual({
      name: 'operator_name_taken',
    })
    expect(await codeOf(inviteOperator(mara, { ...wanted, name: 'lena2' }))).toBe('email_taken')
  })

  test('opens nothing once it is withdrawn or 72 hours old', async () => {
    const one = { ...wanted, name: 'omar', email: 'omar@shop.example' }
    const { id } = await inviteOperator(mara, one)
    const link = await linkFor(one.email)
    await takeInvitationBack(mara, id)
    expect(await codeOf(lookAtInvitation(ctx, link))).toBe('link_expired')
    expect(await codeOf(acceptInvitation(ctx, accepting(link)))).toBe('link_expired')
    expect(await codeOf(takeInvitationBack(mara, id))).toBe('not_found')
    expect(await codeOf(sendInvitationAgain(mara, id))).toBe('not_found')
    const again = await inviteOperator(mara, one)
    const late = await linkFor(one.email)
    later(73)
    expect(await codeOf(acceptInvitation(ctx, accepting(late)))).toBe('link_expired')
    await takeInvitationBack(mara, again.id)
  })

  test('gives nobody more than who invites has', async () => {
    const { code } = await saveRole(mara, {
      code: null,
      name: 'Human resources',
      permissions: ['staff.read', 'staff.manage'],
      limits: {},
      currency: 'USD',
      version: 0,
    })
    const hr = await join(code)
    for (const role of ['owner', 'support'])
      expect(
        await codeOf(inviteOperator(hr, { ...wanted, name: 'eve', email: 'eve@x.example', role })),
      ).toBe('forbidden')
    expect(await codeOf(grantRole(hr, hr.operator.name, 'owner'))).toBe('forbidden')
    expect(await codeOf(suspendOperator(hr, mara.operator.name))).toBe('forbidden')
    expect(await codeOf(askFactorReset(hr, mara.operator.name))).toBe('forbidden')
    expect(
      await codeOf(
        saveRole(hr, {
          code,
          name: 'x',
          permissions: ['key.see'],
          limits: {},
          currency: 'USD',
          version: 1,
        }),
      ),
    ).toBe('forbidden')
  })
})

test('the database keeps the last owner, whoever asks and however many at once', async () => {
  const update = (set: string, name: string) =>
    sql`update operator set ${sql.raw(set)} where name = ${name}`.execute(ctx.db)
  for (const set of ["role = 'support'", "status = 'disabled'"])
    await expect(update(set, mara.operator.name)).rejects.toMatchObject({
      constraint: 'last_owner_stays',
    })
  await expect(sql`delete from operator where role = 'owner'`.execute(ctx.db)).rejects.toThrow()
  expect(await codeOf(changeRole(mara, mara.operator.name, 'support'))).toBe('last_owner')
  expect(await codeOf(suspendOperator(mara, mara.operator.name))).toBe('last_owner')
  const other = await createOperator(mara, { name: 'other', role: 'owner', password: PASSWORD })
  await ctx.db
    .updateTable('operator')
    .set({ created_at: new Date(clock.getTime() - 96 * HOUR_MS) })
    .where('name', '=', 'other')
    .execute()
  // Past every command: two statements that each see the other owner.
  const done = await Promise.allSettled([
    update("status = 'disabled'", mara.operator.name),
    update("status = 'disabled'", 'other'),
  ])
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await update("status = 'active'", mara.operator.name)
  await update("status = 'active'", 'other')
  await setOperatorStatus(mara, other.name, 'disabled')
  await expect(
    ctx.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) =>
        sql`update operator set status = 'disabled' where name = ${mara.operator.name}`.execute(tx),
      ),
  ).rejects.toMatchObject({ code: '25001' })
  // Nobody is alone by shutting the other out: for a day that one still counts.
  expect((await inviteHeavy('sly')).waits).not.toBeNull()
  later(25)
  expect((await inviteHeavy('shy')).waits).toBeNull()
})

const inviteHeavy = (name: string) =>
  inviteOperator(mara, {
    name,
    displayName: null,
    email: `${name}@shop.example`,
    role: 'support',
    language: 'en',
  })

describe('a role of the shop’s own', () => {
  const wanted = {
    code: null,
    name: 'Night shift',
    permissions: ['order.read', 'order.refund'],
    limits: { 'order.refund': 5_000n },
    currency: 'USD',
    version: 0,
  } as const

  test('holds at the next call, limits and all, and goes when nobody has it', async () => {
    const { code, waits } = await saveRole(mara, wanted)
    expect(waits).toBeNull()
    expect(await fieldsOf(saveRole(mara, { ...wanted, name: 'NIGHT shift' }))).toEqual({
      name: 'role_name_taken',
    })
    const night = await join(code)
    const token = await sessionOf(night)
    const now = async () => present(await findOperatorSession(ctx.db, ctx, token), 'it').operator
    expect(mayDo(await now(), 'order.refund')).toBe(true)
    expect(limitOf(await now(), 'order.refund')).toBe(5_000n)
    expect(limitOf(await now(), 'shopper.credit')).toBe(0n)
    expect(mayDo(await now(), 'key.see')).toBe(false)
    const changed = {
      ...wanted,
      code,
      permissions: ['order.read'] as const,
      limits: {},
      version: 1,
    }
    await saveRole(mara, changed)
    expect(mayDo(await now(), 'order.refund')).toBe(false)
    expect(await codeOf(saveRole(mara, changed))).toBe('changed_meanwhile')
    expect(await fieldsOf(deleteRole(mara, { code, version: 2 }))).toEqual({ code: 'role_in_use' })
    await grantRole(mara, night.operator.name, 'read-only')
    await deleteRole(mara, { code, version: 2 })
    expect(await codeOf(deleteRole(mara, { code, version: 2 }))).toBe('not_found')
    for (const role of ['owner', 'support'])
      expect(await codeOf(saveRole(mara, { ...wanted, code: role, version: 1 }))).toBe('not_found')
    expect(await codeOf(deleteRole(mara, { code: 'support', version: 1 }))).toBe('not_found')
    expect(await codeOf(grantRole(mara, night.operator.name, 'nothing'))).toBe('not_found')
  })
})

describe('with a second person', () => {
  test('power is given by two, of exactly what was asked for', async () => {
    const nils = await anotherOwner()
    const plain = await join('read-only')
    const { name } = plain.operator
    const asked = present(await grantRole(mara, name, 'finance'), 'it waits')
    expect(await grantRole(mara, name, 'finance')).toBe(asked)
    expect(await findColleague(ctx.db, name)).toMatchObject({ role: 'read-only' })
    expect(await codeOf(approveAct(mara, asked))).toBe('needs_another')
    expect(await codeOf(approveAct(plain, asked))).toBe('forbidden')
    await approveAct(nils, asked)
    expect(await findColleague(ctx.db, name)).toMatchObject({ role: 'finance' })
    await approveAct(nils, asked)
    // Taking it away is as weighty: an approver could be taken out of the way.
    const back = present(await grantRole(mara, name, 'read-only'), 'it waits')
    await refuseAct(nils, back, 'No.')
    expect(await codeOf(approveAct(nils, back))).toBe('order_closed')
    // What changed since is not what was asked about.
    const stale = present(await grantRole(mara, name, 'support'), 'it waits')
    await changeRole(mara, name, 'orders')
    expect(await codeOf(approveAct(nils, stale))).toBe('changed_meanwhile')
    await refuseAct(mara, stale, 'Stale.')
    const late = present(await grantRole(mara, name, 'support'), 'it waits')
    later(49)
    expect(await codeOf(approveAct(nils, late))).toBe('order_closed')
  })

  test('a role is written by two, and an invitation to power mailed after the second', async () => {
    const nils = await anotherOwner()
    const permissions = ['order.read', 'shopper.credit'] as const
    const { code, waits } = await saveRole(mara, {
      code: null,
      name: 'Gifts',
      permissions,
      limits: { 'shopper.credit': 700n },
      currency: 'USD',
      version: 0,
    })
    expect(await codeOf(grantRole(mara, nils.operator.name, code))).toBe('not_found')
    await approveAct(nils, present(waits, 'it waits'))
    const gifts = await join(code)
    expect(limitOf(gifts.operator, 'shopper.credit')).toBe(700n)
    const before = (await mailsOf('operator_invited')).length
    const asked = await inviteHeavy('mo')
    const link = await linkFor('mo@shop.example')
    expect(await mailsOf('operator_invited')).toHaveLength(before)
    expect(await codeOf(acceptInvitation(ctx, accepting(link)))).toBe('link_expired')
    expect(await codeOf(sendInvitationAgain(mara, asked.id))).toBe('not_found')
    await approveAct(nils, present(asked.waits, 'it waits'))
    expect(await mailsOf('operator_invited')).toHaveLength(before + 1)
    await acceptInvitation(ctx, accepting(link))
    const no = await inviteHeavy('pat')
    await refuseAct(nils, present(no.waits, 'it waits'), 'Who?')
    expect((await listInvitations(ctx.db)).map(({ name }) => name)).not.toContain('pat')
  })
})

describe('a lost factor', () => {
  test('is said with the password, told once a day, and taken away by a third person', async () => {
    const nils = await anotherOwner()
    const lost = await join('read-only')
    const { id, name } = lost.operator
    await enrol(name)
    const token = await sessionOf(lost)
    const lose = async () => {
      const step = await startSignIn(ctx, {
        account: name,
        password: PASSWORD,
        visitor: PHONE,
        replaces: null,
        isFactorRequired: true,
      })
      if (step.step !== 'factor') throw new Error(step.step)
      await reportLostFactor(ctx, step.ticket)
    }
    expect(await codeOf(reportLostFactor(ctx, 'x'.repeat(43)))).toBe('ticket_expired')
    const before = (await mailsOf('operator_factor_lost')).length
    await lose()
    await lose()
    const told = (await mailsOf('operator_factor_lost')).slice(before)
    expect(told.map(({ recipient }) => recipient)).toContain('nils@shop.example')
    expect(told.map(({ recipient }) => recipient)).not.toContain(`${name}@shop.example`)
    expect(await listResets(ctx.db)).toMatchObject([{ operator: name, state: 'reported' }])
    // Said alone it takes nothing away, ever.
    later(100)
    await doDueResets(ctx)
    expect((await readFactors(ctx.db, id)).hasApp).toBe(true)
    const asked = present(await askFactorReset(mara, name), 'a third person')
    expect(await codeOf(askFactorReset(nils, name))).toBe('changed_meanwhile')
    expect(await codeOf(approveAct(mara, asked))).toBe('needs_another')
    expect(await codeOf(askFactorReset(mara, mara.operator.name))).toBe('needs_another')
    await approveAct(nils, asked)
    expect((await readFactors(ctx.db, id)).hasApp).toBe(false)
    expect(await findOperatorSession(ctx.db, ctx, token)).toBeNull()
    expect((await mailsOf('operator_reset_done')).at(-1)?.recipient).toBe(`${name}@shop.example`)
    await enrol(name)
    expect(await listResets(ctx.db)).toEqual([])
  })

  test('without a third person takes a day, of which everybody is told, and any owner stops it', async () => {
    const nils = await anotherOwner()
    await enrol(nils.operator.name)
    expect(await askFactorReset(mara, nils.operator.name)).toBeNull()
    expect((await mailsOf('operator_reset_waits')).map(({ recipient }) => recipient)).toContain(
      'nils@shop.example',
    )
    later(23)
    await doDueResets(ctx)
    expect((await readFactors(ctx.db, nils.operator.id)).hasApp).toBe(true)
    await stopFactorReset(nils, nils.operator.name)
    later(2)
    await doDueResets(ctx)
    expect((await readFactors(ctx.db, nils.operator.id)).hasApp).toBe(true)
    expect(await codeOf(stopFactorReset(nils, nils.operator.name))).toBe('not_found')
    await askFactorReset(mara, nils.operator.name)
    later(25)
    await Promise.all([doDueResets(ctx), doDueResets(ctx)])
    expect((await readFactors(ctx.db, nils.operator.id)).hasApp).toBe(false)
  })

  test('from the shop’s machine takes an hour, where nobody else could ask', async () => {
    const nils = await anotherOwner()
    expect(await codeOf(resetFromShell(ctx, mara.operator.name))).toBe('conflict')
    await enrol(mara.operator.name)
    const { rows } = await sql<{ name: string }>`update operator set status = 'disabled'
      where status = 'active' and name <> ${mara.operator.name} returning name`.execute(ctx.db)
    const due = await resetFromShell(ctx, mara.operator.name)
    expect(due.getTime() - clock.getTime()).toBe(HOUR_MS)
    expect(await codeOf(resetFromShell(ctx, mara.operator.name))).toBe('changed_meanwhile')
    await doDueResets(ctx)
    expect((await readFactors(ctx.db, mara.operator.id)).hasApp).toBe(true)
    later(1)
    await doDueResets(ctx)
    expect((await readFactors(ctx.db, mara.operator.id)).hasApp).toBe(false)
    await sql`update operator set status = 'active' where name = any(${rows.map(({ name }) => name)})`.execute(
      ctx.db,
    )
    expect(nils.operator.role).toBe('owner')
  })
})

test('who is shut out has no session, token, invitation or request left, and lets nobody in', async () => {
  const nils = await anotherOwner()
  const boss = await join('owner')
  await changeProfile(boss, { displayName: 'Boss' })
  const session = await sessionOf(boss)
  const { token } = await createToken(boss, { label: 'x', days: 1 })
  const plain = await join('read-only')
  const asked = present(await grantRole(boss, plain.operator.name, 'support'), 'it waits')
  await inviteOperator(boss, {
    name: 'friend',
    displayName: null,
    email: 'friend@shop.example',
    role: 'read-only',
    language: 'en',
  })
  const link = await linkFor('friend@shop.example')
  await askFactorReset(boss, plain.operator.name)
  await suspendOperator(mara, boss.operator.name)
  expect(await findOperatorSession(ctx.db, ctx, session)).toBeNull()
  expect(await proveByToken(ctx, token)).toBeNull()
  expect(await codeOf(approveAct(nils, asked))).toBe('order_closed')
  expect(await codeOf(acceptInvitation(ctx, accepting(link)))).toBe('link_expired')
  expect(await listResets(ctx.db)).toEqual([])
  expect(await findColleague(ctx.db, plain.operator.name)).toMatchObject({ role: 'read-only' })
  await setOperatorStatus(mara, boss.operator.name, 'active')
  expect(await findOperatorSession(ctx.db, ctx, session)).toBeNull()
  expect(await proveByToken(ctx, token)).toBeNull()
})
