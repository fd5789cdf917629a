/** A worker that buys at one supplier as the shop's own does, and asks about what is due. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startSupplying } from '#features/supply/purchase/jobs.ts'
import { openClock } from '#platform/clock.ts'
import { createCtx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { secret } from '#platform/secret.ts'
import { createHookSupplier } from '#providers/supply/hook/hook.ts'
import { openSupplyClient } from '#providers/supply/wire/client.ts'

/** As many as the shop's worker has for it. */
const CONNECTIONS = 12
const ASKED_EVERY_MS = 5_000
const TIMEOUT_MS = 30_000

const [databaseUrl = '', origin = '', key = '', concurrent = '16', perSecond = '10000'] =
  process.argv.slice(2)
const log = createLogger({ level: 'warn' })
const db = openDatabase({ url: databaseUrl, poolSize: CONNECTIONS, statementTimeoutMs: 60_000 })
const clock = await openClock(db, log)
const ctx = createCtx({
  db,
  clock,
  keys: createKeys(Buffer.alloc(32, 7)),
  log,
  actor: 'system',
})
const provider = createHookSupplier({
  url: `${origin}/supply`,
  secret: secret(key),
  client: openSupplyClient({ timeoutMs: TIMEOUT_MS }),
  now: () => new Date(),
})
const limits = { concurrent: Number(concurrent), perSecond: Number(perSecond) }
const supplier = { ...provider, capabilities: { ...provider.capabilities, limits } }
const supplying = startSupplying(ctx, new Map([[provider.code, supplier]]), () => {})
const stopping = new AbortController()
const asking = (async () => {
  while (!stopping.signal.aborted) {
    await supplying.ask(provider.code, stopping.signal)
    await sleep(ASKED_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
  }
})()

process.on('message', (message) => {
  if (message === 'soon') supplying.soon()
})
process.once('disconnect', () => {
  stopping.abort()
  void Promise.all([supplying.stop(), asking])
    .then(() => (clock.stop(), db.destroy()))
    .then(() => process.exit(0))
})
process.send?.('ready')
