import { randomUUID } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openVault } from '#features/buying/vault/engine/vault.ts'
import { answerForVault } from '#features/buying/vault/engine/vault-process.ts'
import { checkProgramKey } from '#features/people/factor/commands.ts'
import { recountStock } from '#features/goods/stock/commands.ts'
import { readConfig } from '#platform/config.ts'
import { freePort } from '#platform/free-port.ts'
import { createKeys } from '#platform/keys.ts'
import { serveLocally, socketOf } from '#platform/local-service.ts'
import { openVaultKeys } from '#platform/vault-keys.ts'
import { SANDBOX_CLIENT } from '#providers/identity/offered.ts'
import { startService } from '../sandbox/identity/service.ts'
import { openStripeSandbox } from '../sandbox/stripe/service.ts'
import { addCurrencies, addItem, stock } from '../../test/support/buying.ts'
import { useDatabase } from '../../test/support/database.ts'
import { examine } from './doctor.ts'
import { lookAtClock, lookAtOrders } from './doctor/background.ts'
import { linesOf } from './doctor/finding.ts'
import { lookAtPictures, lookAtSignIn, lookAtTextMessages } from './doctor/services.ts'

const database = useDatabase()
const folder = mkdtempSync(join(tmpdir(), 'lukado-doctor-'))
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => workerSeen(0))

const KEY = (fill: number) => Buffer.alloc(32, fill).toString('base64')
const configOf = (more: Record<string, string> = {}) =>
  readConfig({
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    DEMO: '0',
    SECRET_KEY: KEY(1),
    VAULT_KEYS: `1:${KEY(3)}`,
    BANK_TRANSFER_DETAILS: 'IBAN: none',
    ...more,
  })

/** Of every shop on a server of tests, which is fast, has one role and no texts. */
const OF_TESTS = /synchronous_commit = off|the shop lacks|owns the tables it writes/

/** What doctor says, but for what is well. */
async function complaints(more: Record<string, string> = {}): Promise<string[]> {
  const findings = await examine(configOf(more))
  return findings.flatMap(linesOf).filter((line) => !line.startsWith('ok') && !OF_TESTS.test(line))
}

async function workerSeen(skewMs: number, ageMs = 0): Promise<void> {
  const { db, now } = database.ctx
  await db.deleteFrom('running_process').execute()
  const seenAt = new Date(now().getTime() - ageMs)
  await db
    .insertInto('running_process')
    .values({
      id: randomUUID(),
      kind: 'worker',
      started_at: seenAt,
      seen_at: seenAt,
      clock_skew_ms: skewMs,
    })
    .execute()
}

const alive = () => Promise.resolve({ status: 204, headers: {}, body: Buffer.alloc(0) })

const NO_MAIL = 'wrong  mail: SMTP_URL is not set: nobody can get a code'
/** Puts another view in the place of the promises. */
async function promisesAre(select: string): Promise<void> {
  await sql`drop view invariant_violation`.execute(database.ctx.db)
  await sql.raw(`create view invariant_violation as ${select}`).execute(database.ctx.db)
}

test('a real shop without a mail server is told so, and all else of it is well', async () => {
  expect(await complaints()).toEqual([NO_MAIL])
})

test('a way to pay that is lacking, refuses or keeps silent is told', async () => {
  expect(await complaints({ BANK_TRANSFER_DETAILS: '' })).toEqual([
    NO_MAIL,
    expect.stringMatching(/^wrong {2}payments: no way to pay is set up/),
  ])
  const stripe = await openStripeSandbox({
    port: 0,
    secretKey: 'sk_test_doctor0001',
    webhookSecret: 'whsec_doctor0001',
    webhookUrl: 'http://127.0.0.1:1/',
  })
  const set = {
    STRIPE_SECRET_KEY: 'sk_test_doctor0001',
    STRIPE_WEBHOOK_SECRETS: 'whsec_doctor0001',
    STRIPE_API_URL: stripe.origin,
  }
  expect(await complaints(set)).toEqual([NO_MAIL])
  expect(await complaints({ ...set, STRIPE_SECRET_KEY: 'sk_test_doctor0002' })).toEqual([
    NO_MAIL,
    expect.stringMatching(/^wrong {2}payments: stripe does not list its payments: /),
  ])
  stripe.close()
  expect(
    await complaints({ ...set, STRIPE_API_URL: `http://127.0.0.1:${await freePort()}` }),
  ).toEqual([NO_MAIL, expect.stringMatching(/^wrong {2}payments: stripe does not list/)])
})

