import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../test/support/buying.ts'
import { createFakePayments } from '../../test/support/fake-payment.ts'
import { releaseQuarantined } from '#features/buying/vault/commands.ts'
import { readConfig } from '#platform/config.ts'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { backupProblems, newestCopyIn, readArchiver } from './backup-check.ts'
import { makeBackup } from './backup.ts'
import { restoreShop } from './restore.ts'
import { asOperator } from '../../test/support/operators.ts'
import { payFor } from '../../test/support/paying.ts'
import { removeDataFolder } from '../../test/support/data-folder.ts'

const log = createLogger({ level: 'error' })
const fake = createFakePayments()
/** More than is sold while a backup is made, however long that takes. */
const STOCK = 2_000
let root = ''
let config: ReturnType<typeof readConfig>
let server: EmbeddedPostgres
let ctx: Ctx
let item: TestItem

const contextOf = (url: string) =>
  createCtx({
    db: openDatabase({ url, poolSize: 6, statementTimeoutMs: 30_000 }),
    keys: createKeys(Buffer.alloc(32, 7)),
    log,
    actor: 'test',
  })
const configIn = (name: string) =>
  readConfig({ DATA_DIR: join(root, name), BACKUP_DIR: join(root, 'backup'), DEMO: '0' })

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lukado-restore-'))
  // Open to the user that runs the server for root.
  chmodSync(root, 0o711)
  config = configIn('data')
  server = await startEmbeddedPostgres({
    dataDirectory: config.dataDirectory,
    log,
    archiveTo: config.backupDirectory,
  })
  await migrate(server.url)
  ctx = contextOf(server.url)
  await addCurrencies(ctx)
  item = await addItem(ctx)
  await stock(ctx, item, 'A', STOCK)
})

afterAll(async () => {
  await ctx.db.destroy()
  await server.stop()
  removeDataFolder(root)
})

async function sell(): Promise<void> {
  const order = await buy(ctx, [{ item }])
  await payFor(ctx, fake, order, 1_000n)
}

async function facts(of: Ctx) {
  const { rows } = await sql<{ orders: number; delivered: number; hash: string }>`
    select (select count(*)::integer from shop_order) as orders, (select count(*)::integer from card_key where status = 'delivered') as delivered,
      (select md5(string_agg(id::text || coalesce(unit_id::text, '') || encode(ciphertext, 'hex'), ',' order by id)) from card_key) as hash`.execute(
    of.db,
  )
  return rows[0]
}

async function archived(): Promise<void> {
  const { rows } = await sql<{
    segment: string
  }>`select pg_walfile_name(pg_switch_wal()) as segment`.execute(ctx.db)
  const file = join(root, 'backup', 'wal', `${rows[0]?.segment}.gz`)
  for (let tries = 0; tries < 6_000 && !existsSync(file); tries += 1) await sleep(50)
  expect(existsSync(file)).toBe(true)
}

test('a shop that was backed up while it sold is brought back to the instant before its rows were deleted', async () => {
  for (let count = 0; count < 5; count += 1) await sell()
  let isSelling = true
  const selling = (async () => {
    while (isSelling) await sell()
  })()
  const { folder, manifest } = await makeBackup(config, log, {
    to: null,
    keep: null,
    now: ctx.now(),
  })
  isSelling = false
  await selling
  expect(manifest.files.some(({ path }) => /vault|secret|password/.test(path))).toBe(false)
  for (let count = 0; count < 5; count += 1) await sell()
  const before = await facts(ctx)
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(ctx.db)
  await sleep(50)
  await sell()
  await ctx.db.deleteFrom('card_key').where('status', '=', 'free').execute()
  await archived()

  const other = configIn('restored')
  const restored = await restoreShop(other, log, {
    backup: folder,
    at: rows[0]?.at ?? new Date(0),
    isQuarantining: true,
  })
  expect(restored.violations).toEqual([])
  // The next restore takes another time line.
  expect(existsSync(join(root, 'backup', 'wal', '00000002.history.gz'))).toBe(true)
  expect(restored.quarantined).toEqual([
    { itemCode: item.code, count: STOCK - (before?.delivered ?? 0) },
  ])
  const again = await startEmbeddedPostgres({ dataDirectory: other.dataDirectory, log })
  const there = contextOf(again.url)
  try {
    expect(await facts(there)).toEqual(before)
    expect(await violations(there)).toEqual([])
    expect(await releaseQuarantined(asOperator(there), item.code)).toBe(
      restored.quarantined[0]?.count,
    )
    await expect(releaseQuarantined(asOperator(there), 'card:none:1')).rejects.toMatchObject({
      code: 'not_found',
    })
  } finally {
    await there.db.destroy()
    await again.stop()
  }
  await expect(
    restoreShop(other, log, { backup: folder, at: null, isQuarantining: true }),
  ).rejects.toThrow(/holds a database already/)
  await expect(
    restoreShop(config, log, { backup: folder, at: null, isQuarantining: true }),
  ).rejects.toThrow(/holds a database already/)
})

