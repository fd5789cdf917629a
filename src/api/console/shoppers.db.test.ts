import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveAct } from '#features/office/approval/commands.ts'
import { listCredit } from '#features/buying/transaction/queries.ts'
import { actingAs, createOperator, setOperatorStatus } from '#features/team/operator/commands.ts'
import type { Operator, OperatorRole } from '#features/team/operator/rules.ts'
import { postMail } from '#features/people/mail/commands.ts'
import { findPerson } from '#features/people/session/queries.ts'
import { present } from '#kernel/assert.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { addCurrencies, addItem, buy, stock } from '../../../test/support/buying.ts'
import { useDatabase } from '../../../test/support/database.ts'
import { OPERATOR_PASSWORD, firstOwner, operatorCookie } from '../../../test/support/operators.ts'
import { PASSWORD, signedIn, somebody } from '../../../test/support/people.ts'
import { startShop, type RunningShop } from '../../../test/support/running-shop.ts'
import { accessOf } from './access.ts'

const database = useDatabase()
let ctx: Ctx
let shop: RunningShop
const people = new Map<OperatorRole, Operator>()

beforeAll(async () => {
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  await addCurrencies(ctx)
  const owner = (await firstOwner(ctx)).operator
  people.set('owner', owner)
  for (const role of ['support', 'finance', 'catalogue', 'read-only', 'orders'] as const)
    people.set(
      role,
      await createOperator(actingAs(ctx, owner), {
        name: `a-${role}`,
        role,
        password: OPERATOR_PASSWORD,
      }),
    )
  shop = await startShop(database.url, { RATE_LIMITS: 'off' })
})
afterAll(() => shop.stop())

const who = (role: OperatorRole) => present(people.get(role), role)

const cookieOf = (role: OperatorRole, proofs: readonly string[] = []) =>
  operatorCookie(ctx, who(role), proofs)

async function send(cookie: string, path: string, body: Readonly<Record<string, unknown>> = {}) {
  const method = accessOf(`console/${path}`)?.method ?? 'POST'
  const query = method === 'GET' ? `?${new URLSearchParams(body as Record<string, string>)}` : ''
  const response = await fetch(`${shop.origin}/api/console/${path}${query}`, {
    method,
    headers: {
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      'sec-fetch-site': 'same-origin',
      cookie,
    },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  })
  return (await response.json()) as { code: number; msg: string; data: any }
}

async function shopper() {
  const made = await somebody(ctx)
  const row = await ctx.db
    .selectFrom('account')
    .select(['user_id', 'uid'])
    .where('id', '=', made.accountId)
    .executeTakeFirstOrThrow()
  return { ...made, id: row.user_id, uid: row.uid }
}

const credit = (minor: string, key = randomUUID()) => ({
  amount: { minor, currency: 'USD' },
  reason: 'Waited a day.',
  key,
})
const balanceOf = async (accountId: string) =>
  (await listCredit(ctx.db, accountId)).map(({ minor }) => minor)
const trail = async (accountId: string) =>
  (
    await ctx.db
      .selectFrom('audit_log')
      .select(['action', 'actor'])
      .where('subject_code', '=', accountId)
      .orderBy('at')
      .orderBy('id')
      .execute()
  )
    .filter(({ actor }) => actor.startsWith('operator:'))
    .map(({ action }) => action)

