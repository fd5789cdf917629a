import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { transaction } from '#platform/ctx.ts'
import { inRequest } from '#platform/request-scope.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createSealer, recordAudit } from './commands.ts'
import { verifyAudit } from './flows.ts'
import { findHead } from './queries.ts'
import { HEADS_FILE, headLine } from './rules.ts'

const database = useDatabase()
const folder = mkdtempSync(join(tmpdir(), 'audit-'))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (subjectCode: string, actor = 'operator:mara') =>
  transaction(database.ctx, (tx, now) =>
    recordAudit(tx, { actor, requestId: 'r' }, now, [
      { action: 'update', subject: 'item', subjectCode, before: { price: 1 }, after: { price: 2 } },
    ]),
  )
/** What the owner of the tables, or a stolen superuser, could do. */
async function tamper(statement: string): Promise<void> {
  const { db } = database.ctx
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql.raw(statement).execute(tx)
  })
}
const faults = async () => (await verifyAudit(database.ctx.db, folder)).faults

beforeEach(async () => {
  await tamper('delete from audit_seal')
  await tamper('delete from audit_log')
})

/** Batches of two rows each, one of an operator and one of a shopper, written a minute ago. */
async function batches(count: number): Promise<void> {
  for (let batch = 1; batch <= count; batch += 1) {
    await write(`a${batch}`)
    await write(`b${batch}`, 'account:0198')
  }
  await tamper(
    `update audit_log set id = uuidv7(interval '-1 minute' + (n * interval '1 ms')) from (select id as old, row_number() over (order by id) as n from audit_log) as o where id = o.old`,
  )
  for (let batch = 1; batch <= count; batch += 1)
    await sql`select seal_audit(uuidv7(interval '-5 seconds'), 2)`.execute(database.ctx.db)
}

test('a trail is sealed whole, each batch naming the one before, and found as it was sealed', async () => {
  await batches(3)
  const seals = await database.ctx.db
    .selectFrom('audit_seal')
    .selectAll()
    .orderBy('number')
    .execute()
  expect(
    seals.map(({ number, kept_rows, people_rows }) => [Number(number), kept_rows, people_rows]),
  ).toEqual([
    [1, 1, 1],
    [2, 1, 1],
    [3, 1, 1],
  ])
  expect(seals[1]?.previous_hash).toEqual(seals[0]?.hash)
  expect(await verifyAudit(database.ctx.db, folder)).toMatchObject({
    batches: 3,
    faults: [],
    isWhole: true,
  })
})

test.each([
  [
    'changed',
    `update audit_log set after = '{"price": 3}' where subject_code = 'a2'`,
    { batch: 2, fault: 'rows_changed' },
  ],
  [
    'from another network',
    `update audit_log set network = '203.0.113.0/24' where subject_code = 'a2'`,
    { batch: 2, fault: 'rows_changed' },
  ],
  [
    'deleted',
    `delete from audit_log where subject_code = 'b3'`,
    { batch: 3, fault: 'rows_missing', rows: 1 },
  ],
  [
    'put in',
    `insert into audit_log select overlay(id::text placing 'ffffffffffff' from 25)::uuid, at, actor, request_id, action, subject, 'x', before, after, network from audit_log where subject_code = 'a1'`,
    { batch: 1, fault: 'rows_added', rows: 1 },
  ],
])('a row that is %s is told with its batch', async (_, statement, fault) => {
  await batches(3)
  await tamper(statement)
  expect(await faults()).toMatchObject([fault])
})

test('a batch that is missing is told, with its rows or without, and a seal that was made anew', async () => {
  await batches(3)
  await tamper('delete from audit_seal where number = 2')
  expect(await faults()).toMatchObject([{ batch: 3, fault: 'seal_missing', rows: 1 }])
  await tamper(`update audit_seal set kept_hash = sha256('x') where number = 1`)
  expect((await faults())[0]).toMatchObject({ batch: 1, fault: 'seal_changed' })
})

