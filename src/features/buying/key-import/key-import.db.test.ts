import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { approveAct, refuseAct } from '#features/office/approval/commands.ts'
import { present } from '#kernel/assert.ts'
import { actingAs, type OperatorCtx } from '#features/team/operator/commands.ts'
import type { OperatorRole } from '#features/team/operator/rules.ts'
import { archiveOf } from '../../../../test/support/archive.ts'
import {
  addCurrencies,
  addItem,
  stock,
  testVault,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { cancelImport, forgetImports, takeFileAlone, takeImport } from './commands.ts'
import { importKeysByOperator } from '#features/buying/vault/flows.ts'
import { receiveImport } from './flows.ts'
import { createImportWorker } from './jobs.ts'
import { findWork, getImport, listFaults } from './queries.ts'
import { KEPT_HOURS, OPEN_MOST } from './rules.ts'

const database = useDatabase()
let serial = 0
const fresh = (role: OperatorRole = 'owner') =>
  asOperator(database.ctx, `${role}${(serial += 1)}`, role)

beforeAll(() => addCurrencies(database.ctx))

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}
async function* textOf(text: string): AsyncGenerator<string> {
  yield text
}
const codes = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index).padStart(11, '0')}`)

function send(
  ctx: OperatorCtx,
  item: Pick<TestItem, 'code'>,
  text: string,
  terms: { readonly costMinor?: bigint; readonly expiresOn?: string } = {},
): Promise<string> {
  const { costMinor, expiresOn } = terms
  return receiveImport(ctx, testVault, {
    itemCode: item.code,
    fileName: 'keys.csv',
    supplier: 'K-Hub',
    cost: costMinor === undefined ? null : { minor: costMinor, currency: 'USD' },
    expiresOn: expiresOn ?? null,
    declaredBytes: null,
    bytes: bytesOf(text),
  })
}

const work = (signal = new AbortController().signal) =>
  createImportWorker(database.ctx, testVault).run(signal)
const importOf = (id: string) => getImport(database.ctx.db, id)
const freeOf = async (item: TestItem) => {
  const rows = await database.ctx.db
    .selectFrom('card_key')
    .select('expires_on')
    .where('item', '=', item.id)
    .where('status', '=', 'free')
    .execute()
  return rows.length
}

test('a file is looked through by line, and its new keys are taken when somebody says so', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  await stock(ctx, item, 'K', 2)
  const lines = [
    'code,expires_on',
    'AAAA00000001,2099-01-31',
    'K00000000001',
    'short',
    'aaaa-0000-0001',
    '',
    'AAAA00000002,2001-01-01',
    'AAAA00000003,soon',
    'AAAA00000004,,,',
    'AAAA00000005',
  ]
  const owner = fresh()
  const id = await send(owner, item, lines.join('\r\n'), { expiresOn: '2098-01-01' })
  expect(await importOf(id)).toMatchObject({ status: 'checking', lines: 10 })
  await work()
  expect(await importOf(id)).toMatchObject({
    status: 'checked',
    checkedLines: 10,
    fresh: 2,
    known: 1,
    doubled: 0,
    malformed: 4,
    expired: 1,
  })
  expect(await listFaults(ctx.db, id, 0, 100)).toEqual([
    { line: 3, fault: 'known', part: null, sameAs: null },
    { line: 4, fault: 'part', part: 'code', sameAs: null },
    { line: 5, fault: 'part', part: 'code', sameAs: null },
    { line: 7, fault: 'expired', part: null, sameAs: null },
    { line: 8, fault: 'date', part: null, sameAs: null },
    { line: 9, fault: 'columns', part: null, sameAs: null },
  ])
  expect(await freeOf(item)).toBe(2)
  expect((await refused(takeImport(owner, { id, fresh: 3 }))).code).toBe('changed_meanwhile')
  expect(await takeImport(owner, { id, fresh: 2 })).toBeNull()
  await work()
  expect(await importOf(id)).toMatchObject({ status: 'done', taken: 2, skipped: 1, takenLines: 10 })
  expect(await freeOf(item)).toBe(4)
  const batch = await ctx.db
    .selectFrom('key_batch')
    .selectAll()
    .where('id', '=', present((await importOf(id)).batch, 'batch'))
    .executeTakeFirstOrThrow()
  expect(batch).toMatchObject({
    supplier: 'K-Hub',
    imported: 2,
    duplicates: 1,
    refused: 5,
    created_by: owner.actor,
  })
  const days = await ctx.db
    .selectFrom('card_key')
    .select('expires_on')
    .where('batch_id', '=', batch.id)
    .orderBy('expires_on')
    .execute()
  expect(days.map(({ expires_on: day }) => day.getFullYear())).toEqual([2098, 2099])
  expect(await ctx.db.selectFrom('key_import_chunk').selectAll().execute()).toEqual([])
})

test('twice in a file is told with the line that was first', async () => {
  const item = await addItem(database.ctx)
  const id = await send(
    fresh(),
    item,
    [...codes('D', 5), 'D00000000002', ...codes('E', 1)].join('\n'),
  )
  await work()
  expect(await importOf(id)).toMatchObject({ fresh: 6, doubled: 1 })
  expect(await listFaults(database.ctx.db, id, 0, 10)).toEqual([
    { line: 6, fault: 'doubled', part: null, sameAs: 3 },
  ])
})

test('nothing of a code stands anywhere in the clear, whatever becomes of its file', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  const secret = 'SECRETCODE42'
  const id = await send(fresh(), item, `${secret}\nnot ${secret} a key`)
  await work()
  for (const table of [
    'key_import',
    'key_import_chunk',
    'key_import_fault',
    'audit_log',
  ] as const) {
    const rows = await ctx.db.selectFrom(table).selectAll().execute()
    const texts = JSON.stringify(rows, (_, value: unknown) =>
      typeof value === 'object' && value !== null && 'data' in value
        ? Buffer.from(value.data as number[]).toString('latin1')
        : value,
    )
    expect(texts, table).not.toContain('SECRET')
  }
  await cancelImport(fresh(), id)
  expect((await importOf(id)).status).toBe('cancelled')
  const key = await ctx.db
    .selectFrom('key_import')
    .select(['wrapped_key', 'kek_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(key).toEqual({ wrapped_key: null, kek_id: null })
})

test('two imports of one file at once put each key on the shelf once', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  const text = codes('T', 9_000).join('\n')
  const [one, other] = [fresh(), fresh()]
  const ids = await Promise.all([send(one, item, text), send(other, item, text)])
  await work()
  await takeImport(one, { id: ids[0], fresh: 9_000 }).catch(() => {})
  const limited = await importOf(ids[0])
  expect(limited.status).toBe('waiting')
  await approveAct(fresh(), await waitingAbout(ids[0]))
  await takeImport(other, { id: ids[1], fresh: 9_000 })
  await approveAct(fresh(), await waitingAbout(ids[1]))
  await Promise.all([work(), work()])
  const done = await Promise.all(ids.map(importOf))
  expect(done.map(({ status }) => status)).toEqual(['done', 'done'])
  expect(done.reduce((sum, { taken }) => sum + taken, 0)).toBe(9_000)
  expect(done.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(9_000)
  expect(await freeOf(item)).toBe(9_000)
})

const waitingAbout = async (subject: string) => {
  const row = await database.ctx.db
    .selectFrom('operator_act')
    .select('public_id')
    .where('subject', '=', subject)
    .where('status', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return row.public_id
}

test('above the limit a second person decides, and a day’s imports count together', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  const asker = fresh('catalogue')
  const small = await send(asker, item, codes('L', 6).join('\n'), { costMinor: 100_000n })
  await work()
  expect(await takeImport(asker, { id: small, fresh: 6 })).toBeNull()
  const second = await send(asker, item, codes('M', 6).join('\n'), { costMinor: 100_000n })
  await work()
  const waits = present(await takeImport(asker, { id: second, fresh: 6 }), 'approval')
  expect(await takeImport(asker, { id: second, fresh: 6 })).toBe(waits)
  const approver = fresh()
  await refuseAct(approver, waits, 'Whose are these?')
  expect((await importOf(second)).status).toBe('checked')
  const again = present(await takeImport(asker, { id: second, fresh: 6 }), 'approval')
  expect((await refused(approveAct(asker, again))).params).toMatchObject({
    permission: 'approval.decide',
  })
  await approveAct(approver, again)
  await work()
  expect(await importOf(second)).toMatchObject({ status: 'done', taken: 6 })
  // Without a cost the price of the item counts, 10.00 each, and half of it where the cost is said to be next to nothing.
  const cheap = await send(fresh(), item, codes('R', 2_001).join('\n'), { costMinor: 1n })
  await work()
  expect(await takeImport(fresh(), { id: cheap, fresh: 2_001 })).not.toBeNull()
  const free = await send(fresh(), item, codes('N', 1_001).join('\n'))
  await work()
  const owner = fresh()
  const last = present(await takeImport(owner, { id: free, fresh: 1_001 }), 'approval')
  await cancelImport(owner, free)
  // Nobody is asked about it any more.
  expect(await actsOf(owner)).toEqual([{ status: 'ended', subject: free, usd_minor: '1001000' }])
  expect((await refused(approveAct(fresh(), last))).code).toBe('order_closed')
})

const actsOf = ({ actor }: OperatorCtx) =>
  database.ctx.db
    .selectFrom('operator_act')
    .select(['status', 'subject', 'usd_minor'])
    .where('asked_by', '=', actor)
    .orderBy('id')
    .execute()

test('what is taken alone is an act as well, and what a command takes counts with it', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  const asker = fresh('catalogue')
  const alone = await send(asker, item, codes('E', 400).join('\n'))
  await work()
  expect(await takeImport(asker, { id: alone, fresh: 400 })).toBeNull()
  await work()
  expect(await actsOf(asker)).toEqual([{ status: 'given', subject: alone, usd_minor: '400000' }])
  const commanded = (letter: string, count: number, isDryRun = false) =>
    importKeysByOperator(asker, testVault, {
      itemCode: item.code,
      fileName: 'keys.csv',
      open: async () => textOf(codes(letter, count).join('\n')),
      askLeave: takeFileAlone,
      isDryRun,
    })
  expect(await commanded('F', 400, true)).toMatchObject({ imported: 400 })
  expect(await commanded('F', 400)).toMatchObject({ imported: 400, duplicates: 0 })
  expect((await actsOf(asker)).map(({ usd_minor: usd }) => usd)).toEqual(['400000', '400000'])
  // Known already: it is worth nothing, and asks nobody.
  expect(await commanded('F', 400)).toMatchObject({ imported: 0, duplicates: 400 })
  expect((await refused(commanded('G', 201))).code).toBe('needs_another')
  expect(await freeOf(item)).toBe(800)
  expect(await commanded('G', 200)).toMatchObject({ imported: 200 })
  // Nor is the console's next one theirs alone.
  const next = await send(asker, item, codes('H', 1).join('\n'))
  await work()
  expect(await takeImport(asker, { id: next, fresh: 1 })).not.toBeNull()
})

test('what a release before took without an act counts on the day of the upgrade', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  const asker = fresh('catalogue')
  const before = await send(asker, item, codes('U', 600).join('\n'))
  await work()
  // As that release has noted it: taken, worth six thousand dollars, and no act.
  await sql`update key_import set taken_by = ${asker.actor}, taken_at = ${ctx.now()}, usd_minor = 600000 where id = ${before}`.execute(
    ctx.db,
  )
  const next = await send(asker, item, codes('Q', 400).join('\n'))
  await work()
  expect(await takeImport(asker, { id: next, fresh: 400 })).toBeNull()
  await work()
  // Six and four thousand are the limit: not one more, and neither of the two counts twice.
  const last = await send(asker, item, codes('S', 1).join('\n'))
  await work()
  expect(await takeImport(asker, { id: last, fresh: 1 })).not.toBeNull()
})

test('a role that may take nothing alone asks for every key, though the shop’s limit is far', async () => {
  const item = await addItem(database.ctx)
  for (const [letter, limits, isAsked] of [
    ['B', {}, true],
    ['C', { 'key.import': 999n }, true],
    ['D', { 'key.import': 1_000n }, false],
  ] as const) {
    const own = { name: 'Night shift', permissions: ['key.import'] as const, limits }
    const id = database.ctx.newId()
    const name = `night-${letter.toLowerCase()}`
    const night = actingAs(database.ctx, { id, name, role: 'night', own })
    const sent = await send(night, item, codes(letter, 1).join('\n'))
    await work()
    expect((await takeImport(night, { id: sent, fresh: 1 })) !== null).toBe(isAsked)
  }
})

test('what comes into a file between its counting and its taking is not taken', async () => {
  const item = await addItem(database.ctx)
  let reads = 0
  const report = await importKeysByOperator(fresh(), testVault, {
    itemCode: item.code,
    fileName: 'keys.csv',
    open: async () => textOf(codes('J', (reads += 1) === 1 ? 3 : 900).join('\n')),
    askLeave: takeFileAlone,
    isDryRun: false,
  })
  expect(report).toMatchObject({ imported: 3, duplicates: 0, refused: 897 })
  expect(await freeOf(item)).toBe(3)
})

test('a process that dies in the middle loses nothing and doubles nothing', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  const owner = fresh()
  const id = await send(owner, item, codes('P', 30_000).join('\n'), { costMinor: 1n })
  const stopping = new AbortController()
  const isBegun = async (part: 'checkedLines' | 'takenLines') => {
    while ((await importOf(id))[part] === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    stopping.abort()
  }
  await Promise.all([work(stopping.signal), isBegun('checkedLines')])
  expect((await importOf(id)).status).toBe('checking')
  await work()
  expect(await importOf(id)).toMatchObject({
    status: 'checked',
    fresh: 30_000,
    checkedLines: 30_000,
  })
  await takeImport(owner, { id, fresh: 30_000 })
  await approveAct(fresh(), await waitingAbout(id))
  const again = new AbortController()
  const stop = (async () => {
    while ((await importOf(id)).takenLines === 0)
      await new Promise((resolve) => setTimeout(resolve, 5))
    again.abort()
  })()
  await Promise.all([work(again.signal), stop])
  expect(await findWork(ctx.db)).toMatchObject({ id, status: 'taking' })
  await work()
  expect(await importOf(id)).toMatchObject({ status: 'done', taken: 30_000, skipped: 0 })
  expect(await freeOf(item)).toBe(30_000)
})

test('an upload is refused where it will not do, and leaves nothing', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  const charged = await addItem(ctx, { delivery: 'direct_charge' })
  const owner = fresh()
  expect(await refused(send(owner, charged, 'A'))).toMatchObject({
    fields: { item: 'not_allowed' },
  })
  expect(await refused(send(owner, item, '\n \n'))).toMatchObject({ fields: { file: 'required' } })
  expect((await refused(send(owner, item, 'A\u0000'))).code).toBe('upload_format')
  expect(await refused(send(owner, item, 'A', { expiresOn: '2001-01-01' }))).toMatchObject({
    fields: { expires_on: 'not_allowed' },
  })
  const reader = fresh('read-only')
  expect((await refused(send(reader, item, 'A'))).params).toMatchObject({
    permission: 'key.import',
  })
  const huge = receiveImport(owner, testVault, {
    itemCode: item.code,
    fileName: 'huge',
    supplier: null,
    cost: null,
    expiresOn: null,
    declaredBytes: 4 * 1024 ** 3,
    bytes: {
      [Symbol.asyncIterator]() {
        throw new Error('nothing of it is read')
      },
    },
  })
  expect((await refused(huge)).code).toBe('too_large')
  const left = await ctx.db
    .selectFrom('key_import')
    .select('id')
    .where('created_by', '=', owner.actor)
    .execute()
  expect(left).toEqual([])
  for (let index = 0; index < OPEN_MOST; index += 1) await send(owner, item, `Q${index}`)
  expect((await refused(send(owner, item, 'Q99'))).code).toBe('conflict')
  await work()
  const { now } = minutesLater(ctx, KEPT_HOURS * 60 + 1)
  await forgetImports({ ...ctx, now })
  const statuses = await ctx.db
    .selectFrom('key_import')
    .select('status')
    .where('created_by', '=', owner.actor)
    .execute()
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set(['cancelled']))
})

test('keys that are pictures come as an archive, each a line; of other brands none does', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  const codesAlone = await addItem(ctx)
  await ctx.db
    .updateTable('brand')
    .set({ key_format: JSON.stringify({ parts: [{ name: 'image', pattern: '^.+$' }] }) })
    .where('code', '=', item.brand)
    .execute()
  const png = (text: string) =>
    Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(text)])
  const archive = archiveOf([png('one'), Buffer.from('no picture'), png('two'), png('one')])
  const owner = fresh()
  const sendArchive = (code: string) =>
    receiveImport(owner, testVault, {
      itemCode: code,
      fileName: 'keys.zip',
      supplier: null,
      cost: null,
      expiresOn: null,
      declaredBytes: archive.length,
      bytes: (async function* () {
        for (let at = 0; at < archive.length; at += 3) yield archive.subarray(at, at + 3)
      })(),
    })
  expect((await refused(sendArchive(codesAlone.code))).code).toBe('upload_format')
  const id = await sendArchive(item.code)
  await work()
  expect(await importOf(id)).toMatchObject({
    status: 'checked',
    lines: 4,
    fresh: 2,
    malformed: 1,
    doubled: 1,
  })
  await takeImport(owner, { id, fresh: 2 })
  await work()
  expect(await freeOf(item)).toBe(2)
})