test('a shopper is found by how the address, the names, the phone and the uid begin, and by nothing within them', async () => {
  const one = await shopper()
  await sql`update account set nickname = 'Jonas Keller', mobile = '+4915112344402' where id = ${one.accountId}`.execute(
    ctx.db,
  )
  const cookie = await cookieOf('support')
  const found = async (text: string) =>
    (await send(cookie, 'shoppers/find', { text })).data.some(
      ({ id }: { id: string }) => id === one.id,
    )
  for (const text of [
    one.email,
    one.email.slice(0, -4).toUpperCase(),
    one.userName,
    'jonas k',
    '+49 151 1234',
    '4915112344402',
    String(one.uid),
    one.id,
  ])
    expect([text, await found(text)]).toEqual([text, true])
  for (const text of ['keller', '%%', '__', "' or 1=1 --", '15112344402', one.email.slice(3)])
    expect([text, await found(text)]).toEqual([text, false])
  expect(await send(cookie, 'shoppers/find', { text: 'x' })).toMatchObject({
    code: 422,
    data: { fields: [{ field: 'text' }] },
  })
  const told = await sql<{ line: string }>`
    select concat(subject_code, after) as line from audit_log where action = 'shoppers_sought'`.execute(
    ctx.db,
  )
  expect(told.rows.length).toBeGreaterThan(8)
  expect(told.rows.some(({ line }) => /keller|jonas|shop\.example/i.test(line))).toBe(false)
})

test('the list is read a page at a time and holds each shopper once; who was erased is on none', async () => {
  const made = [await shopper(), await shopper(), await shopper()]
  const gone = await shopper()
  await sql`update account set status = 'cancelling', cancel_requested_at = now(), erase_at = now() where id = ${gone.accountId}`.execute(
    ctx.db,
  )
  const cookie = await cookieOf('read-only')
  const seen: string[] = []
  let after: string | null = null
  do {
    const page = await send(cookie, 'shoppers/list', { limit: '2', ...(after ? { after } : {}) })
    seen.push(...page.data.shoppers.map(({ id }: { id: string }) => id))
    after = page.data.next
  } while (after)
  expect(new Set(seen).size).toBe(seen.length)
  for (const { id } of made) expect(seen).toContain(id)
  const leaving = await send(cookie, 'shoppers/list', { view: 'leaving' })
  expect(leaving.data.shoppers.map(({ id }: { id: string }) => id)).toEqual([gone.id])
})

test('a file tells of orders, money, mails and devices, and each look at it is in the trail', async () => {
  const one = await shopper()
  await signedIn(ctx, one.accountId)
  const cookie = await cookieOf('support')
  const item = await addItem(ctx)
  await stock(ctx, item, 'F', 2)
  await send(cookie, 'shoppers/credit', { shopper: one.id, ...credit('500') })
  const { data } = await send(cookie, 'shoppers/one', { id: one.id })
  expect(data.facts).toMatchObject({ email: one.email, status: 'active', level: 0 })
  expect(data.sessions).toHaveLength(1)
  expect(data.credit).toMatchObject([{ currency: 'USD', minor: '500' }])
  expect(data.money).toMatchObject([{ kind: 'credit', minor: '500' }])
  expect(data.may).toEqual({ change: true, credit: true, level: false, export: false })
  const bought = await buy(ctx, [{ item }])
  const buyer = await ctx.db
    .selectFrom('account')
    .select('user_id')
    .where('id', '=', bought.accountId)
    .executeTakeFirstOrThrow()
  const other = await send(cookie, 'shoppers/one', { id: buyer.user_id })
  expect(other.data.orders).toMatchObject([{ number: bought.number }])
  expect(await trail(one.accountId)).toContain('shopper_seen')
  // A page that is made anew while somebody looks is one look, and no change that others are told of.
  await send(cookie, 'shoppers/one', { id: buyer.user_id })
  expect(await trail(bought.accountId)).toEqual(['shopper_seen'])
  await send(await cookieOf('finance'), 'shoppers/one', { id: buyer.user_id })
  expect(await trail(bought.accountId)).toEqual(['shopper_seen', 'shopper_seen'])
  expect((await send(cookie, 'shoppers/one', { id: 'A'.repeat(22) })).code).toBe(404)
})

