/** A worker that does nothing but buy at suppliers, whose clock is said to it, and that may be killed at any moment. */
import { refundFailed } from '#features/buying/fulfilment/commands.ts'
import { expireInputs, refundTakenBack, takeQueued } from '#features/supply/purchase/commands.ts'
import { askSupplier, buyUnit } from '#features/supply/purchase/flows.ts'
import { createCtx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import type { SupplyProvider } from '#providers/supply/provider.ts'
import { openSupplyClient, type SupplyClient } from '#providers/supply/wire/client.ts'
import { readJson } from '#providers/supply/wire/json.ts'
import { testVault } from '../../support/buying.ts'
import type { FromWorker, Heard, ToWorker, WorkerSettings } from './messages.ts'
import { supplierOf } from './suppliers.ts'

const LANES = 8
/** Longer than any answer of a simulated supplier, shorter than the slowest of the sandbox. */
const SOCKET_MS = 1_500
/** One unit in so many is told of, for another worker to reach for it as well. */
const RACED = 10

/** What a shop says of suppliers that lie. */
const MEANT = new Set([
  'a supplier rests, as purchases fail there',
  'a supplier refuses the shop: its balance or account there needs an operator',
  'a purchase needs a person: nobody could find out about it',
])

const settings = JSON.parse(process.argv[2] ?? '') as WorkerSettings
const waiting = new Map<number, (heard: Heard) => void>()
const tell = (message: FromWorker) => void process.send?.(message)
let calls = 0
let taken = 0
let aheadMs = 0

const db = openDatabase({
  url: settings.databaseUrl,
  poolSize: LANES,
  statementTimeoutMs: 60_000,
})
const ctx = createCtx({
  db,
  clock: { now: () => new Date(Date.now() + aheadMs) },
  keys: createKeys(Buffer.alloc(32, 7)),
  log: createLogger({
    level: 'warn',
    write: (line) => {
      const { message } = JSON.parse(line) as { readonly message: string }
      if (!MEANT.has(message)) tell({ kind: 'fault', text: line.trim() })
    },
  }),
  actor: 'system',
})
const atOnce = () => Promise.resolve()
const vault = settings.isOfCards ? testVault : null
const providers = new Map(
  settings.suppliers.map((code) => [
    code,
    settings.socket
      ? supplierOf(code, overSocket(code), {
          origin: settings.socket.origin,
          key: settings.socket.secret,
        })
      : supplierOf(code, simulated(code)),
  ]),
)

/** Whoever runs this process answers, and may end it before or after. */
function simulated(supplier: string): SupplyClient {
  return async ({ body }) => {
    const id = (calls += 1)
    const heard = await new Promise<Heard>((resolve) => {
      waiting.set(id, resolve)
      tell({ kind: 'call', id, supplier, body: String(body) })
    })
    if (heard.kind === 'broken') return heard
    return {
      kind: 'answer',
      status: 200,
      headers: {},
      text: heard.text,
      json: readJson(heard.text),
    }
  }
}

function overSocket(supplier: string): SupplyClient {
  const client = openSupplyClient({ timeoutMs: SOCKET_MS })
  return async (call) => {
    tell({ kind: 'call', id: (calls += 1), supplier, body: String(call.body) })
    const exchange = await client(call)
    tell({ kind: 'called' })
    return exchange
  }
}

async function turn(): Promise<void> {
  await Promise.all([...providers.values()].map(buyAll))
  await Promise.all(
    [...providers.values()].map((provider) => askSupplier(ctx, provider, atOnce, undefined, vault)),
  )
  await refundFailed(ctx)
  await expireInputs(ctx)
  await refundTakenBack(ctx)
}

async function buyAll(provider: SupplyProvider): Promise<void> {
  for (;;) {
    const units = await takeQueued(ctx, provider.code, LANES * 8)
    if (units.length === 0) return
    const left = units.values()
    const lane = async () => {
      for (const unit of left) {
        taken += 1
        if (taken % RACED === 0) tell({ kind: 'took', supplier: provider.code, unit })
        await buyUnit(ctx, provider, unit, atOnce, vault)
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }
}

async function race({ supplier, unit }: Extract<ToWorker, { kind: 'race' }>): Promise<void> {
  const provider = providers.get(supplier)
  if (provider) await buyUnit(ctx, provider, unit, atOnce, vault)
}

process.on('message', (message: ToWorker) => {
  if (message.kind === 'heard') {
    waiting.get(message.id)?.(message.heard)
    waiting.delete(message.id)
    return
  }
  if (message.kind === 'turn') ({ aheadMs } = message)
  void (message.kind === 'turn' ? turn() : race(message))
    .catch((error: unknown) =>
      tell({
        kind: 'fault',
        text: `a worker failed: ${error instanceof Error ? error.stack : String(error)}`,
      }),
    )
    .then(() => tell({ kind: 'over' }))
})
process.once('disconnect', () => process.exit(0))
tell({ kind: 'ready' })
