import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { moveKeys } from '#features/buying/vault/commands.ts'
import { approveAct, refuseAct } from '#features/office/approval/commands.ts'
import { type OperatorCtx } from '#features/team/operator/commands.ts'
import { present } from '#kernel/assert.ts'
import {
  addCurrencies,
  addItem,
  stock,
  testVault,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner, hire } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { askForKeyExport, forgetKeyExports } from './commands.ts'
import { giveOutKeys } from './flows.ts'
import { makeKeyExports } from './jobs.ts'
import { listKeyExports } from './queries.ts'
import { KEY_EXPORTS_A_DAY } from './rules.ts'

const REASON = 'Back to the supplier.'
const database = useDatabase()
let owner: OperatorCtx
let other: OperatorCtx | undefined
let item: TestItem
let serial = 0

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  item = await addItem(ctx)
  owner = await firstOwner(ctx)
  await sql`update operator set email = 'mara@shop.example' where name = 'mara'`.execute(ctx.db)
})

/** A batch of so many keys, all of them kept back. */
async function quarantined(count: number): Promise<string> {
  const { ctx } = database
  await stock(ctx, item, String.fromCharCode(65 + (serial += 1)), count)
  const { rows } = await sql<{
    id: string
  }>`select id from key_batch order by id desc limit 1`.execute(ctx.db)
  const batch = present(rows[0], 'batch').id
  await moveKeys(owner, 'quarantine', { batch }, REASON)
  return batch
}

async function secondOwner(): Promise<OperatorCtx> {
  return (other ??= await hire(owner, 'owner', 'bao'))
}

const work = () => makeKeyExports(database.ctx, testVault, new AbortController().signal)
const stateOf = async (batch: string) => (await listKeyExports(database.ctx.db, batch))[0]
const textOf = async (ctx: OperatorCtx, id: string) => {
  let text = ''
  for await (const chunk of (await giveOutKeys(ctx, testVault, id)).chunks) text += chunk
  return text
}

test('a lone owner gets a file of what is kept back, once, and is told of it', async () => {
  const { ctx } = database
  const batch = await quarantined(3)
  expect((await refused(askForKeyExport(owner, { batch: item.id, reason: REASON }))).code).toBe(
    'not_found',
  )
  const { id, waits } = await askForKeyExport(owner, { batch, reason: REASON })
  expect(waits).toBeNull()
  expect((await refused(giveOutKeys(owner, testVault, id))).code).toBe('changed_meanwhile')
  await work()
  expect(await stateOf(batch)).toMatchObject({ state: 'ready', keys: 3, asked: 3 })
  // Nothing of a code stands in the clear, and each key's file is written down.
  const { rows: sealed } = await sql<{
    ciphertext: Buffer
  }>`select ciphertext from key_export_piece`.execute(ctx.db)
  expect(sealed).toHaveLength(1)
  expect(sealed[0]?.ciphertext.toString('latin1')).not.toContain('00000000001')
  const { rows: accesses } = await sql<{ actor: string }>`
    select a.actor from key_access a join card_key k on k.id = a.key_id where k.batch_id = ${batch}::uuid and a.purpose = 'export'`.execute(
    ctx.db,
  )
  expect(accesses).toEqual(Array.from({ length: 3 }, () => ({ actor: 'operator:mara' })))
  const text = await textOf(owner, id)
  expect(text).toMatch(/^\uFEFFcode,expires_on\r\n/)
  expect(text.trimEnd().split('\r\n')).toHaveLength(4)
  expect((await refused(giveOutKeys(owner, testVault, id))).code).toBe('changed_meanwhile')
  expect(await stateOf(batch)).toMatchObject({ state: 'taken', takenUntil: null })
  expect((await sql`select from key_export_piece`.execute(ctx.db)).rows).toHaveLength(0)
  // They are somebody's: nothing brings them back to the shelf.
  expect(await moveKeys(owner, 'release', { batch }, REASON)).toEqual({ moved: 0, isDone: true })
  await sql`update card_key set status = 'free' where batch_id = ${batch}::uuid`.execute(ctx.db)
  const { rows: kept } =
    await sql`select from card_key where batch_id = ${batch}::uuid and status = 'quarantined'`.execute(
      ctx.db,
    )
  expect(kept).toHaveLength(3)
  const { rows: mails } = await sql<{ label: string }>`
    select params #>> '{alert,matters,0,label}' as label from outgoing_mail where recipient = 'mara@shop.example'`.execute(
    ctx.db,
  )
  expect(mails).toEqual([{ label: 'keys_exported' }, { label: 'keys_exported' }])
})

test('with a second owner it waits for them, and only whoever asked takes the file', async () => {
  const second = await secondOwner()
  const batch = await quarantined(2)
  const { id, waits } = await askForKeyExport(owner, { batch, reason: REASON })
  await work()
  expect(await stateOf(batch)).toMatchObject({ state: 'waiting', keys: 0 })
  const act = present(waits, 'act')
  expect((await refused(approveAct(owner, act))).code).toBe('needs_another')
  await approveAct(second, act)
  await work()
  expect(await stateOf(batch)).toMatchObject({ state: 'ready', approvedBy: 'operator:bao' })
  expect((await refused(giveOutKeys(second, testVault, id))).code).toBe('not_found')
  expect((await textOf(owner, id)).trimEnd().split('\r\n')).toHaveLength(3)
})

