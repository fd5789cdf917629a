import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { reserveStock } from '#features/buying/order/commands.ts'
import { lockOrder } from '#features/buying/order/queries.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { parseVaultKeys } from '#platform/vault-keys.ts'
import {
  addCurrencies,
  addItem,
  buy,
  keyLines,
  stock,
  testVault,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { refused } from '../../../../test/support/people.ts'
import { claimKeys, exportKeys, registerVaultKeys, revealKey } from './commands.ts'
import { openVault } from './engine/vault.ts'
import { importKeys, keepAnnouncing, rotateVault } from './flows.ts'
import { countStock, listOwnKeys } from './queries.ts'
import { KEY_TRANSITIONS } from './rules.ts'

const database = useDatabase()
beforeAll(() => addCurrencies(database.ctx))
/** Keys are delivered here without money, which is told elsewhere. */
const UNPAID =
  /^(?:key delivered for what was not paid|unit delivered and the ledger differ|label differs from facts)/
afterEach(async () =>
  expect((await violations(database.ctx)).filter((each) => !UNPAID.test(each))).toEqual([]),
)

async function* text(content: string) {
  yield content
}
const load = (item: TestItem, content: string, isDryRun = false) =>
  importKeys(database.ctx, testVault, {
    itemCode: item.code,
    fileName: 'keys.csv',
    chunks: text(content),
    isDryRun,
  })

/** Units with delivered keys, straight in the vault: whether they were paid is told elsewhere. */
async function delivered(
  item: TestItem,
  quantity = 1,
  buyer: { readonly accountId?: string } = {},
) {
  const order = await buy(database.ctx, [{ item, quantity }], buyer)
  const units = await database.ctx.db
    .selectFrom('order_unit')
    .select(['id', 'public_id'])
    .where('order_id', '=', order.id)
    .orderBy('unit_no')
    .execute()
  const ids = units.map(({ id }) => id)
  await transaction(database.ctx, async (tx) => {
    await claimKeys(tx, database.ctx, item.id, ids)
    await tx
      .updateTable('card_key')
      .set({ status: 'delivered', delivered_at: new Date() })
      .where('unit_id', 'in', ids)
      .execute()
    await tx
      .updateTable('order_unit')
      .set({ status: 'delivered', delivered_at: new Date() })
      .where('id', 'in', ids)
      .execute()
    await tx
      .updateTable('shop_order')
      .set({ cards_delivered: quantity })
      .where('id', '=', order.id)
      .execute()
  })
  return {
    accountId: order.accountId,
    order: order.publicId,
    unit: units[0]?.public_id ?? '',
    units: units.map((unit) => unit.public_id),
  }
}
const reveal = (
  ctx: Ctx,
  keys: { readonly accountId: string; readonly unit: string },
  vault = testVault,
) => revealKey(ctx, vault, { ...keys, network: '203.0.113.0/24' })

test('a key is not shown while its order is decided about: whoever gives the money back is first, or last', async () => {
  const item = await addItem(database.ctx)
  await load(item, 'RACE00000001\nRACE00000002')
  const { accountId, order, unit } = await delivered(item, 2)
  const looks: Promise<unknown>[] = []
  await transaction(database.ctx, async (tx) => {
    const { id } = await lockOrder(tx, accountId, order)
    looks.push(
      revealKey(database.ctx, testVault, { unit, accountId, network: '' }).catch(
        (error: { code: string }) => error.code,
      ),
      exportKeys(database.ctx, testVault, { accountId, network: '', order }),
    )
    await waitForLocks(2)
    await tx
      .updateTable('order_unit')
      .set({ status: 'refund_due' })
      .where('order_id', '=', id)
      .execute()
  })
  expect(await Promise.all(looks)).toEqual(['not_found', []])
})

/** Until so many wait for a row that somebody else has. */
async function waitForLocks(count: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await sql<{ waiting: number }>`
          select count(*)::integer as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          database.ctx.db,
        )
        return rows[0]?.waiting
      },
      { timeout: 60_000 },
    )
    .toBe(count)
}

test('the database knows the same transitions of keys as the rules', async () => {
  const rows = await database.ctx.db
    .selectFrom('transition_rule')
    .selectAll()
    .where('machine', '=', 'key')
    .execute()
  expect(rows.map((row) => `${row.from_status} ${row.to_status}`).toSorted()).toEqual(
    Object.entries(KEY_TRANSITIONS)
      .flatMap(([from, targets]) => targets.map((to) => `${from} ${to}`))
      .toSorted(),
  )
})

test('a file is read with a dry run first, and a second time nothing is new', async () => {
  const item = await addItem(database.ctx)
  const file =
    'code,expires_on\nAAAABBBBCC01,2027-05-01\nAAAABBBBCC02,\nwrong\nAAAABBBBCC01,\nAAAABBBBCC03,2020-01-01\n'
  const expected = {
    imported: 2,
    duplicates: 1,
    refused: 2,
    faults: [
      { line: 4, fault: 'part', part: 'code' },
      { line: 6, fault: 'expired' },
    ],
  }
  expect(await load(item, file.replace('wrong\n', 'w\n'), true)).toMatchObject({
    imported: 2,
    duplicates: 1,
    refused: 2,
  })
  expect((await countStock(database.ctx.db, item.id)).free).toBe(0)
  expect(await load(item, file)).toMatchObject({ ...expected, samples: ['CC01', 'CC02', 'CC01'] })
  expect(await load(item, file)).toMatchObject({ imported: 0, duplicates: 3, refused: 2 })
  expect(await countStock(database.ctx.db, item.id)).toMatchObject({ free: 2 })
})

test('the same key in another spelling is a duplicate', async () => {
  const item = await addItem(database.ctx)
  expect(await load(item, 'AAAABBBBCCCC\n')).toMatchObject({ imported: 1 })
  expect(await load(item, 'AAAABBBBCCCC\n')).toMatchObject({ imported: 0, duplicates: 1 })
})

test('no key stands readable anywhere in the database', async () => {
  const item = await addItem(database.ctx)
  await load(item, 'CANARY7SECRT\n')
  const { rows } = await sql<{
    found: boolean
  }>`select exists (select from card_key k where k::text like '%CANARY7%' or position('CANARY7'::bytea in ciphertext) > 0) as found`.execute(
    database.ctx.db,
  )
  expect(rows[0]?.found).toBe(false)
})

test('keys that expire first go first, then those imported first', async () => {
  const item = await addItem(database.ctx)
  await load(
    item,
    'code,expires_on\nNEVER0000001,\nLATER0000001,2028-01-01\nSOON00000001,2027-01-01\nNEVER0000002,\n',
  )
  const seen: (string | undefined)[] = []
  for (let count = 0; count < 4; count += 1)
    seen.push((await reveal(database.ctx, await delivered(item)))['code'])
  expect(seen).toEqual(['SOON00000001', 'LATER0000001', 'NEVER0000001', 'NEVER0000002'])
})

test('a key is not sold on or after the day it expires', async () => {
  const item = await addItem(database.ctx)
  await load(item, 'SOON00000002,2027-01-01\n')
  const then: Ctx = { ...database.ctx, now: () => new Date('2027-01-01T00:00:00Z') }
  const order = await buy(database.ctx, [{ item }])
  expect(
    (await refused(transaction(database.ctx, (tx) => reserveStock(tx, then, order.id)))).code,
  ).toBe('out_of_stock')
})

test('forty orders race for thirty keys: thirty get one each, ten are told so', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'R', 30)
  const orders = []
  for (let count = 0; count < 40; count += 1) orders.push(await buy(database.ctx, [{ item }]))
  const outcomes = await Promise.all(
    orders.map(({ id }) =>
      transaction(database.ctx, (tx) => reserveStock(tx, database.ctx, id)).then(
        () => 'reserved',
        (error: { code: string }) => error.code,
      ),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(30)
  expect(outcomes.filter((outcome) => outcome === 'out_of_stock')).toHaveLength(10)
  expect(await countStock(database.ctx.db, item.id)).toMatchObject({ free: 0, claimed: 30 })
})

test('a key that is only locked by somebody who lets go is not said to be sold out', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'L', 1)
  const [first, second] = [await buy(database.ctx, [{ item }]), await buy(database.ctx, [{ item }])]
  const letsGo = transaction(database.ctx, async (tx) => {
    await reserveStock(tx, database.ctx, first.id)
    await sql`select pg_sleep(0.2)`.execute(tx)
    throw new Error('walks away')
  }).catch(() => 'gone')
  await new Promise((resolve) => setTimeout(resolve, 80))
  await transaction(database.ctx, (tx) => reserveStock(tx, database.ctx, second.id))
  expect(await letsGo).toBe('gone')
  expect(await countStock(database.ctx.db, item.id)).toMatchObject({ claimed: 1 })
})

test('keys are found through the index of free keys, with one item and with a thousand', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  const plan = async () => {
    const { rows } = await sql<{
      'QUERY PLAN': string
    }>`explain select id from card_key where item = ${sql.lit(item.id)} and status = 'free' and expires_on > '2026-11-21'
      order by expires_on, pick limit 1 for update skip locked`.execute(ctx.db)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  await importKeys(ctx, testVault, {
    itemCode: item.code,
    fileName: 'keys.txt',
    chunks: keyLines('P', 3_000),
    isDryRun: false,
  })
  await sql`analyze card_key`.execute(ctx.db)
  expect(await plan()).toContain('card_key_free')
  await sql`update card_key set status = 'void' where item = ${item.id} and pick % 50 <> 0`.execute(
    ctx.db,
  )
  await sql`analyze card_key`.execute(ctx.db)
  expect(await plan()).toContain('card_key_free')

  await sql`insert into item (id, code, product, kind, name, price_minor, price_currency, position, source, updated_at)
    select gen_random_uuid(), code || ':' || n, product, kind, name, price_minor, price_currency, n, source, updated_at from item, generate_series(1, 999) n where id = ${item.id}`.execute(
    ctx.db,
  )
  await sql`insert into card_key (id, item, batch_id, expires_on, nonce, ciphertext, wrapped_key, kek_id, fingerprint, last_four, status)
    select gen_random_uuid(), i.id, k.batch_id, k.expires_on, k.nonce, k.ciphertext, k.wrapped_key, k.kek_id, sha256(uuid_send(gen_random_uuid())), k.last_four, case when n % 10 = 0 then 'free' else 'void' end
    from item i, generate_series(1, 20) n, (select * from card_key where item = ${item.id} limit 1) k where i.product = ${item.product} and i.id <> ${item.id}`.execute(
    ctx.db,
  )
  await sql`analyze card_key`.execute(ctx.db)
  expect(await plan()).toContain('card_key_free')
  // They open under no key.
  await sql`delete from card_key where item in (select id from item where product = ${item.product} and id <> ${item.id})`.execute(
    ctx.db,
  )
})

test('only the buyer sees a key, and every look is written down', async () => {
  const item = await addItem(database.ctx)
  await load(item, 'ONLYFORBUYER\n')
  const own = await delivered(item)
  expect(
    (
      await refused(
        reveal(database.ctx, {
          ...own,
          accountId: (await buy(database.ctx, [{ item }])).accountId,
        }),
      )
    ).code,
  ).toBe('not_found')
  expect(await reveal(database.ctx, own)).toEqual({ code: 'ONLYFORBUYER' })
  expect(await reveal(database.ctx, own)).toEqual({ code: 'ONLYFORBUYER' })
  const looks = await database.ctx.db
    .selectFrom('key_access as a')
    .innerJoin('card_key as k', 'k.id', 'a.key_id')
    .select(['a.purpose', 'k.revealed_at'])
    .where('k.item', '=', item.id)
    .execute()
  expect(looks).toHaveLength(2)
  expect(looks.every(({ revealed_at }) => revealed_at !== null)).toBe(true)
  await expect(database.ctx.db.deleteFrom('key_access').execute()).rejects.toMatchObject({
    code: '23514',
  })
})

test('keys are paged, the newest order first, wherever a page ends within an order', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'P', 10)
  const { accountId, units } = await delivered(item, 3)
  const made = [
    units,
    (await delivered(item, 1, { accountId })).units,
    (await delivered(item, 4, { accountId })).units,
  ]
  const expected = made.toReversed().flat()
  for (const limit of [1, 2, 3, 5, 8, 20]) {
    const pages = await Promise.all(
      Array.from({ length: Math.ceil(8 / limit) + 1 }, (_, index) =>
        listOwnKeys(database.ctx.db, accountId, { page: index + 1, limit }),
      ),
    )
    expect(pages.flatMap(({ keys }) => keys.map(({ unit }) => unit))).toEqual(expected)
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([8]))
  }
  const { order } = await delivered(item, 2, { accountId })
  expect((await listOwnKeys(database.ctx.db, accountId, { order, page: 1, limit: 20 })).total).toBe(
    2,
  )
})

test('ciphertext put into another row does not open', async () => {
  const item = await addItem(database.ctx)
  await load(item, 'SWAPPED00001\nSWAPPED00002\n')
  const [one, two] = [await delivered(item), await delivered(item)]
  const rows = await database.ctx.db
    .selectFrom('card_key')
    .select(['id', 'nonce', 'ciphertext', 'wrapped_key'])
    .where('item', '=', item.id)
    .execute()
  await sql`update card_key a set nonce = b.nonce, ciphertext = b.ciphertext, wrapped_key = b.wrapped_key from card_key b where a.item = ${item.id} and b.item = a.item and a.id < b.id`.execute(
    database.ctx.db,
  )
  const outcomes = await Promise.allSettled([reveal(database.ctx, one), reveal(database.ctx, two)])
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  for (const { id, ...own } of rows)
    await database.ctx.db.updateTable('card_key').set(own).where('id', '=', id).execute()
})

test('a bound key is neither bound again nor put back', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'X', 1)
  await delivered(item)
  const other = await buy(database.ctx, [{ item }])
  await expect(
    sql`update card_key set unit_id = (select id from order_unit where order_id = ${other.id}) where item = ${item.id}`.execute(
      database.ctx.db,
    ),
  ).rejects.toMatchObject({ constraint: 'card_key_stays_bound' })
  await expect(
    sql`update card_key set status = 'free', unit_id = null, claimed_at = null where item = ${item.id}`.execute(
      database.ctx.db,
    ),
  ).rejects.toMatchObject({ code: '23514' })
})

const keyOf = (id: number, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`
/** A vault whose keys can be changed while it is used, as a file's can. */
function changeable(...lines: string[]) {
  const kept = [...lines]
  return { kept, vault: openVault(() => parseVaultKeys(kept, 'test')) }
}

test('another key under a known number is refused before anything is encrypted', async () => {
  await registerVaultKeys(database.ctx, testVault)
  await expect(registerVaultKeys(database.ctx, changeable(keyOf(1, 9)).vault)).rejects.toThrow(
    /another one than before/,
  )
})

test('a key that one shell alone knows is used for nothing', async () => {
  const shell = changeable(keyOf(1, 3), keyOf(7, 7)).vault
  expect(await registerVaultKeys(database.ctx, shell)).toBe(1)
  const item = await addItem(database.ctx)
  await importKeys(database.ctx, shell, {
    itemCode: item.code,
    fileName: 'keys.txt',
    chunks: text('ONESHELL0001\n'),
    isDryRun: false,
  })
  expect(await reveal(database.ctx, await delivered(item))).toEqual({ code: 'ONESHELL0001' })
  const reader = keepAnnouncing(database.ctx, testVault, {
    id: newId(),
    name: 'web process 1 on a',
  })
  await until(async () => (await readers()) === 1)
  const asked = rotateVault(database.ctx, shell, { addKey: () => {}, waitMs: 1_200 })
  await expect(asked).rejects.toThrow(
    'Nothing was changed: key 7 is not known to web process 1 on a.',
  )
  await reader.stop()
  expect(await readers()).toBe(0)
  await database.ctx.db.deleteFrom('key_encryption_key').where('id', '=', 7).execute()
})

test('keys are rotated while people buy and look: each look shows the key, and in the end all are under the new one', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'R', 1_500)
  const processes = [changeable(keyOf(1, 3)), changeable(keyOf(1, 3))]
  const announcing = processes.map(({ vault }, index) =>
    keepAnnouncing(database.ctx, vault, { id: newId(), name: `web process ${index} on a` }, 100),
  )
  await until(async () => (await readers()) === 2)
  const shell = changeable(keyOf(1, 3))
  // The two processes take the new key up one after the other, as several machines do.
  const addKey = () => {
    shell.kept.push(keyOf(2, 4))
    for (const [index, { kept }] of processes.entries())
      setTimeout(() => kept.push(keyOf(2, 4)), (index + 1) * 700).unref()
  }
  let isOver = false
  const rotation = rotateVault(database.ctx, shell.vault, { addKey, waitMs: 20_000 }).finally(
    () => {
      isOver = true
    },
  )
  let looks = 0
  const shoppers = processes.map(async ({ vault }) => {
    for (let after = 0; after < 5; after += isOver ? 1 : 0) {
      const own = await delivered(item)
      expect(await reveal(database.ctx, own, vault)).toEqual({
        code: expect.stringMatching(/^R\d{11}$/) as string,
      })
      looks += 1
    }
  })
  await Promise.all(shoppers)
  const { keyId, count } = await rotation
  expect([keyId, count]).toEqual([2, expect.any(Number)])
  expect(count).toBeGreaterThan(1_000)
  expect(looks).toBeGreaterThan(10)
  const under = await database.ctx.db.selectFrom('card_key').select('kek_id').distinct().execute()
  expect(under).toEqual([{ kek_id: 2 }])
  await Promise.all(announcing.map((one) => one.stop()))
})

test('after a rotation every key opens under the new one alone, new ones go under it, and a run more adds the next', async () => {
  const alone = changeable(keyOf(2, 4))
  expect(await registerVaultKeys(database.ctx, alone.vault)).toBe(2)
  const item = await addItem(database.ctx)
  await importKeys(database.ctx, alone.vault, {
    itemCode: item.code,
    fileName: 'keys.txt',
    chunks: text('ROTATED00001\n'),
    isDryRun: false,
  })
  expect(await reveal(database.ctx, await delivered(item), alone.vault)).toEqual({
    code: 'ROTATED00001',
  })
  const next = { addKey: () => void alone.kept.push(keyOf(3, 5)) }
  expect((await rotateVault(database.ctx, alone.vault, next)).keyId).toBe(3)
})

const newId = () => database.ctx.newId()

async function readers(): Promise<number> {
  const rows = await database.ctx.db.selectFrom('vault_reader').select('id').execute()
  return rows.length
}

async function until(look: () => Promise<boolean>): Promise<void> {
  await expect.poll(look, { timeout: 60_000 }).toBe(true)
}
