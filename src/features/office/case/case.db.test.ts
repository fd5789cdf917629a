import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import {
  acceptCase,
  assignCase,
  declineCase,
  openCase,
  previewAcceptance,
  setDueDate,
} from '#features/buying/after-sales/commands.ts'
import { findCase, listDeskCases } from '#features/buying/after-sales/queries.ts'
import { checkPayment } from '#features/buying/payment/flows.ts'
import { drawReceipt } from '#features/buying/receipt/engine/draw.ts'
import { judgeReview } from '#features/goods/review/commands.ts'
import { listDeskReviews, listReviews } from '#features/goods/review/queries.ts'
import { approveAct } from '#features/office/approval/commands.ts'
import { actingAs, setOperatorStatus, type OperatorCtx } from '#features/team/operator/commands.ts'
import { within, type OperatorRole } from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { firstOwner, hire } from '../../../../test/support/operators.ts'
import { paidAt, payFor } from '../../../../test/support/paying.ts'
import { refused } from '../../../../test/support/people.ts'
import { openCaseFile, removeTemplate, replaceInCase, saveTemplate } from './commands.ts'
import { makeEvidence } from './flows.ts'
import { listTemplates } from './queries.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
let owner: OperatorCtx
let card: TestItem

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  card = await addItem(ctx)
  await stock(ctx, card, 'A', 60)
  owner = await firstOwner(ctx)
  await sql`update operator set created_at = now() - interval '3 days', password_set_at = now() - interval '3 days'`.execute(
    ctx.db,
  )
})
afterEach(async () => {
  await database.ctx.db.deleteFrom('setting').execute()
  expect(await violations(database.ctx)).toEqual([])
})

const hired = (role: OperatorRole) => hire(owner, role)

async function bought(item = card, quantity = 1) {
  const { ctx } = database
  const order = await buy(ctx, [{ item, quantity }])
  await payFor(ctx, fake, order, BigInt(quantity) * 1_000n)
  return order
}

const report = (order: { publicId: string; accountId: string }, ctx = database.ctx) =>
  openCase(ctx, order.accountId, {
    kind: 'faulty_key',
    order: order.publicId,
    units: null,
    reason: 'code_used',
    text: 'Somebody has used it.',
    picture: null,
    destination: 'original',
  })

const stateOf = async (id: string) => (await findCase(database.ctx.db, id))?.status
const holdOf = async (orderId: string) =>
  (
    await database.ctx.db
      .selectFrom('shop_order')
      .select('hold')
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
  ).hold
const keysOf = (orderId: string) =>
  database.ctx.db
    .selectFrom('card_key as k')
    .innerJoin('order_unit as u', 'u.id', 'k.unit_id')
    .select(['k.id', 'k.status'])
    .where('u.order_id', '=', orderId)
    .execute()

test('open cases are listed longest first, a page at a time, and closed ones newest first', async () => {
  const opened: string[] = []
  for (let number = 0; number < 3; number += 1)
    opened.push(await report(await bought(), minutesLater(database.ctx, number)))
  const pages: string[] = []
  for (let after: string | null = null; ; ) {
    const page = await listDeskCases(database.ctx.db, {
      view: 'faulty',
      operator: 'mara',
      after,
      limit: 2,
    })
    pages.push(...page.map(({ id }) => id))
    if (page.length < 2) break
    after = page.at(-1)?.id ?? null
  }
  expect(pages.filter((id) => opened.includes(id))).toEqual(opened)
  expect(new Set(pages).size).toBe(pages.length)
  for (const id of opened) await declineCase(owner, id, 'It was never used.')
  const closed = await listDeskCases(database.ctx.db, {
    view: 'closed',
    operator: 'mara',
    after: null,
    limit: 50,
  })
  expect(
    closed
      .map(({ id }) => id)
      .slice(0, 3)
      .toSorted(),
  ).toEqual(opened.toSorted())
})

