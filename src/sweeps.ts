import { sweepsOfBooks } from './book-sweeps.ts'
import { createSealer, tellPageReads } from '#features/base/audit/commands.ts'
import { countVisits, forgetMisses } from '#features/base/analytics/commands.ts'
import { eraseDue } from '#features/leaving/closure/jobs.ts'
import { tellHead } from '#features/office/audit-head/flows.ts'
import { cleanAlerts, tellOfLooks } from '#features/office/alert/commands.ts'
import { forgetExports } from '#features/office/export/commands.ts'
import { forgetBuyers } from '#features/buying/sales-invoice/commands.ts'
import { recordChecks } from '#features/office/system/commands.ts'
import {
  CHECK_SWEEP,
  CHECKED_EVERY_SECONDS,
  type SystemCheck,
} from '#features/office/system/rules.ts'
import { forgetOldEvidence, forgetWhatCameToNothing } from '#features/leaving/retention/commands.ts'
import { watchFavourites } from '#features/people/favourite/jobs.ts'
import { measureDeliveryTimes, tendDeliveries } from '#features/buying/fulfilment/jobs.ts'
import { cleanUpMail, resumeMail } from '#features/people/mail/commands.ts'
import { cleanNotices } from '#features/people/notice/jobs.ts'
import { forgetReadings } from '#features/supply/balance/commands.ts'
import { askBalances } from '#features/supply/balance/flows.ts'
import { BALANCE_EVERY_SECONDS } from '#features/supply/balance/rules.ts'
import { compareSupplier, wayOfComparing } from '#features/supply/comparison/flows.ts'
import { bookExchange } from '#features/supply/invoice/commands.ts'
import { measureSupply, tendLate } from '#features/supply/delivery-pace/jobs.ts'
import { tendSupply, type Supplying } from '#features/supply/purchase/jobs.ts'
import { forgetRuns } from '#features/supply/sync/commands.ts'
import { syncWhenDue } from '#features/supply/sync/flows.ts'
import { checkEverything, lookAtChanged } from '#features/buying/promise/jobs.ts'
import { expireOrders } from '#features/buying/order/jobs.ts'
import { expireUnheard, type PaymentServices } from '#features/buying/payment/flows.ts'
import { forgetScreenings, forgetUses, tendRefused } from '#features/buying/gate/commands.ts'
import { screenDue } from '#features/buying/gate/flows.ts'
import { cleanSms } from '#features/people/phone/jobs.ts'
import { endHolds } from '#features/buying/refund/commands.ts'
import { forgetOldDeliveries } from '#features/buying/webhook/commands.ts'
import { forgetConfirmations } from '#features/buying/agent/commands.ts'
import { forgetOldRequests } from '#features/buying/reseller/commands.ts'
import { forgetOldTests } from '#features/buying/reseller-sandbox/commands.ts'
import { followReversals } from '#features/buying/store-credit/commands.ts'
import { cleanUp } from '#features/people/session/jobs.ts'
import { followRates, forgetQuotes } from '#features/goods/currency/commands.ts'
import { forgetPriceEffects } from '#features/goods/price-limit/commands.ts'
import { fetchFirstRates, fetchRates } from '#features/goods/currency/flows.ts'
import { removeLoosePictures, removeLooseShopPictures } from '#features/goods/upload/commands.ts'
import { followShelves } from '#features/buying/shelf/jobs.ts'
import { createImportWorker } from '#features/buying/key-import/jobs.ts'
import { forgetImports } from '#features/buying/key-import/commands.ts'
import { followSuppliersJob, recountStockJob } from '#features/goods/stock/jobs.ts'
import { notifyAll, type Notifier } from '#features/buying/order-notification/jobs.ts'
import type { Vault } from '#features/buying/vault/engine/vault.ts'
import { restockDemo } from '#features/buying/vault/jobs.ts'
import { forgetDrafts, forgetFormer } from '#features/office/payment-service/commands.ts'
import { forgetSupplierDrafts } from '#features/office/supplier-service/commands.ts'
import type { Config } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { forgetDeadJobs, forgetJobs } from '#platform/jobs.ts'
import { forgetDeadProcesses } from '#platform/running-process.ts'
import type { Sweep } from '#platform/sweep-runner.ts'
import type { OfferedRates } from '#providers/rates/offered.ts'
import type { ScreeningProvider } from '#providers/screening/provider.ts'
import type { SupplyProvider, Suppliers } from '#providers/supply/provider.ts'
import { sweepsOfDesk } from './desk-sweeps.ts'
import { sweepsOfProviders, type SweptPayments, type ThenNotify } from './provider-sweeps.ts'