test('keys of card keys that are lacking, that are others, or whose process does not answer are told', async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  const vault = openVault(() => openVaultKeys(configOf()))
  await stock(ctx, await addItem(ctx), 'D', 1)
  await recountStock(ctx)
  expect(await complaints()).toEqual([NO_MAIL])
  expect(await complaints({ VAULT_KEYS: `2:${KEY(8)}` })).toEqual([
    NO_MAIL,
    expect.stringMatching(
      /^wrong {2}keys: key 1 of the card keys is missing, and codes are under it that nobody can read/,
    ),
  ])
  expect(await complaints({ VAULT_KEYS: `1:${KEY(8)}` })).toEqual([
    NO_MAIL,
    expect.stringMatching(/^wrong {2}keys: key 1 of the card keys is another one/),
  ])

  // As if `start` ran a web process here: then the process that keeps the keys must answer.
  mkdirSync(join(folder, 'run'), { recursive: true })
  writeFileSync(join(folder, 'run', 'web.pid'), `${process.pid}\n`)
  const pictures = await serveLocally(socketOf(folder, 'pictures'), alive)
  expect(await complaints()).toEqual([
    NO_MAIL,
    expect.stringMatching(/^wrong {2}keys: the process that keeps the keys .* does not answer/),
  ])
  const server = await serveLocally(socketOf(folder, 'vault'), (call) =>
    answerForVault(vault, call),
  )
  expect(await complaints()).toEqual([NO_MAIL])
  server.close()
  pictures.close()
  rmSync(join(folder, 'run', 'web.pid'))

  await sql`insert into vault_reader (id, name, key_ids, seen_at) values (${randomUUID()}, 'web process 7 on b', '{}', ${ctx.now()})`.execute(
    ctx.db,
  )
  expect(await complaints()).toEqual([
    NO_MAIL,
    expect.stringMatching(/^wrong {2}background: web process 7 on b cannot reach key 1/),
  ])
  await ctx.db.deleteFrom('vault_reader').execute()
})

test('a SECRET_KEY that is not the one of this shop is told before a sign-in fails for it', async () => {
  const { ctx } = database
  await checkProgramKey(ctx, createKeys(Buffer.alloc(32, 1)))
  expect(await complaints()).toEqual([NO_MAIL])
  expect(await complaints({ SECRET_KEY: KEY(2) })).toEqual([
    NO_MAIL,
    expect.stringMatching(/^wrong {2}secret key: SECRET_KEY, or secret\.key .* is another one/),
  ])
})

test('a process for pictures that is frozen or gone is told while a web process runs', async () => {
  const look = () => lookAtPictures(configOf())
  const silent = {
    problems: [expect.stringMatching(/^the process that draws them .* does not answer/)],
  }
  expect(await look()).toEqual({ note: expect.stringMatching(/^not looked at/) })
  mkdirSync(join(folder, 'run'), { recursive: true })
  writeFileSync(join(folder, 'run', 'web.pid'), `${process.pid}\n`)
  expect(await look()).toEqual(silent)

  const answering = await serveLocally(socketOf(folder, 'pictures'), alive)
  expect(await look()).toEqual({ note: expect.stringMatching(/answers$/) })
  answering.close()
  const frozen = await serveLocally(socketOf(folder, 'pictures'), () => new Promise(() => {}))
  expect(await look()).toEqual(silent)
  frozen.closeAllConnections()
  frozen.close()
  rmSync(join(folder, 'run', 'web.pid'))
})

test('a sign-in service that does not know the shop, or keeps silent, is told', async () => {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}/sandbox/identity`
  const service = await startService({
    port,
    publicUrl: `http://127.0.0.1:${port}`,
    folder: mkdtempSync(join(folder, 'identity-')),
    clientSecret: 'the-secret-of-doctor',
  })
  const set = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: SANDBOX_CLIENT,
    OIDC_CLIENT_SECRET: 'the-secret-of-doctor',
  }
  const said = async (more: Record<string, string>) => lookAtSignIn(configOf(more))
  expect(await said({})).toEqual({ note: expect.stringMatching(/no other service is set up$/) })
  expect(await said(set)).toEqual({ problems: [], note: 'oidc' })
  const refused = {
    problems: [expect.stringMatching(/^oidc takes no sign-ins of this shop: /)],
    note: 'oidc',
  }
  expect(await said({ ...set, OIDC_CLIENT_SECRET: 'another-secret-of-doctor' })).toEqual(refused)
  expect(await said({ ...set, OIDC_CLIENT_ID: 'somebody-else' })).toEqual(refused)
  service.closeAllConnections()
  service.close()
  expect(await said(set)).toEqual(refused)
})