test('what is refused is not made, and what nobody takes is gone within the hour', async () => {
  const second = await secondOwner()
  const batch = await quarantined(1)
  const asked = { batch, reason: REASON }
  const first = await askForKeyExport(owner, asked)
  await refuseAct(second, present(first.waits, 'act'), 'No.')
  await work()
  expect(await stateOf(batch)).toMatchObject({ state: 'refused' })

  const next = await askForKeyExport(owner, asked)
  await approveAct(second, present(next.waits, 'act'))
  await work()
  const later = { ...owner, now: minutesLater(database.ctx, 61).now }
  expect((await refused(giveOutKeys(later, testVault, next.id))).code).toBe('changed_meanwhile')
  await forgetKeyExports(later)
  expect(await stateOf(batch)).toMatchObject({ state: 'ended' })
  expect((await refused(giveOutKeys(owner, testVault, next.id))).code).toBe('changed_meanwhile')
})

test('no more leaves than was approved, and nothing that is for sale', async () => {
  const second = await secondOwner()
  const batch = await quarantined(2)
  const { id, waits } = await askForKeyExport(owner, { batch, reason: REASON })
  const { rows } = await sql<{ id: string }>`
    select id from card_key where batch_id = ${batch}::uuid order by id limit 1`.execute(
    database.ctx.db,
  )
  await moveKeys(owner, 'release', { keys: rows.map((row) => row.id) }, REASON)
  await approveAct(second, present(waits, 'act'))
  await work()
  expect((await textOf(owner, id)).trimEnd().split('\r\n')).toHaveLength(2)
  const free = await quarantined(1)
  await moveKeys(owner, 'release', { batch: free }, REASON)
  expect((await refused(askForKeyExport(owner, { batch: free, reason: REASON }))).code).toBe(
    'changed_meanwhile',
  )
  const support = await hire(owner, 'support')
  const lacking = askForKeyExport(support, { batch, reason: REASON })
  expect((await refused(lacking)).code).toBe('forbidden')
})

test('nobody asks for more files within a day than is allowed, however many at once', async () => {
  const second = await secondOwner()
  const batches: string[] = []
  for (let count = 0; count < KEY_EXPORTS_A_DAY + 2; count += 1) batches.push(await quarantined(1))
  const asked = await Promise.allSettled(
    batches.map((batch) => askForKeyExport(second, { batch, reason: REASON })),
  )
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(KEY_EXPORTS_A_DAY)
  const last = { batch: await quarantined(1), reason: REASON }
  expect((await refused(askForKeyExport(second, last))).code).toBe('too_many_requests')
  const tomorrow = { ...second, now: minutesLater(database.ctx, 24 * 60 + 1).now }
  expect(await askForKeyExport(tomorrow, last)).toMatchObject({ id: expect.any(String) as string })
})

const piecesOf = async (publicId: string) =>
  (
    await sql<{ no: number }>`
      select p.no from key_export_piece p join key_export e on e.id = p.export_id where e.public_id = ${publicId} order by p.no`.execute(
      database.ctx.db,
    )
  ).rows.map(({ no }) => no)

test('a file of which a piece is gone ends in a fault, never as if it were whole, and is not given out again', async () => {
  const { ctx } = database
  const batch = await quarantined(251)
  const { id, waits } = await askForKeyExport(owner, { batch, reason: REASON })
  if (waits) await approveAct(await secondOwner(), waits)
  await work()
  expect(await stateOf(batch)).toMatchObject({ state: 'ready', keys: 251 })
  expect(await piecesOf(id)).toEqual([0, 1])
  await sql`delete from key_export_piece where no = 1`.execute(ctx.db)
  const got: string[] = []
  const reading = async () => {
    for await (const chunk of (await giveOutKeys(owner, testVault, id)).chunks) got.push(chunk)
  }
  await expect(reading()).rejects.toThrow('piece 1 of a file of keys is gone')
  expect(got).toHaveLength(1)
  // What was read of it opens for nobody any more.
  expect(await piecesOf(id)).toEqual([])
  expect((await refused(giveOutKeys(owner, testVault, id))).code).toBe('changed_meanwhile')
})

test('whoever breaks a download off leaves nothing behind that could be opened', async () => {
  const batch = await quarantined(251)
  const { id, waits } = await askForKeyExport(owner, { batch, reason: REASON })
  if (waits) await approveAct(await secondOwner(), waits)
  await work()
  for await (const chunk of (await giveOutKeys(owner, testVault, id)).chunks) {
    expect(chunk).toMatch(/^\uFEFFcode,expires_on/)
    break
  }
  expect(await piecesOf(id)).toEqual([])
  expect((await refused(giveOutKeys(owner, testVault, id))).code).toBe('changed_meanwhile')
})