test('only the newest backups are kept, with the log they need; one that is not as it was written is refused, and nothing is left behind', async () => {
  const { folder, pruned, manifest } = await makeBackup(config, log, {
    to: null,
    keep: 1,
    now: new Date(Date.UTC(2030, 0, 1)),
  })
  expect(pruned).toHaveLength(1)
  expect(readdirSync(join(root, 'backup', 'base'))).toEqual(['20300101T000000Z'])
  expect(
    readdirSync(join(root, 'backup', 'wal')).filter(
      (name) => /^[0-9A-F]{24}\.gz$/.test(name) && name.slice(0, 24) < manifest.startSegment,
    ),
  ).toEqual([])

  const torn = configIn('torn')
  const first = join(folder, 'data', manifest.files[0]?.path ?? '')
  const faults: readonly [string, ((content: Buffer) => Buffer) | null, RegExp][] = [
    [first, (content) => Buffer.concat([content, Buffer.from(' ')]), /is not as it was written/],
    [first, null, /is missing/],
    [
      join(folder, 'manifest.json'),
      (content) => Buffer.concat([content, Buffer.from(' ')]),
      /cannot be trusted/,
    ],
    [join(folder, 'manifest.json'), null, /is no backup/],
  ]
  for (const [file, change, sentence] of faults) {
    const content = readFileSync(file)
    rmSync(file)
    if (change) writeFileSync(file, change(content))
    await expect(
      restoreShop(torn, log, { backup: folder, at: null, isQuarantining: true }),
    ).rejects.toThrow(sentence)
    expect(readdirSync(torn.dataDirectory).filter((name) => name.startsWith('postgres'))).toEqual(
      [],
    )
    writeFileSync(file, content)
  }
})

test('doctor tells of an archive that fails, and that it goes on again', async () => {
  const words = async () =>
    backupProblems(
      {
        directory: join(root, 'backup'),
        isOwnServer: false,
        archiver: await readArchiver(ctx.db),
        newestCopy: newestCopyIn(join(root, 'backup')),
      },
      ctx.now(),
    )
  await addItem(ctx)
  await archived()
  expect(await words()).toEqual([])
  const [wal, away] = [join(root, 'backup', 'wal'), join(root, 'backup', 'gone')]
  renameSync(wal, away)
  await addItem(ctx)
  await sql`select pg_switch_wal()`.execute(ctx.db)
  await vi.waitFor(
    async () =>
      expect(await words()).toEqual([expect.stringMatching(/^archiving the database's log fails/)]),
    { timeout: 60_000, interval: 200 },
  )
  expect((await readArchiver(ctx.db)).waiting?.count).toBeGreaterThan(0)
  renameSync(away, wal)
  await addItem(ctx)
  await sql`select pg_switch_wal()`.execute(ctx.db)
  await vi.waitFor(async () => expect(await words()).toEqual([]), {
    timeout: 600_000,
    interval: 500,
  })
})

test("with a server of one's own the command points to its tools", async () => {
  const own = readConfig({
    DATABASE_URL: 'postgres://user:secret@db.example/shop',
    DATA_DIR: join(root, 'own'),
  })
  await expect(
    makeBackup(own, log, { to: join(root, 'x'), keep: null, now: ctx.now() }),
  ).rejects.toThrow(/tools of that server/)
  await expect(
    restoreShop(own, log, { backup: 'x', at: null, isQuarantining: true }),
  ).rejects.toThrow(/tools of that server/)
})