test('credit is given once by its key, within the limit at once and above it by a second person', async () => {
  const one = await shopper()
  const cookie = await cookieOf('support')
  const amount = { minor: '2000', currency: 'USD' }
  const before = await send(cookie, 'shoppers/credit_preview', { shopper: one.id, amount })
  expect(before.data).toMatchObject({
    before_minor: '0',
    after_minor: '2000',
    needs_second_person: false,
  })
  const given = credit('2000')
  for (let time = 0; time < 2; time += 1)
    expect(
      (await send(cookie, 'shoppers/credit', { shopper: one.id, ...given })).data.waits,
    ).toBeNull()
  expect(await balanceOf(one.accountId)).toEqual([2_000n])
  const other = await send(cookie, 'shoppers/credit', {
    shopper: one.id,
    ...credit('2001', given.key),
  })
  expect(other.code).not.toBe(1)
  const above = await send(cookie, 'shoppers/credit', { shopper: one.id, ...credit('9000') })
  expect(await balanceOf(one.accountId)).toEqual([2_000n])
  await expect(approveAct(actingAs(ctx, who('support')), above.data.waits)).rejects.toThrow()
  await sql`update operator set created_at = now() - interval '3 days', password_set_at = now() - interval '3 days', password_set_by = 'operator:' || name`.execute(
    ctx.db,
  )
  await approveAct(actingAs(ctx, who('owner')), above.data.waits)
  expect(await balanceOf(one.accountId)).toEqual([11_000n])
})

test('amounts that are none, currencies nobody has and reasons left out are refused at their field', async () => {
  const one = await shopper()
  const cookie = await cookieOf('owner')
  const give = (body: Readonly<Record<string, unknown>>) =>
    send(cookie, 'shoppers/credit', { shopper: one.id, ...credit('100'), ...body })
  for (const minor of ['0', '-5', '1.5', '1e9', '', '9'.repeat(16)])
    expect((await give({ amount: { minor, currency: 'USD' } })).code).not.toBe(1)
  expect((await give({ amount: { minor: '100', currency: 'ZZZ' } })).data.fields).toMatchObject([
    { field: 'currency' },
  ])
  expect((await give({ reason: '  ' })).data.fields).toMatchObject([{ field: 'reason' }])
  expect(await balanceOf(one.accountId)).toEqual([])
})