export interface SweepParts {
  /** Where data and backups lie. */
  readonly disk: Pick<Config, 'dataDirectory' | 'backupDirectory'>
  /** Who delivers what the shop has not itself. */
  readonly suppliers: Suppliers
  /** Codes of those that may be set up while the worker runs. */
  readonly suppliersMayCome?: readonly string[]
  /** Calls what it is given whenever suppliers have come, gone or changed. */
  readonly onSuppliersChange?: (then: () => void) => void
  /** Sources of exchange rates that may be asked. */
  readonly rates: readonly OfferedRates[]
  /** Who is asked about shoppers, where the setting says so. */
  readonly screening: ScreeningProvider | null
  /** Keeps cards that are bought and keys that are imported; without it they wait. */
  readonly vault: Vault | null
  /** Of a demo, which fills its own shelves. */
  readonly demoVault: Vault | null
  /** Of the shop: its days are closed by it. */
  readonly timeZone: string
  /** Origin of the operators' console, where it is another. */
  readonly consoleUrl?: string | undefined
  /** The doctor's looks at this machine and its services, for the console. */
  readonly examine?: () => Promise<readonly SystemCheck[]>
}

const MINUTELY = { everySeconds: 60 }
const HOURLY = { everySeconds: 3_600 }
/** Jobs of releases before, which are sweeps now: they wait for nobody. */
const RETIRED_JOBS = [
  'resume_mail',
  'tell_buyers',
  'sweep_payments',
  'submit_refunds',
  'tend_deliveries',
  'measure_deliveries',
  'follow_reversals',
  'expire_orders',
  'restock_demo',
  'recount_stock',
  'check_promises',
  'clean_up',
  'clean_mail',
  'clean_sms',
  'erase_accounts',
  'clean_notices',
  'watch_favourites',
] as const

/** What is done again and again; each a kind of its own, and each provider a kind, so that none waits for another. */
export function sweepsOf(
  ctx: Ctx,
  parts: SweepParts,
  payments: SweptPayments,
  { teller, supplying }: { readonly teller: Notifier; readonly supplying: Supplying },
): Sweep[] {
  const told: ThenNotify = (work) => async (signal) => {
    await work(signal)
    teller.soon()
  }
  const checkChanged = lookAtChanged()
  return [
    ...sweepsOfProviders(ctx, payments, told),
    ...sweepsOfSuppliers(ctx, parts, supplying, told),
    ...sweepsOfRates(ctx, parts),
    ...sweepsOfScreening(ctx, parts, told),
    ...sweepsOfAudit(ctx, parts, payments),
    ...sweepsOfDesk(ctx, parts, payments, told),
    ...sweepsOfChecks(ctx, parts),
    ...sweepsOfKeys(ctx, parts),
    ...sweepsOfAges(ctx),
    ...sweepsOfBooks(ctx, {
      timeZone: parts.timeZone,
      consoleOrigin: parts.consoleUrl ?? payments.publicUrl,
    }),
    { name: 'resume_mail', due: MINUTELY, run: () => resumeMail(ctx) },
    { name: 'tell_buyers', due: MINUTELY, run: () => notifyAll(ctx) },
    { name: 'tend_deliveries', due: MINUTELY, run: told(() => tendDeliveries(ctx)) },
    {
      name: 'expire_orders',
      due: { everySeconds: 5 },
      run: (signal) => expireOrders(ctx, signal),
    },
    {
      name: 'expire_unheard',
      due: { everySeconds: 5 },
      run: (signal) => expireUnheard(ctx, signal),
    },
    { name: 'measure_deliveries', due: HOURLY, run: () => measureDeliveryTimes(ctx) },
    { name: 'tend_refused', due: MINUTELY, run: told((signal) => tendRefused(ctx, signal)) },
    { name: 'end_holds', due: MINUTELY, run: told((signal) => endHolds(ctx, signal)) },
    { name: 'follow_reversals', due: HOURLY, run: () => followReversals(ctx) },
    {
      name: 'check_changed',
      due: { everySeconds: 15 },
      run: (signal) => checkChanged(ctx, signal),
    },
    {
      name: 'check_everything',
      due: { dailyAtMinute: 2 * 60 + 17 },
      run: (signal) => checkEverything(ctx, signal),
    },
    { name: 'erase_accounts', due: HOURLY, run: (signal) => eraseDue(ctx, signal) },
    { name: 'clean_up', due: HOURLY, run: () => cleanUpAll(ctx) },
    { name: 'clean_notices', due: { dailyAtMinute: 4 * 60 + 41 }, run: () => cleanNotices(ctx) },
    {
      name: 'watch_favourites',
      due: { dailyAtMinute: 5 * 60 + 23 },
      run: () => watchFavourites(ctx),
    },
  ]
}

