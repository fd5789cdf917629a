import { cancelUnpaid, type PaymentServices } from '#features/buying/payment/flows.ts'
import type { Vault } from '#features/buying/vault/engine/vault.ts'
import { forgetBulk } from '#features/office/bulk/commands.ts'
import { doBulk, type BulkDeeds } from '#features/office/bulk/jobs.ts'
import { BULK_SWEEP } from '#features/office/bulk/rules.ts'
import { requeueAtDesk } from '#features/office/desk/commands.ts'
import { cancelAtDesk } from '#features/office/desk/flows.ts'
import { holdGoodsPrices } from '#features/office/pricing/commands.ts'
import { readCatalogueFiles } from '#features/goods/transfer/flows.ts'
import { forgetGoodsFiles } from '#features/goods/files/commands.ts'
import { workGoodsFiles } from '#features/goods/files/jobs.ts'
import { GOODS_FILE_SWEEP } from '#features/goods/files/rules.ts'
import { forgetKeyExports } from '#features/office/key-export/commands.ts'
import { makeKeyExports } from '#features/office/key-export/jobs.ts'
import { KEY_EXPORT_SWEEP } from '#features/office/key-export/rules.ts'
import { forgetLookers } from '#features/office/live/commands.ts'
import { FORGET_LOOKERS_SECONDS } from '#features/office/live/rules.ts'
import { takeStarterGoods } from '#features/office/starter/jobs.ts'
import { STARTER_SWEEP } from '#features/office/starter/rules.ts'
import { doDueResets } from '#features/office/staff/commands.ts'
import { RESETS_EVERY_SECONDS } from '#features/office/staff/rules.ts'
import { carryOutDecided } from '#features/office/approval/flows.ts'
import { returnAsDecided } from '#features/buying/unmatched-payment/flows.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Sweep } from '#platform/sweep-runner.ts'

type Told = (work: (signal: AbortSignal) => Promise<unknown>) => Sweep['run']

/** What the team asked for at its desk, and what it left there. */
export function sweepsOfDesk(
  ctx: Ctx,
  { vault }: { readonly vault: Vault | null },
  payments: PaymentServices,
  told: Told,
): Sweep[] {
  const deeds: BulkDeeds = {
    requeue: async (by, asked) => {
      await requeueAtDesk(by, asked)
      return null
    },
    cancel: async (by, asked) => {
      const { waits } = await cancelAtDesk(by, asked, (account, order) =>
        cancelUnpaid(by, payments, account, order, 'left'),
      )
      return waits
    },
  }
  const files: Sweep[] = vault
    ? [
        {
          name: KEY_EXPORT_SWEEP,
          due: { everySeconds: 2 },
          run: (signal) => makeKeyExports(ctx, vault, signal),
        },
      ]
    : []
  return [
    ...sweepsOfTeam(ctx, payments, told),
    {
      name: BULK_SWEEP,
      due: { everySeconds: 10 },
      run: told((signal) => doBulk(ctx, deeds, signal)),
    },
    ...files,
    {
      name: GOODS_FILE_SWEEP,
      due: { everySeconds: 10 },
      run: told((signal) =>
        workGoodsFiles(ctx, { hold: holdGoodsPrices, readCatalogue: readCatalogueFiles }, signal),
      ),
    },
    { name: 'forget_goods_files', due: { everySeconds: 600 }, run: () => forgetGoodsFiles(ctx) },
    {
      name: STARTER_SWEEP,
      due: { everySeconds: 60 },
      run: told((signal) => takeStarterGoods(ctx, signal)),
    },
    { name: 'forget_key_exports', due: { everySeconds: 60 }, run: () => forgetKeyExports(ctx) },
    { name: 'forget_bulk', due: { everySeconds: 3_600 }, run: () => forgetBulk(ctx) },
    {
      name: 'forget_lookers',
      due: { everySeconds: FORGET_LOOKERS_SECONDS },
      run: () => forgetLookers(ctx),
    },
  ]
}

function sweepsOfTeam(ctx: Ctx, payments: PaymentServices, told: Told): Sweep[] {
  const due = { everySeconds: RESETS_EVERY_SECONDS }
  return [
    { name: 'factor_resets', due, run: () => doDueResets(ctx) },
    {
      name: 'decided_acts',
      due: { everySeconds: 60 },
      run: told((signal) =>
        carryOutDecided(
          ctx,
          (own, unmatched) => returnAsDecided(own, [...payments.providers.values()], unmatched),
          signal,
        ),
      ),
    },
  ]
}