test('whoever writes all seals anew is found by what was written down outside', async () => {
  await batches(2)
  const head = await findHead(database.ctx.db)
  if (!head) throw new Error('nothing was sealed')
  appendFileSync(join(folder, HEADS_FILE), `${headLine(head)}\n`)
  expect((await verifyAudit(database.ctx.db, folder)).lost).toEqual([])
  await tamper('delete from audit_seal')
  await tamper(`update audit_log set actor = 'operator:bao' where subject_code = 'a1'`)
  for (let batch = 0; batch < 2; batch += 1)
    await sql`select seal_audit(uuidv7(interval '-5 seconds'), 2)`.execute(database.ctx.db)
  const found = await verifyAudit(database.ctx.db, folder)
  expect([found.faults, found.lost.map(({ number }) => number)]).toEqual([[], [2]])
  rmSync(join(folder, HEADS_FILE))
})

test('what is being written while an edge is drawn is waited for, and belongs to the same batch', async () => {
  const { ctx } = database
  const sealing = await ctx.db.transaction().execute(async (tx) => {
    await recordAudit(tx, { actor: 'operator:mara', requestId: 'r' }, ctx.now(), [
      { action: 'update', subject: 'item', subjectCode: 'slow', before: null, after: null },
    ])
    const begun = createSealer()(ctx, AbortSignal.timeout(400))
    expect(await begun).toBe(0)
    return createSealer()
  })
  await write('after')
  expect(await sealing(ctx)).toBe(0)
})

test('the program may neither change nor take out a row, nor write a seal by hand', async () => {
  await batches(1)
  const { db } = database.ctx
  for (const statement of [
    sql`update audit_log set actor = 'x'`,
    sql`delete from audit_log`,
    sql`truncate audit_log`,
    sql`update audit_seal set forgotten_at = now()`,
    sql`delete from audit_seal`,
  ])
    await expect(statement.execute(db)).rejects.toThrow('append-only')
})

test('people’s own changes go after their term and the trail after its own, and the rest stays proved', async () => {
  await batches(2)
  const { db } = database.ctx
  await sql`select forget_changes('infinity', 1000)`.execute(db)
  expect(await db.selectFrom('audit_log').select('id').execute()).toHaveLength(4)
  const aged = (days: number) =>
    tamper(
      `update audit_log set id = uuidv7(interval '-${days} days' + (n * interval '1 ms')) from (select id as old, row_number() over (order by id) as n from audit_log) as o where id = o.old`,
    )
  await aged(541)
  await tamper('delete from audit_seal')
  for (let batch = 0; batch < 2; batch += 1)
    await sql`select seal_audit(uuidv7(interval '-5 seconds'), 2)`.execute(db)
  await sql`select forget_changes('infinity', 1000)`.execute(db)
  expect(
    (await db.selectFrom('audit_log').select('actor').execute()).map(({ actor }) => actor),
  ).toEqual(['operator:mara', 'operator:mara'])
  expect(await faults()).toEqual([])
  await sql`select forget_audit('infinity', 1000)`.execute(db)
  expect(await db.selectFrom('audit_log').select('id').execute()).toHaveLength(2)
  await aged(3_651)
  await tamper('delete from audit_seal')
  await sql`select seal_audit(uuidv7(interval '-5 seconds'), 10)`.execute(db)
  await sql`select forget_audit('infinity', 1000)`.execute(db)
  expect(await db.selectFrom('audit_log').select('id').execute()).toEqual([])
  expect(await faults()).toEqual([])
})

test('a line says from which network its request came, and nothing where a job wrote it', async () => {
  await inRequest({ id: 'q', network: '203.0.113.0/24' }, () => write('near'))
  await write('job')
  const rows = await database.ctx.db
    .selectFrom('audit_log')
    .select(['subject_code', 'network'])
    .orderBy('id')
    .execute()
  expect(rows.map((row) => [row.subject_code, row.network])).toEqual([
    ['near', '203.0.113.0/24'],
    ['job', ''],
  ])
})