function sweepsOfSuppliers(
  ctx: Ctx,
  { suppliers, suppliersMayCome = [] }: Pick<SweepParts, 'suppliers' | 'suppliersMayCome'>,
  supplying: Supplying,
  told: ThenNotify,
): Sweep[] {
  const codes = [...new Set([...suppliers.keys(), ...suppliersMayCome])]
  // Of one that is not set up there is nothing to ask; it may be at any moment.
  const withIt =
    (code: string, work: (provider: SupplyProvider, signal: AbortSignal) => Promise<unknown>) =>
    async (signal: AbortSignal) => {
      const provider = suppliers.get(code)
      if (provider) await work(provider, signal)
    }
  return [
    ...codes.flatMap((code): Sweep[] => [
      {
        name: `supply:${code}`,
        due: { everySeconds: 5 },
        run: told((signal) => supplying.ask(code, signal)),
      },
      {
        name: `balance:${code}`,
        due: { everySeconds: BALANCE_EVERY_SECONDS },
        run: withIt(code, (provider) => askBalances(ctx, provider)),
      },
      {
        name: `sync:${code}`,
        due: MINUTELY,
        run: withIt(code, (provider, signal) => syncWhenDue(ctx, provider, signal)),
      },
      {
        name: `compare:${code}`,
        due: { dailyAtMinute: 4 * 60 + 7 },
        run: withIt(code, async (provider, signal) => {
          if (wayOfComparing(provider) !== null) await compareSupplier(ctx, provider, { signal })
        }),
      },
    ]),
    { name: 'book_exchange', due: { dailyAtMinute: 4 * 60 + 23 }, run: () => bookExchange(ctx) },
    { name: 'follow_suppliers', due: { everySeconds: 5 }, run: () => followSuppliersJob(ctx) },
    { name: 'tend_supply', due: MINUTELY, run: told(() => tendSupply(ctx, suppliers)) },
    { name: 'measure_supply', due: { everySeconds: 300 }, run: () => measureSupply(ctx) },
    { name: 'tend_late', due: MINUTELY, run: told((signal) => tendLate(ctx, signal)) },
  ]
}

function sweepsOfKeys(ctx: Ctx, { demoVault, vault }: SweepParts): Sweep[] {
  return [
    ...(demoVault
      ? [{ name: 'restock_demo', due: MINUTELY, run: () => restockDemo(ctx, demoVault) }]
      : []),
    { name: 'follow_shelves', due: MINUTELY, run: () => followShelves(ctx) },
    ...(vault
      ? [{ name: 'key_imports', due: { everySeconds: 1 }, run: createImportWorker(ctx, vault).run }]
      : []),
    { name: 'forget_imports', due: MINUTELY, run: () => forgetImports(ctx) },
    { name: 'tell_looks', due: { dailyAtMinute: 5 * 60 }, run: () => tellOfLooks(ctx) },
    // The day on which keys expire begins.
    { name: 'recount_stock', due: { dailyAtMinute: 0 }, run: () => recountStockJob(ctx) },
  ]
}