test('a case is taken once: the second person is told, and nobody gets one who may not decide it', async () => {
  const id = await report(await bought())
  const [one, other] = [await hired('support'), await hired('support')]
  await assignCase(one, { case: id, from: null, to: one.operator.name })
  const second = assignCase(other, { case: id, from: null, to: other.operator.name })
  expect(await refused(second)).toMatchObject({ code: 'changed_meanwhile' })
  const mine = await listDeskCases(database.ctx.db, {
    view: 'mine',
    operator: one.operator.name,
    after: null,
    limit: 50,
  })
  expect(mine.map((found) => found.id)).toEqual([id])
  const reader = await hired('read-only')
  for (const to of [reader.operator.name, 'nobody-here'])
    expect(await refused(assignCase(one, { case: id, from: one.operator.name, to }))).toMatchObject(
      { fields: { to: 'not_allowed' } },
    )
  const byReader = assignCase(reader, { case: id, from: one.operator.name, to: null })
  expect(await refused(byReader)).toMatchObject({ code: 'forbidden' })
  await assignCase(one, { case: id, from: one.operator.name, to: other.operator.name })
  await declineCase(other, id, 'It was never used.')
  const late = assignCase(other, { case: id, from: other.operator.name, to: null })
  expect(await refused(late)).toMatchObject({ code: 'changed_meanwhile' })
})

test('a faulty key is replaced: another key, the case is closed, and the order goes on', async () => {
  const order = await bought()
  const [before] = await keysOf(order.id)
  const id = await report(order)
  expect(await holdOf(order.id)).toBe('refund_requested')
  const support = await hired('support')
  expect(await replaceInCase(support, id, 'Here is another.')).toEqual({ replaced: 1, waits: [] })
  const [after] = await keysOf(order.id)
  expect(after?.id).not.toBe(before?.id)
  expect(after?.status).toBe('delivered')
  expect(await stateOf(id)).toBe('accepted')
  expect(await holdOf(order.id)).toBeNull()
  expect(await refused(replaceInCase(support, id, 'Again.'))).toMatchObject({
    code: 'order_closed',
  })
  expect(await keysOf(order.id)).toEqual([after])
})

test('a key above the limit waits for a second person; once that is approved the case closes, and no key is given twice', async () => {
  await sql`insert into setting (key, value) values ('refund_second_person_minor', '0')`.execute(
    database.ctx.db,
  )
  const order = await bought()
  const id = await report(order)
  const support = await hired('support')
  const { replaced, waits } = await replaceInCase(support, id, 'Here is another.')
  expect([replaced, waits.length]).toEqual([0, 1])
  expect(await stateOf(id)).toBe('open')
  await approveAct(owner, present(waits[0], 'act'))
  const given = await keysOf(order.id)
  expect(await replaceInCase(support, id, 'Here is another.')).toEqual({ replaced: 0, waits: [] })
  expect(await keysOf(order.id)).toEqual(given)
  expect(await stateOf(id)).toBe('accepted')
})

test('who was given another key is not given its price as well', async () => {
  await sql`insert into setting (key, value) values ('refund_second_person_minor', '0')`.execute(
    database.ctx.db,
  )
  const order = await bought()
  const id = await report(order)
  const support = await hired('support')
  const { waits } = await replaceInCase(support, id, 'Here is another.')
  await approveAct(owner, present(waits[0], 'act'))
  await database.ctx.db.deleteFrom('setting').execute()
  // The case is open until somebody closes it: agreeing to it gives nothing back.
  expect((await refused(acceptCase(support, id, 'Your money.'))).code).toBe('order_closed')
  const refunds = await database.ctx.db
    .selectFrom('refund')
    .select('id')
    .where('order_id', '=', order.id)
    .execute()
  expect(refunds).toEqual([])
})

test('a token answers a report as far as its scopes go, though whoever made it may do more', async () => {
  const order = await bought()
  const before = await keysOf(order.id)
  const id = await report(order)
  const { operator } = await hired('support')
  const byToken = actingAs(database.ctx, within(operator, ['case.decide']))
  expect((await refused(replaceInCase(byToken, id, 'Here.'))).code).toBe('forbidden')
  const blind = actingAs(database.ctx, within(operator, ['order.refund']))
  expect((await refused(replaceInCase(blind, id, 'Here.'))).code).toBe('forbidden')
  expect(await keysOf(order.id)).toEqual(before)
  const whole = actingAs(database.ctx, within(operator, ['case.decide', 'order.refund']))
  expect(await replaceInCase(whole, id, 'Here.')).toEqual({ replaced: 1, waits: [] })
})