test('a service for text messages that does not know the shop is told', async () => {
  expect(await lookAtTextMessages(configOf())).toEqual({
    note: expect.stringMatching(/^none are sent/),
  })
  expect(await lookAtTextMessages(configOf(), { check: async () => {} })).toEqual({
    problems: [],
    note: 'the service knows this shop',
  })
  const check = () => Promise.reject(new Error('answer 401, error 20003'))
  expect(await lookAtTextMessages(configOf(), { check })).toMatchObject({
    problems: ['the service sends none for this shop: answer 401, error 20003'],
  })
})

test('a worker that is gone, a clock that is off and a broken setting are told', async () => {
  const { db } = database.ctx
  await workerSeen(0, 120_000)
  expect(await complaints()).toContainEqual(
    expect.stringMatching(/^wrong {2}background: no worker is alive \(last seen 20/),
  )
  await workerSeen(-90_000)
  expect(await complaints()).toContain(
    "wrong  background: the clock of a worker process is 90 s behind the database's",
  )
  await db
    .insertInto('setting')
    .values({ key: 'invoice', value: '"much"' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: '"much"' }))
    .execute()
  expect(await complaints()).toContainEqual(
    expect.stringMatching(/^wrong {2}settings: the setting invoice cannot be read/),
  )
  await db.deleteFrom('setting').where('key', '=', 'invoice').execute()
})

test('a webhook that does not take what it is sent is told until it does', async () => {
  const { db, now, newId } = database.ctx
  const message = { id: newId(), body: '{}', created_at: now(), attempts: 1, next_at: now() }
  await db
    .insertInto('alert_message')
    .values({ ...message, failure: 'the receiver answered 500' })
    .execute()
  expect(await complaints()).toContain(
    'wrong  alerts: alerts.webhook does not take what it is sent: the receiver answered 500',
  )
  await db.updateTable('alert_message').set({ next_at: null, delivered_at: now() }).execute()
  expect(await complaints()).not.toContainEqual(expect.stringContaining('alerts'))
})

test('what waits for a person is told and is no fault', async () => {
  const { db } = database.ctx
  await sql`update stock_level set free = 0`.execute(db)
  const findings = await examine(configOf({ SMTP_URL: '' }))
  expect(findings.find(({ subject }) => subject === 'background')).toMatchObject({
    problems: [],
    work: ['1 item on sale has no key left, see: npm run cli -- keys import'],
  })
})

test('a folder for data that is a file, and a disk that cannot be looked at, are told', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(await complaints({ DATA_DIR: file })).toContainEqual(
    expect.stringMatching(/^wrong {2}data directory: .*file is not a folder$/),
  )
})

test('promises that hold, that are broken, and that cannot be looked at are told apart', async () => {
  const said = () => lookAtOrders(configOf())
  expect(await said()).toEqual({ note: 'every promise about orders, money and keys holds' })
  await promisesAre(`select 'paid_and_lost'::text as invariant, 'x'::text as subject`)
  expect(await said()).toEqual({
    problems: [expect.stringMatching(/^promises are broken: paid_and_lost \(1\)/)],
  })
  await promisesAre(`select (1 / (select 0))::text as invariant, 'x'::text as subject`)
  await expect(said()).rejects.toThrow('division by zero')

  // More orders than can be looked at now: what the worker's look of the night has found is told.
  await promisesAre(`select pg_sleep(60)::text as invariant, 'x'::text as subject`)
  expect(await lookAtOrders(configOf(), 200)).toEqual({
    problems: [expect.stringContaining('the worker has not looked at all of them yet')],
  })
  const { now, db } = database.ctx
  await sql`insert into promise_look (name, looked_at, ended_at) values ('everything', ${now()}, ${now()})`.execute(
    db,
  )
  expect(await lookAtOrders(configOf(), 200)).toEqual({
    note: expect.stringContaining('the worker has found nothing broken'),
  })
  await sql`insert into broken_promise (invariant, subject, found_at, seen_at) values ('x', 'y', ${now()}, ${now()})`.execute(
    db,
  )
  expect(await lookAtOrders(configOf(), 200)).toEqual({
    problems: [expect.stringMatching(/^1 promise.* found broken/)],
  })
  await sql`drop view invariant_violation`.execute(db)
  expect(await said()).toEqual({ note: expect.stringMatching(/^not looked at/) })
})

test('a database that takes connections and answers none keeps nobody waiting', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  expect(
    await lookAtClock(configOf({ DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/shop` })),
  ).toEqual({ note: 'not compared, as the database does not run' })
  silent.close()
})
