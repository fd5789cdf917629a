import { readSuppliers } from '#features/office/supplier-service/queries.ts'
import { configFromEnvironment } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import { offeredSuppliers, supplyEnvironment } from '#providers/supply/offered.ts'
import type { SupplyProvider, Suppliers } from '#providers/supply/provider.ts'
import { withRunningSandboxes } from './start/running-sandboxes.ts'

/** The suppliers that the shop is set up with; of a demo those of its own, as long as it runs. */
export async function suppliersHere(ctx: Pick<Ctx, 'db' | 'keys' | 'now'>): Promise<Suppliers> {
  const config = withRunningSandboxes(configFromEnvironment())
  const { entered } = await readSuppliers(ctx.db, ctx.keys, supplyEnvironment(config))
  return offeredSuppliers(config, ctx.now, entered)
}

/** One of them. Throws a refusal that says which there are. */
export async function supplierHere(
  ctx: Pick<Ctx, 'db' | 'keys' | 'now'>,
  code: string,
): Promise<SupplyProvider> {
  const suppliers = await suppliersHere(ctx)
  const supplier = suppliers.get(code)
  if (supplier) return supplier
  if (suppliers.size === 0 && configFromEnvironment().demo)
    throw refusal(
      "A demo's suppliers run with it, and this one does not run: start it with npm start, from the same DATA_DIR.",
    )
  throw refusal(
    `There is no supplier ${code}, or its settings are missing. Set up: ${[...suppliers.keys()].join(', ') || 'none'}.`,
  )
}