test('without another key in stock nothing is done, and who was shut out meanwhile does nothing', async () => {
  const rare = await addItem(database.ctx)
  await stock(database.ctx, rare, 'R', 1)
  const order = await bought(rare)
  const id = await report(order)
  const support = await hired('support')
  expect(await refused(replaceInCase(support, id, 'Here.'))).toMatchObject({
    code: 'out_of_stock',
  })
  await setOperatorStatus(owner, support.operator.name, 'disabled')
  expect(await refused(replaceInCase(support, id, 'Here.'))).toMatchObject({
    code: 'unauthorised',
  })
  expect(await stateOf(id)).toBe('open')
  const file = await openCaseFile(owner, id)
  expect(file.findings.map(({ name }) => name)).toEqual([
    'code_not_shown',
    'batch_clean',
    'no_spare',
    'delivered_days',
    'never_asked',
  ])
})

test('what is agreed to is what was seen: another amount by now gives nothing back', async () => {
  const order = await bought(card, 2)
  const id = await report(order)
  const effect = await previewAcceptance(owner, id)
  expect(effect).toMatchObject({ amountMinor: 2_000n, currency: 'USD', destination: 'original' })
  expect(await refused(acceptCase(owner, id, 'Sorry.', 1_000n))).toMatchObject({
    code: 'changed_meanwhile',
  })
  expect(await stateOf(id)).toBe('open')
  expect(await acceptCase(owner, id, 'Sorry.', 2_000n)).toEqual({
    amountMinor: 2_000n,
    waits: null,
  })
  for (const again of [
    () => acceptCase(owner, id, 'Sorry.', 2_000n),
    () => declineCase(owner, id, 'No.'),
    () => replaceInCase(owner, id, 'Here.'),
    () => previewAcceptance(owner, id),
  ])
    expect(await refused(again())).toMatchObject({ code: 'order_closed' })
  const reader = await hired('read-only')
  expect(await refused(acceptCase(reader, id, 'Sorry.'))).toMatchObject({ code: 'forbidden' })
})

test('reports about one batch count for each other, and a code that was looked at is told', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'B', 4)
  const [one, other] = [await bought(item), await bought(item)]
  await report(one)
  const id = await report(other)
  await sql`insert into key_access (id, key_id, actor, purpose, network, request_id, at) select uuidv7(), k.id, ${`account:${other.accountId}`}, 'reveal', '203.0.113.0/24', 'test', now()
    from card_key k join order_unit u on u.id = k.unit_id where u.order_id = ${other.id}`.execute(
    database.ctx.db,
  )
  await sql`update card_key set revealed_at = now() where unit_id in (select id from order_unit where order_id = ${other.id})`.execute(
    database.ctx.db,
  )
  const { findings, units } = await openCaseFile(owner, id)
  expect(units).toMatchObject([
    { batchReports: 1, batchSize: 4, hasSpare: true, looks: [{ network: '203.0.113.0/24' }] },
  ])
  expect(findings).toContainEqual({ name: 'batch_reports', speaks: 'for', count: 1 })
  expect(findings).toContainEqual({ name: 'code_shown', speaks: 'neither', count: 1 })
})

