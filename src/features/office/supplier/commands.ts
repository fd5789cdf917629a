import { takeShare } from '#features/base/limit/commands.ts'
import { settingOf } from '#features/base/setting/queries.ts'
import { changeRowIn } from '#features/office/setting/commands.ts'
import { coverSetting } from '#features/supply/balance/schema.ts'
import { readRouting } from '#features/supply/routing/queries.ts'
import type { Routing } from '#features/supply/routing/rules.ts'
import { routingSetting } from '#features/supply/routing/schema.ts'
import { wishSync } from '#features/supply/sync/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import { wantSweep } from '#platform/sweep-runner.ts'
import { ruleVersion } from './rules.ts'

/** Has the worker synchronise a supplier's catalogue now. Throws as `wishSync` does. */
export async function askSync(
  ctx: OperatorCtx,
  supplier: string,
  options: { readonly isDry: boolean; readonly appliesJumps: boolean },
): Promise<void> {
  await wishSync(ctx, supplier, options)
  await wantSweep(ctx, `sync:${supplier}`)
}

/** So often may one operator have one supplier asked for one thing: suppliers count calls, and some charge for them. */
const ASKED = { per: 3_600, burst: 6 } as const

async function takeAsking(ctx: OperatorCtx, what: string, supplier: string): Promise<void> {
  const key = `${ctx.operator.id} ${what} ${supplier}`
  const share = await takeShare(ctx, { name: 'supplier asked', key, ...ASKED })
  if (!share.ok) throw new AppError('too_many_requests', { seconds: share.seconds })
}

/** Has the worker compare a supplier's report with the books now. Throws 'too_many_requests' after six in an hour. */
export async function askComparison(ctx: OperatorCtx, supplier: string): Promise<void> {
  requirePermission(ctx, 'supplier.read')
  await takeAsking(ctx, 'comparison', supplier)
  if (!(await wantSweep(ctx, `compare:${supplier}`))) throw new AppError('not_found')
}

/** Has the worker ask a supplier for its balance now. Throws 'too_many_requests' after six in an hour. */
export async function askBalance(ctx: OperatorCtx, supplier: string): Promise<void> {
  requirePermission(ctx, 'supplier.read')
  await takeAsking(ctx, 'balance', supplier)
  if (!(await wantSweep(ctx, `balance:${supplier}`))) throw new AppError('not_found')
}

/**
 * Says by what suppliers are put in order, and how far a unit is bought at a loss, where an item says nothing. Throws 'changed_meanwhile'
 * where another rule holds by now than was shown. @returns what held before, by which it is taken back
 */
export async function setShopRoute(
  ctx: OperatorCtx,
  version: string,
  { rule, lossBasisPoints, lossUsdMinor }: Routing,
): Promise<Routing> {
  requirePermission(ctx, 'shop.manage')
  return transaction(ctx, async (tx, now) => {
    const held = await readRouting(tx)
    if (ruleVersion(held) !== version) throw new AppError('changed_meanwhile')
    await changeRowIn(tx, ctx, now, routingSetting, (row) => {
      // Two who change it at once: the second sees what the first has made of it.
      if (ruleVersion(settingOf(routingSetting, row)) !== version)
        throw new AppError('changed_meanwhile')
      return {
        rule: [...rule],
        loss_basis_points: lossBasisPoints,
        ...(lossUsdMinor === null ? {} : { loss_usd_minor: Number(lossUsdMinor) }),
      }
    })
    return held
  })
}

/** Hours that a balance has to last for; below them somebody is told. */
export async function setAlertHours(ctx: OperatorCtx, hours: number): Promise<void> {
  requirePermission(ctx, 'shop.manage')
  await transaction(ctx, (tx, now) =>
    changeRowIn(tx, ctx, now, coverSetting, () => ({ alert_hours: hours })),
  )
}
