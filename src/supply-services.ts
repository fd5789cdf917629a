import { readSuppliers } from '#features/office/supplier-service/queries.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import type { Config } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { offeredSuppliers, supplyEnvironment } from '#providers/supply/offered.ts'
import type { SupplyProvider, Suppliers } from '#providers/supply/provider.ts'
import { follow } from './following.ts'

/** Suppliers as they are now: whoever looks one up finds it with the settings that hold. */
export interface FollowedSuppliers {
  readonly suppliers: Suppliers
  /** Calls `then` whenever suppliers have come, gone or changed. */
  readonly onChange: (then: () => void) => void
  readonly close: () => Promise<void>
}

/** Whom the shop buys from, kept true: what is entered or taken away in the console is taken up at once, by every process. */
export async function followSuppliers(
  config: Config,
  ctx: Ctx,
  databaseUrl: string,
): Promise<FollowedSuppliers> {
  const suppliers = new Map<string, SupplyProvider>()
  const heard: (() => void)[] = []
  const environment = supplyEnvironment(config)
  let held: string | null = null

  async function take(): Promise<void> {
    const { entered, unreadable, version } = await readSuppliers(ctx.db, ctx.keys, environment)
    if (version === held) return
    for (const supplier of unreadable)
      ctx.log.warn('settings of a supplier cannot be read: enter them anew', { supplier })
    const next = await offeredSuppliers(config, ctx.now, entered)
    await registerSuppliers(ctx, [...next.keys()])
    suppliers.clear()
    for (const [code, provider] of next) suppliers.set(code, provider)
    held = version
    for (const then of heard) then()
  }

  const following = await follow(ctx, {
    databaseUrl,
    tables: ['supplier_service'],
    take,
    complaint: 'settings of suppliers not read, the last ones stay',
  })
  return { suppliers, onChange: (then) => void heard.push(then), close: following.close }
}
