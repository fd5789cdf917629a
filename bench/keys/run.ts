/**
 * A file of card keys into a shop's stock: sent, looked through and taken, with what that takes in time and memory, and the lists that
 * operators open afterwards: `node bench/keys/run.ts [--count 1000000]`. The vault is a process of its own, as in a running shop.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { takeImport } from '#features/buying/key-import/commands.ts'
import { receiveImport } from '#features/buying/key-import/flows.ts'
import { createImportWorker } from '#features/buying/key-import/jobs.ts'
import { getImport } from '#features/buying/key-import/queries.ts'
import { writeShelves } from '#features/buying/shelf/commands.ts'
import { listShelfBatches, listShelves, sumShelves } from '#features/buying/shelf/queries.ts'
import { createVaultClient } from '#features/buying/vault/engine/vault-process.ts'
import { findByCode } from '#features/buying/vault/flows.ts'
import { listKeys } from '#features/buying/vault/queries.ts'
import { countStock } from '#features/goods/stock/commands.ts'
import { actingAs } from '#features/team/operator/commands.ts'
import { createCtx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { socketOf } from '#platform/local-service.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { addCurrencies, addItem } from '../../test/support/buying.ts'
import { machine, otherWork } from '../report.ts'
import { removeDataFolder } from '../../test/support/data-folder.ts'

const { values } = parseArgs({ options: { count: { type: 'string', default: '1000000' } } })
const count = Number(values.count)
const LINES_A_PIECE = 2_000
const MEMORY_EVERY_MS = 100
const LOOKS = 50
const folder = mkdtempSync(join(tmpdir(), 'lukado-keys-'))
const log = createLogger({ level: 'warn' })
const say = (text: string) => process.stdout.write(`${text}\n`)
const mebibytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MiB`

say(`${machine()}, ${otherWork()}`)
const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'data'), log })
const vaultProcess = spawn(process.execPath, [join(PROJECT_ROOT, 'src', 'vault.ts')], {
  env: { ...process.env, DATA_DIR: folder },
  stdio: 'inherit',
})
await migrate(postgres.url)
const db = openDatabase({ url: postgres.url, poolSize: 8, statementTimeoutMs: 60_000 })
try {
  await measure()
} finally {
  await db.destroy()
  vaultProcess.kill()
  await postgres.stop()
  removeDataFolder(folder)
}

async function measure(): Promise<void> {
  const ctx = createCtx({ db, keys: createKeys(Buffer.alloc(32, 5)), log, actor: 'bench' })
  const operator = { id: ctx.newId(), name: 'bench', role: 'owner' } as const
  const owner = actingAs(ctx, operator)
  const vault = createVaultClient(socketOf(folder, 'vault'), log)
  await addCurrencies(ctx)
  const item = await addItem(ctx)
  const worker = createImportWorker(ctx, vault)
  const run = () => worker.run(new AbortController().signal)

  const id = await timed('sent and sealed', () =>
    receiveImport(owner, vault, {
      itemCode: item.code,
      fileName: 'bench.csv',
      supplier: null,
      cost: { minor: 1n, currency: 'USD' },
      expiresOn: null,
      declaredBytes: null,
      bytes: lines(),
    }),
  )
  await timed('looked through', run)
  const { fresh } = await getImport(db, id)
  // Nobody else is asked.
  await db
    .insertInto('setting')
    .values({ key: 'import_second_person_minor', value: JSON.stringify('999999999999') })
    .execute()
  await takeImport(owner, { id, fresh })
  await timed('taken into stock', run)
  const { status, taken } = await getImport(db, id)
  say(`${status}: ${taken} of ${count}`)
  await timed('counted', async () => {
    await countStock(ctx)
    await writeShelves(ctx)
  })
  const [batch] = await listShelfBatches(db, item.code, null, 1)
  const after = null
  const list = { batch: batch?.id ?? '', status: 'free', after, limit: 51 } as const
  await looked('shelves', () =>
    listShelves(db, ctx.now(), {
      view: 'all',
      search: undefined,
      after,
      limit: 51,
      language: 'en',
    }),
  )
  await looked('all shelves together', () => sumShelves(db))
  await looked('batches of an item', () => listShelfBatches(db, item.code, null, 51))
  await looked('keys of a batch', () => listKeys(db, list))
  await looked('a code is found', () => findByCode(owner, codeOf(count >> 1)))
}

function codeOf(index: number): string {
  return `B${String(index).padStart(11, '0')}`
}

async function* lines(): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < count; from += LINES_A_PIECE) {
    const length = Math.min(LINES_A_PIECE, count - from)
    yield Buffer.from(
      Array.from({ length }, (_, index) => `${codeOf(from + index)},2099-12-31\n`).join(''),
    )
  }
}

/** Says how long it took, and how much more memory this process held meanwhile. */
async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const before = process.memoryUsage().rss
  let most = before
  const stopping = new AbortController()
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      most = Math.max(most, process.memoryUsage().rss)
      await sleep(MEMORY_EVERY_MS)
    }
  })()
  const began = performance.now()
  const made = await work()
  const seconds = (performance.now() - began) / 1_000
  stopping.abort()
  await watching
  say(`${what}: ${seconds.toFixed(1)} s, ${mebibytes(most - before)} more at most`)
  return made
}

/** Says how long a list takes, in the middle and at worst of many looks. */
async function looked(what: string, look: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let index = 0; index < LOOKS; index += 1) {
    const began = performance.now()
    await look()
    times.push(performance.now() - began)
  }
  times.sort((one, other) => one - other)
  const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1)
  say(`${what}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`)
}