/** What goes when its time is over. */
function sweepsOfAges(ctx: Ctx): Sweep[] {
  return [
    {
      name: 'forget_evidence',
      due: { dailyAtMinute: 3 * 60 + 17 },
      run: (signal) => forgetOldEvidence(ctx, signal),
    },
    {
      name: 'forget_unpaid',
      due: { dailyAtMinute: 3 * 60 + 41 },
      run: (signal) => forgetWhatCameToNothing(ctx, signal),
    },
  ]
}

function sweepsOfAudit(
  ctx: Ctx,
  { disk: { dataDirectory } }: SweepParts,
  { publicUrl }: PaymentServices,
): Sweep[] {
  const seal = createSealer()
  return [
    { name: 'tell_page_reads', due: { everySeconds: 600 }, run: () => tellPageReads(ctx) },
    { name: 'seal_audit', due: { everySeconds: 300 }, run: (signal) => seal(ctx, signal) },
    {
      name: 'tell_audit_head',
      due: { dailyAtMinute: 6 * 60 + 11 },
      run: () => tellHead(ctx, { publicUrl, dataDirectory }),
    },
  ]
}

function sweepsOfChecks(ctx: Ctx, { examine }: Pick<SweepParts, 'examine'>): Sweep[] {
  if (!examine) return []
  return [
    {
      name: CHECK_SWEEP,
      due: { everySeconds: CHECKED_EVERY_SECONDS },
      run: async () => recordChecks(ctx, await examine()),
    },
  ]
}

function sweepsOfScreening(
  ctx: Ctx,
  { screening }: Pick<SweepParts, 'screening'>,
  told: ThenNotify,
): Sweep[] {
  if (screening === null) return []
  return [
    {
      name: 'screen_shoppers',
      due: { everySeconds: 2 },
      run: told((signal) => screenDue(ctx, screening, signal)),
    },
  ]
}

function sweepsOfRates(ctx: Ctx, { rates }: Pick<SweepParts, 'rates'>): Sweep[] {
  return [
    ...rates.map((offered) => ({
      name: `rates:${offered.service.code}`,
      due: { everySeconds: offered.service.everySeconds },
      run: (signal: AbortSignal) => fetchRates(ctx, offered, signal),
    })),
    // A source that the owner has just named is not waited for until its next turn.
    {
      name: 'first_rates',
      due: MINUTELY,
      run: async (signal) => {
        const asked = rates.map((offered) => fetchFirstRates(ctx, offered, signal))
        // One that cannot be reached keeps up no other.
        await Promise.allSettled(asked)
        await Promise.all(asked)
      },
    },
    { name: 'forget_quotes', due: { dailyAtMinute: 4 * 60 + 7 }, run: () => forgetQuotes(ctx) },
    {
      name: 'forget_price_effects',
      due: { dailyAtMinute: 4 * 60 + 9 },
      run: () => forgetPriceEffects(ctx),
    },
    { name: 'follow_rates', due: MINUTELY, run: () => followRates(ctx) },
  ]
}

/** A picture that waits for what it was sent for. */
const LOOSE_PICTURES_MS = 24 * 60 * 60_000

/** Takes away what has run out. */
async function cleanUpAll(ctx: Ctx): Promise<void> {
  await cleanUp(ctx)
  await countVisits(ctx)
  await forgetMisses(ctx)
  await cleanUpMail(ctx)
  const loose = new Date(ctx.now().getTime() - LOOSE_PICTURES_MS)
  await removeLoosePictures(ctx, loose)
  await removeLooseShopPictures(ctx, loose)
  await cleanSms(ctx)
  await forgetOldRequests(ctx)
  await forgetOldTests(ctx)
  await forgetConfirmations(ctx)
  await forgetExports(ctx)
  await forgetBuyers(ctx)
  await forgetOldDeliveries(ctx)
  await cleanAlerts(ctx)
  await forgetUses(ctx)
  await forgetScreenings(ctx)
  await forgetReadings(ctx)
  await forgetRuns(ctx)
  await forgetDeadProcesses(ctx)
  await forgetJobs(ctx.db, RETIRED_JOBS)
  await forgetDrafts(ctx)
  await forgetFormer(ctx)
  await forgetSupplierDrafts(ctx)
  await forgetDeadJobs(ctx)
}