test('who is frozen is signed out, signs in nowhere and is given nothing, until somebody releases them', async () => {
  const one = await shopper()
  const session = await signedIn(ctx, one.accountId)
  const cookie = await cookieOf('support')
  const freeze = (reason: string) => send(cookie, 'shoppers/freeze', { shopper: one.id, reason })
  expect((await freeze('')).data.fields).toMatchObject([{ field: 'reason' }])
  expect((await freeze('Two disputes.')).code).toBe(1)
  expect(await findPerson(ctx.db, ctx, { cookie: session.token, handle: null })).toBeNull()
  const signIn = () =>
    fetch(`${shop.origin}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ account: one.email, password: PASSWORD }),
    }).then((answer) => answer.json() as Promise<{ code: number }>)
  expect((await signIn()).code).not.toBe(1)
  await expect(signedIn(ctx, one.accountId)).rejects.toThrow()
  expect((await freeze('Again.')).code).toBe(2418)
  expect((await send(cookie, 'shoppers/credit', { shopper: one.id, ...credit('100') })).code).toBe(
    2418,
  )
  const owner = await cookieOf('owner', ['personal'])
  expect((await send(owner, 'shoppers/erase', { shopper: one.id })).code).toBe(2418)
  expect((await send(owner, 'shoppers/level', { shopper: one.id, from: 0, to: 1 })).code).toBe(2418)
  const file = await send(cookie, 'shoppers/one', { id: one.id })
  expect(file.data.facts).toMatchObject({ status: 'frozen' })
  expect(file.data.notes).toMatchObject([{ author: 'a-support', text: 'Two disputes.' }])
  const mails = await ctx.db
    .selectFrom('outgoing_mail')
    .select('kind')
    .where('account_id', '=', one.accountId)
    .execute()
  expect(mails.map(({ kind }) => kind)).not.toContain('sign_in_while_cancelling')
  expect(
    (await send(cookie, 'shoppers/release', { shopper: one.id, reason: 'Sorted out.' })).code,
  ).toBe(1)
  expect((await signIn()).code).toBe(1)
  expect((await send(cookie, 'shoppers/release', { shopper: one.id, reason: 'Again.' })).code).toBe(
    2418,
  )
  expect(await trail(one.accountId)).toEqual([
    'freeze',
    'shopper_noted',
    'shopper_seen',
    'release',
    'shopper_noted',
  ])
})

test('a level that has changed meanwhile is not overwritten', async () => {
  const one = await shopper()
  const cookie = await cookieOf('owner')
  const move = (from: number, to: number) =>
    send(cookie, 'shoppers/level', { shopper: one.id, from, to })
  expect((await move(0, 2)).code).toBe(1)
  expect((await move(0, 3)).code).toBe(2418)
  const file = await send(cookie, 'shoppers/one', { id: one.id })
  expect(file.data.facts.level).toBe(2)
  expect((await move(2, 40_000)).data.fields).toMatchObject([{ field: 'to' }])
})

test('notes are written and taken away, and go with the person', async () => {
  const one = await shopper()
  const cookie = await cookieOf('orders')
  const text = '<b>Writes in German</b>'
  const note = await send(cookie, 'shoppers/note', { shopper: one.id, text })
  const exporting = await cookieOf('finance', ['personal'])
  const exported = await send(exporting, 'shoppers/export', { shopper: one.id })
  expect(exported.data.sections.notes_of_the_team).toMatchObject([{ text }])
  expect((await send(cookie, 'shoppers/remove_note', { id: note.data.id })).code).toBe(1)
  expect((await send(cookie, 'shoppers/remove_note', { id: note.data.id })).code).toBe(404)
  expect(await trail(one.accountId)).toEqual([
    'shopper_noted',
    'shopper_exported',
    'shopper_note_removed',
  ])
})

test('sessions are ended one at a time and all together, never those of somebody else', async () => {
  const [one, other] = [await shopper(), await shopper()]
  for (const { accountId } of [one, one, one, other]) await signedIn(ctx, accountId)
  const cookie = await cookieOf('support')
  const sessions = (await send(cookie, 'shoppers/one', { id: one.id })).data.sessions
  const end = (body: Readonly<Record<string, unknown>>) =>
    send(cookie, 'shoppers/end_sessions', body)
  expect((await end({ shopper: other.id, session: sessions[0].id })).code).toBe(404)
  expect((await end({ shopper: one.id, session: sessions[0].id })).data).toEqual({ ended: 1 })
  expect((await end({ shopper: one.id })).data).toEqual({ ended: 2 })
  expect((await send(cookie, 'shoppers/one', { id: other.id })).data.sessions).toHaveLength(1)
})

test('a mail about an order is sent again to the address of today, one with a code or of somebody else is not', async () => {
  const [one, other] = [await shopper(), await shopper()]
  await transaction(ctx, async (tx) => {
    for (const kind of ['order_delivered', 'proof_code'] as const)
      await postMail(tx, ctx, {
        kind,
        accountId: one.accountId,
        recipient: 'old@shop.example',
        language: 'en',
      })
  })
  const cookie = await cookieOf('support')
  const mails: { id: string; kind: string; may_repeat: boolean }[] = (
    await send(cookie, 'shoppers/one', { id: one.id })
  ).data.mails
  const idOf = (kind: string) => present(mails.find((mail) => mail.kind === kind)?.id, kind)
  const again = (shopperId: string, mail: string) =>
    send(cookie, 'shoppers/send_mail', { shopper: shopperId, mail })
  expect((await again(other.id, idOf('order_delivered'))).code).toBe(404)
  expect((await again(one.id, idOf('proof_code'))).code).toBe(404)
  expect((await again(one.id, idOf('order_delivered'))).code).toBe(1)
  const sent = await ctx.db
    .selectFrom('outgoing_mail')
    .select('recipient')
    .where('account_id', '=', one.accountId)
    .where('kind', '=', 'order_delivered')
    .execute()
  expect(sent.map(({ recipient }) => recipient).toSorted()).toEqual(
    ['old@shop.example', one.email].toSorted(),
  )
})

test('erasing on request asks for a proof and for credit given up, and tells the shopper how to undo it', async () => {
  const one = await shopper()
  await send(await cookieOf('support'), 'shoppers/credit', { shopper: one.id, ...credit('100') })
  const erase = (cookie: string, body: Readonly<Record<string, unknown>> = {}) =>
    send(cookie, 'shoppers/erase', { shopper: one.id, ...body })
  expect((await erase(await cookieOf('support'))).code).toBe(2403)
  const proved = await cookieOf('support', ['personal'])
  expect((await erase(proved)).data.fields).toMatchObject([{ field: 'give_up_credit' }])
  expect((await erase(proved, { give_up_credit: true })).code).toBe(1)
  expect((await erase(proved, { give_up_credit: true })).code).toBe(2418)
  const mails = await ctx.db
    .selectFrom('outgoing_mail')
    .select('kind')
    .where('account_id', '=', one.accountId)
    .execute()
  expect(mails.map(({ kind }) => kind)).toContain('account_cancelling')
  expect(await trail(one.accountId)).toContain('cancel')
})

test('who was erased is nobody to any call', async () => {
  const one = await shopper()
  await sql`update account set status = 'cancelling', cancel_requested_at = now(), erase_at = now() where id = ${one.accountId}`.execute(
    ctx.db,
  )
  await sql`update account set status = 'erased', erased_at = now(), user_name = null, nickname = null, email = null, email_verified_at = null, password_hash = null, password_changed_at = null where id = ${one.accountId}`.execute(
    ctx.db,
  )
  const cookie = await cookieOf('owner', ['personal'])
  const reason = 'x'
  for (const [path, body] of [
    ['one', { id: one.id }],
    ['note', { shopper: one.id, text: 'x' }],
    ['freeze', { shopper: one.id, reason }],
    ['release', { shopper: one.id, reason }],
    ['level', { shopper: one.id, from: 0, to: 1 }],
    ['credit', { shopper: one.id, ...credit('100') }],
    ['end_sessions', { shopper: one.id }],
    ['erase', { shopper: one.id }],
    ['export', { shopper: one.id }],
  ] as const)
    expect([path, (await send(cookie, `shoppers/${path}`, body)).code]).toEqual([path, 404])
})

test('roles without the power are refused, and who is shut out while a page is open gives nothing', async () => {
  const one = await shopper()
  for (const [role, path, body] of [
    ['read-only', 'note', { text: 'x' }],
    ['read-only', 'freeze', { reason: 'x' }],
    ['orders', 'credit', credit('100')],
    ['support', 'level', { from: 0, to: 1 }],
    ['catalogue', 'note', { text: 'x' }],
  ] as const)
    expect([
      role,
      path,
      (await send(await cookieOf(role), `shoppers/${path}`, { shopper: one.id, ...body })).code,
    ]).toEqual([role, path, 2450])
  const leaving = await createOperator(actingAs(ctx, who('owner')), {
    name: 'leaving',
    role: 'support',
    password: OPERATOR_PASSWORD,
  })
  people.set('support', leaving)
  const cookie = await cookieOf('support')
  await setOperatorStatus(actingAs(ctx, who('owner')), 'leaving', 'disabled')
  const refusedCall = await send(cookie, 'shoppers/credit', { shopper: one.id, ...credit('100') })
  expect(refusedCall.code).not.toBe(1)
  expect(await balanceOf(one.accountId)).toEqual([])
})