test('the evidence of a dispute is a PDF and its facts, without a code; its deadline is noted', async () => {
  const { ctx } = database
  const order = await bought()
  const attempt = await ctx.db
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  fake.set(attempt.id, { isDisputed: true })
  await checkPayment(ctx, services, attempt.id)
  const [found] = await listDeskCases(ctx.db, {
    view: 'disputes',
    operator: 'mara',
    after: null,
    limit: 50,
  })
  const id = present(found, 'dispute').id
  const due = new Date('2026-12-24T23:59:00Z')
  await setDueDate(owner, { case: id, due })
  expect((await openCaseFile(owner, id)).dueAt).toEqual(due)
  const writer = {
    language: 'en' as const,
    t: translatorOf('en'),
    timeZone: 'UTC',
    shop: 'Lukado',
    seller: ['Lukado Ltd', 'shop.example'],
    draw: drawReceipt,
  }
  const files = await makeEvidence(owner, writer, id)
  expect(files.map(({ name }) => name)).toEqual([
    `evidence-${order.number}.pdf`,
    `evidence-${order.number}.json`,
  ])
  expect(files[0]?.content.subarray(0, 5).toString()).toBe('%PDF-')
  const facts = String(files[1]?.content)
  expect(JSON.parse(facts)).toMatchObject({
    order: { number: order.number, total_minor: '1000' },
    units: [{ status: 'delivered' }],
  })
  expect(facts).not.toMatch(/AAAA|A0{3}/)
  const trail = await ctx.db
    .selectFrom('audit_log')
    .select('action')
    .where('subject_code', '=', id)
    .orderBy('at')
    .orderBy('id')
    .execute()
  expect(trail.map(({ action }) => action)).toEqual(['dispute_due', 'case_seen', 'case_exported'])
  expect(await refused(acceptCase(owner, id, 'Yes.'))).toMatchObject({ code: 'forbidden' })
  const request = await report(await bought())
  expect(await refused(makeEvidence(owner, writer, request))).toMatchObject({
    code: 'order_closed',
  })
  expect(await refused(setDueDate(owner, { case: request, due }))).toMatchObject({
    code: 'changed_meanwhile',
  })
})

test('a template that somebody has written since is not overwritten, and no two have one name', async () => {
  const texts = { en: 'Another key is yours.', de: 'Ein anderer Key gehört dir.' }
  const id = await saveTemplate(owner, { id: null, name: 'Replaced', texts, seen: null })
  const twin = saveTemplate(owner, { id: null, name: 'Replaced', texts, seen: null })
  expect(await refused(twin)).toMatchObject({ fields: { name: 'not_allowed' } })
  const [read] = await listTemplates(database.ctx.db)
  const { changedAt } = present(read, 'template')
  const later = actingAs(minutesLater(database.ctx, 1), owner.operator)
  await saveTemplate(later, { id, name: 'Replaced', texts: { en: 'New.' }, seen: changedAt })
  const stale = saveTemplate(later, { id, name: 'Replaced', texts, seen: changedAt })
  expect(await refused(stale)).toMatchObject({ code: 'changed_meanwhile' })
  const reader = await hired('read-only')
  expect(await refused(removeTemplate(reader, id))).toMatchObject({ code: 'forbidden' })
  await removeTemplate(owner, id)
  expect(await refused(removeTemplate(owner, id))).toMatchObject({ code: 'not_found' })
})

test('a review is hidden, shown and answered, never changed, and not by who has seen it otherwise', async () => {
  const { ctx } = database
  await sql`insert into review (id, brand, language, rating, text, nickname, published_at, source)
    values (990001, ${card.brand}, 'en', 2, 'Slow.', 'A***a', now(), 'shopper')`.execute(ctx.db)
  const judge = (from: 'active' | 'suspended', to: 'active' | 'suspended', answer: string | null) =>
    judgeReview(owner, { id: '990001', from, to, answer })
  const shown = async () => (await listReviews(ctx.db)).find(({ id }) => id === '990001')
  expect((await listDeskReviews(ctx.db, { view: 'new', after: null, limit: 5 }))[0]?.id).toBe(
    '990001',
  )
  await judge('active', 'active', 'We are sorry.\u202e')
  expect(await shown()).toMatchObject({ text: 'Slow.', answer: 'We are sorry.' })
  expect(await listDeskReviews(ctx.db, { view: 'new', after: null, limit: 5 })).toEqual([])
  await judge('active', 'suspended', null)
  expect(await shown()).toBeUndefined()
  expect(await refused(judge('active', 'suspended', null))).toMatchObject({
    code: 'changed_meanwhile',
  })
  expect(await refused(judge('suspended', 'active', 'x'.repeat(1_001)))).toMatchObject({
    fields: { answer: 'too_long' },
  })
  const reader = await hired('read-only')
  const byReader = judgeReview(reader, {
    id: '990001',
    from: 'suspended',
    to: 'active',
    answer: null,
  })
  expect(await refused(byReader)).toMatchObject({ code: 'forbidden' })
  expect(
    await refused(judgeReview(owner, { id: '1', from: 'active', to: 'active', answer: null })),
  ).toMatchObject({ code: 'not_found' })
})
