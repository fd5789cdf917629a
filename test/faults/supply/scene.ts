import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { followNotice } from '#features/supply/purchase/commands.ts'
import { takenBackSetting } from '#features/supply/purchase/schema.ts'
import { registerSuppliers, setOffers } from '#features/supply/routing/commands.ts'
import { present } from '#kernel/assert.ts'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { addCurrencies, addItem, type TestItem } from '../../support/buying.ts'
import { createFakePayments } from '../../support/fake-payment.ts'
import { supplyHands } from '../../support/supply-hands.ts'
import { supplierOf } from './suppliers.ts'
import { removeDataFolder } from '../../support/data-folder.ts'

/** A database of its own, goods that suppliers deliver, and a clock that is set forward. */
export interface SupplyStage {
  readonly ctx: Ctx
  readonly databaseUrl: string
  readonly clock: { aheadMs: number }
  /** Orders of so many units of it, paid. */
  readonly pay: (units: number, accounts: Accounts) => Promise<void>
  /** A supplier says once or more often that something has happened. */
  readonly notice: (supplier: string, reference: string) => Promise<void>
}

/** What suppliers sell; without a field for the account it is a card. */
export interface SoldProduct {
  readonly id: string
  readonly field: string | null
  readonly cost: bigint
}

/** The account of each order. */
export type Accounts = (order: number) => { readonly account: string; readonly units: number }

const POOL = 6
const PAID_AT_ONCE = 4

/** Only processes are killed here, never the database, so that it need not wait for the disk. */
export async function withSupplyStage<T>(
  suppliers: readonly string[],
  product: SoldProduct,
  work: (stage: SupplyStage) => Promise<T>,
): Promise<T> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'lukado-supply-'))
  const log = createLogger({ level: 'error' })
  const server = await startEmbeddedPostgres({ dataDirectory, log, durable: false })
  const db = openDatabase({ url: server.url, poolSize: POOL, statementTimeoutMs: 600_000 })
  try {
    await migrate(server.url)
    const clock = { aheadMs: 0 }
    const ctx = createCtx({
      db,
      clock: { now: () => new Date(Date.now() + clock.aheadMs) },
      keys: createKeys(Buffer.alloc(32, 7)),
      log,
      actor: 'system',
    })
    await addCurrencies(ctx)
    await registerSuppliers(ctx, suppliers)
    const cost = { minor: product.cost, currency: 'USD' }
    const { field } = product
    const delivery = field === null ? ('card_key' as const) : ('direct_charge' as const)
    const kind = field === null ? ('key' as const) : ('topup' as const)
    const fields: Record<string, string> = field === null ? {} : { user_id: field }
    const base = { kind, product: product.id, face: null }
    await ctx.db
      .insertInto('setting')
      .values({ key: takenBackSetting.key, value: JSON.stringify({ refund: true }) })
      .execute()
    // Each supplier is the first of some of the goods.
    const items: TestItem[] = []
    for (const first of suppliers.keys()) {
      const item = await addItem(ctx, { delivery })
      items.push(item)
      await setOffers(
        ctx,
        suppliers.map((supplier, place) => ({
          ...base,
          item: item.id,
          supplier,
          priority: (place - first + suppliers.length) % suppliers.length,
          cost,
          fields,
        })),
      )
    }
    return await work({ ctx, databaseUrl: server.url, clock, ...hands(ctx, items, delivery) })
  } finally {
    await db.destroy()
    await server.stop()
    removeDataFolder(dataDirectory)
  }
}

function hands(
  ctx: Ctx,
  items: readonly TestItem[],
  delivery: 'card_key' | 'direct_charge',
): Pick<SupplyStage, 'pay' | 'notice'> {
  let item = present(items[0], 'there are goods')
  const { paid } = supplyHands(
    () => ctx,
    createFakePayments(),
    () => item,
  )
  return {
    async pay(units, accounts) {
      let [left, order] = [units, 0]
      const lane = async () => {
        while (left > 0) {
          const next = accounts((order += 1))
          const quantity = Math.min(left, next.units)
          left -= quantity
          item = items[order % items.length] ?? item
          const account = delivery === 'card_key' ? {} : { user_id: next.account }
          await paid(quantity, account, delivery)
        }
      }
      await Promise.all(Array.from({ length: PAID_AT_ONCE }, lane))
      await sql`analyze`.execute(ctx.db)
    },
    async notice(supplier, reference) {
      const provider = supplierOf(supplier, () => Promise.reject(new Error('nobody is asked')))
      await followNotice(ctx, provider, { reference, supplierId: null })
    },
  }
}
