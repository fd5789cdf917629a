import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrate } from '#platform/migrate.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { databaseUrl } from '../support/postgres-server.ts'

/**
 * What release 0004 (commit 7a503f7) sends to the functions of the database, on connections that stay open. These texts never change
 * while that release may run beside the newest one.
 */
const CALLS = {
  put: `select put_in_cart($1, $2::jsonb, $3, $4, $5) as outcome`,
  order: `select place_order($1::jsonb, $2) as placed`,
  pay: `select * from start_plainly($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
  settle: `select settle_plainly($1::jsonb) as place`,
  label: `select * from "order_facts" where "id" = $1`,
}
const MIGRATIONS = join(PROJECT_ROOT, 'db', 'migrations')
const name = `old_callers_${process.pid}`
const BUYERS = 3
const BEFORE = 5
const AFTER = 15

let url: string
const item = randomUUID()
const batch = randomUUID()

beforeAll(async () => {
  url = databaseUrl(inject('postgresUrl'), name)
  await using server = await connect(inject('postgresUrl'))
  await server.query(`create database ${name}`)
  await using shop = await connect(url)
  await makeRelease(shop)
  await stock(shop)
})
afterAll(async () => {
  await using server = await connect(inject('postgresUrl'))
  await server.query(`drop database ${name} with (force)`)
})

test('callers of release 0004 go on buying while the newest schema and functions come, and afterwards', async () => {
  const bought: number[] = []
  let isOver = false
  const buyers = Array.from({ length: BUYERS }, async (_, index) => {
    await using client = await connect(url)
    const account = await addAccount(client, index)
    for (bought[index] = 0; !isOver; bought[index] += 1) {
      // However many are bought while the schema comes, there is a key for each.
      await addKey(client)
      await purchase(client, account)
    }
  })
  // A buyer who fails ends the test at once.
  const failed = Promise.race(buyers)
  await Promise.race([failed, until(() => bought.every((count) => count >= BEFORE))])
  const { applied } = await migrate(url)
  const migrated = [...bought]
  await Promise.race([
    failed,
    until(() => bought.every((count, index) => count >= (migrated[index] ?? 0) + AFTER)),
  ])
  isOver = true
  await Promise.all(buyers)

  expect(applied).toEqual(
    readdirSync(MIGRATIONS)
      .filter((file) => file.endsWith('.sql') && file.slice(0, 4) > '0004')
      .sort(),
  )
  await using client = await connect(url)
  const total = bought.reduce((sum, count) => sum + count, 0)
  const { rows } = await client.query(
    `select (select count(*)::integer from invariant_violation) as violations, (select count(*)::integer from shop_order where status = 'completed') as completed,
       (select count(*)::integer from card_key where status = 'delivered') as delivered, (select count(*)::integer from cart_line) as left_in_carts`,
  )
  expect(rows[0]).toEqual({ violations: 0, completed: total, delivered: total, left_in_carts: 0 })
})

/** One card: into the cart, ordered, paid, delivered; and its label as the program reads it. */
async function purchase(client: pg.Client, account: string): Promise<void> {
  const now = new Date()
  const later = new Date(now.getTime() + 900_000)
  const line = randomUUID()
  const put = {
    id: line,
    public_id: publicId(),
    item,
    quantity: 1,
    fields: {},
    fields_hash: hash('{}').toString('hex'),
    price_minor: '1000',
    currency: 'USD',
    at: now,
  }
  expect(await ask(client, 'put', [account, JSON.stringify([put]), false, 50, 100])).toEqual([
    { outcome: 'put' },
  ])

  const order = randomUUID()
  const orderName = publicId()
  const number = String(BigInt(`0x${randomBytes(6).toString('hex')}`))
    .padStart(13, '0')
    .slice(0, 13)
  const orderLine = randomUUID()
  const asked = {
    id: order,
    public_id: orderName,
    number,
    account_id: account,
    request_key: randomUUID(),
    request_hash: hash(order).toString('hex'),
    currency: 'USD',
    goods_minor: '1000',
    tax_minor: '0',
    tax_basis_points: 0,
    pricing: {},
    language: 'en',
    country: null,
    evidence: {},
    terms_version: '2026-11',
    expires_at: later,
    created_at: now,
    has_cards: true,
    has_charging: false,
    event_id: randomUUID(),
    actor: 'test',
    request_id: randomUUID(),
    cart: [{ id: line, quantity: 1 }],
    lines: [
      {
        id: orderLine,
        position: 0,
        item,
        item_code: 'card:old:10',
        product: 'old-global',
        goods_type: 1,
        delivery: 'card_key',
        product_name: 'Old',
        item_name: '10 USD',
        quantity: 1,
        price_minor: '1000',
        base_minor: '1000',
        base_currency: 'USD',
        account_fields: {},
      },
    ],
    units: [
      {
        id: randomUUID(),
        public_id: publicId(),
        line_id: orderLine,
        unit_no: 1,
        item,
        delivery: 'card_key',
        price_minor: '1000',
      },
    ],
  }
  expect(await ask(client, 'order', [JSON.stringify(asked), 5])).toMatchObject([
    { placed: { outcome: 'placed', id: order } },
  ])

  const attempt = randomUUID()
  const begun = [
    account,
    orderName,
    attempt,
    publicId(),
    'sandbox',
    'card',
    '0',
    null,
    null,
    later,
    randomUUID(),
    now,
    'test',
    randomUUID(),
  ]
  expect(await ask(client, 'pay', begun)).toEqual([
    { order_id: order, number, language: 'en', currency: 'USD', amount_minor: '1000' },
  ])

  const told = {
    place: 0,
    provider: 'sandbox',
    attempt,
    reference: attempt,
    minor: '1000',
    currency: 'USD',
    event_id: null,
    moment: now,
    actor: 'test',
    request_id: randomUUID(),
  }
  expect(await ask(client, 'settle', [JSON.stringify([told])])).toEqual([{ place: 0 }])
  expect(await ask(client, 'label', [order])).toMatchObject([
    { status: 'completed', delivered: 1, queued: 0, is_settled: true },
  ])
}

/** Prepared by name, as the release does it, so that a plan made before the upgrade is used after it. */
async function ask(
  client: pg.Client,
  call: keyof typeof CALLS,
  values: readonly unknown[],
): Promise<unknown[]> {
  return (await client.query({ name: call, text: CALLS[call], values: [...values] })).rows
}

async function makeRelease(client: pg.Client): Promise<void> {
  await client.query(
    'create table migration (name text primary key, hash text not null, applied_at timestamptz not null default now())',
  )
  for (const file of readdirSync(MIGRATIONS)
    .filter((entry) => entry.endsWith('.sql') && entry.slice(0, 4) <= '0004')
    .sort()) {
    const text = readFileSync(join(MIGRATIONS, file), 'utf8')
    await client.query(text)
    await client.query('insert into migration (name, hash) values ($1, $2)', [
      file,
      hash(text).toString('hex'),
    ])
  }
}

async function stock(client: pg.Client): Promise<void> {
  const now = new Date()
  await client.query(
    `insert into currency (code, minor_units, position, numeric_code, name, symbol, is_checkout) values ('USD', 2, 0, '840', 'US Dollar', '$', true)`,
  )
  await client.query(`insert into region (code, name, position) values ('global', 'Global', 0)`)
  await client.query(
    `insert into brand (code, kind, type, name, delivery, source) values ('old', 'gift_card', 1, 'Old', 'card_key', 'test')`,
  )
  await client.query(
    `insert into product (code, brand, region, position, source) values ('old-global', 'old', 'global', 0, 'test')`,
  )
  await client.query(
    `insert into item (id, code, product, kind, name, price_minor, price_currency, position, source, updated_at) values ($1, 'card:old:10', 'old-global', 'value', '10 USD', 1000, 'USD', 0, 'test', $2)`,
    [item, now],
  )
  for (const code of ['provider:sandbox', 'held', 'orders', 'sales', 'fees'])
    await client.query(`insert into ledger_account (code, currency) values ($1, 'USD')`, [code])
  await client.query(
    `insert into key_encryption_key (id, check_value, created_at) values (1, $1, $2)`,
    [randomBytes(32), now],
  )
  await client.query(
    `insert into key_batch (id, item, file_name, imported, duplicates, refused, created_at, created_by) values ($1, $2, 'keys.txt', 1, 0, 0, $3, 'test')`,
    [batch, item, now],
  )
}

async function addKey(client: pg.Client): Promise<void> {
  await client.query(
    `insert into card_key (id, item, batch_id, nonce, ciphertext, wrapped_key, kek_id, fingerprint, last_four) values ($1, $2, $3, $4, $5, $6, 1, $7, 'ABCD')`,
    [randomUUID(), item, batch, randomBytes(12), randomBytes(28), randomBytes(60), randomBytes(32)],
  )
}

async function addAccount(client: pg.Client, index: number): Promise<string> {
  const id = randomUUID()
  await client.query(
    `insert into account (id, user_id, uid, user_name, nickname, email, email_verified_at, language, registered_at) values ($1, $2, $3, $4, 'Old', $5, now(), 'en', now())`,
    [id, publicId(), 100_000_000 + index, `oldbuyer${index}`, `old${index}@shop.example`],
  )
  return id
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function connect(address: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

const publicId = () => randomBytes(16).toString('base64url')
const hash = (text: string) => createHash('sha256').update(text).digest()
