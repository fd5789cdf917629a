import { bankTransfers } from '#features/bank-transfer/commands.ts'
import { applyFacts } from '#features/payment/commands.ts'
import { checkPayment, type PaymentServices } from '#features/payment/flows.ts'
import { storeCreditPayments } from '#features/store-credit/commands.ts'
import { closeStray, recordStray } from '#features/stray-payment/commands.ts'
import {
  findAttempt,
  getStray,
  listOpenAttempts,
  listStrays,
  type KnownAttempt,
  type StrayPayment,
} from '#features/stray-payment/queries.ts'
import { configFromEnvironment } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import { offeredPayments } from '#providers/payment/offered.ts'
import {
  ProviderRefusal,
  type PaymentProvider,
  type ProviderPayment,
} from '#providers/payment/provider.ts'
import { type Run } from './commands.ts'
import { withContext } from './context.ts'
import { instantOf } from './instant-argument.ts'
import { amountText, minorUnitsOf } from './money.ts'
import { explained, moment, operatorOf, positionals, print, required, table } from './table.ts'

const LISTED = 1_000
/** Clocks differ, and asking about a payment twice changes nothing. */
const EARLIER_MS = 10 * 60_000
const NOTE_MAX = 500
const SENTENCES = {
  not_found: 'There is no such payment. npm run cli -- payments strays lists them.',
  order_closed: 'Somebody has seen to that payment already.',
}

export interface Reconciled {
  /** Payments that were open here, and how many of them have changed. */
  readonly asked: number
  readonly changed: number
  /** Payments of the span that the providers know. */
  readonly listed: number
  /** Newly found: paid, and known to no order here. */
  readonly strays: number
  /** Known to no order here and not paid: they may still be. */
  readonly unpaid: number
  /** What could not be found out, one sentence each. */
  readonly failures: readonly string[]
}

/**
 * Compares with the payment services: every payment that is open here is asked about, and every payment that a service has made since
 * an instant is looked for here. What was paid and is known to no order is noted. May be repeated: what is known changes nothing.
 */
export async function reconcilePayments(
  ctx: Ctx,
  services: PaymentServices,
  outside: readonly PaymentProvider[],
  since: Date,
): Promise<Reconciled> {
  const failures: string[] = []
  const open = await listOpenAttempts(ctx.db)
  let changed = 0
  for (const { id, provider } of open) {
    if (!services.providers.has(provider))
      failures.push(`payment ${id} is one of ${provider}, which is not set up here`)
    else changed += (await isChangedByAsking(ctx, services, { id, provider }, failures)) ? 1 : 0
  }
  const found = { listed: 0, strays: 0, unpaid: 0 }
  for (const provider of outside) {
    try {
      for await (const told of provider.list({
        since: new Date(since.getTime() - EARLIER_MS),
        until: ctx.now(),
      })) {
        found.listed += 1
        const known = await findAttempt(ctx.db, provider.code, told.ourReference)
        if (known) changed += (await isCaughtUp(ctx, services, provider, known, told)) ? 1 : 0
        else if (told.captured !== null)
          found.strays += (await recordStray(ctx, provider.code, told)) ? 1 : 0
        else if (
          told.status === 'requires_action' ||
          told.status === 'seen' ||
          told.status === 'authorised'
        )
          found.unpaid += 1
      }
    } catch (error) {
      failures.push(
        `${provider.code} could not be asked for its list: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
  return { asked: open.length, changed, ...found, failures }
}

async function isChangedByAsking(
  ctx: Ctx,
  services: PaymentServices,
  { id, provider }: { readonly id: string; readonly provider: string },
  failures: string[],
): Promise<boolean> {
  const before = await findAttempt(ctx.db, provider, id)
  try {
    await checkPayment(ctx, services, id)
  } catch (error) {
    failures.push(
      `payment ${id} could not be asked about at ${provider}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  return (await findAttempt(ctx.db, provider, id))?.status !== before?.status
}

/** A payment whose name at its provider was lost gets it with what is told. */
async function isCaughtUp(
  ctx: Ctx,
  services: PaymentServices,
  provider: PaymentProvider,
  known: KnownAttempt,
  told: ProviderPayment,
): Promise<boolean> {
  const isSame =
    told.status === known.status &&
    (told.captured?.minor ?? 0n) === known.capturedMinor &&
    (told.reversed?.minor ?? 0n) === known.reversedMinor
  if (isSame) return false
  const applied = await applyFacts(ctx, { id: known.id, provider: provider.code }, told)
  // What a bank has given back is booked with a second question.
  if (told.status === 'captured') await checkPayment(ctx, services, known.id)
  return applied === 'changed' || applied === 'money_arrived'
}

export const reconcileCommand: Run = async (args) => {
  const since = instantOf(
    required(args, '--since', 'the instant that was restored, like 2026-11-21T10:04:00Z'),
    '--since',
  )
  const config = configFromEnvironment()
  return withContext(`operator:${operatorOf(args)}`, async (ctx) => {
    const outside = (await offeredPayments(config, ctx.now)).providers
    if (outside.length === 0)
      throw refusal(
        'No payment service is set up here, so that there is nobody to ask: give this command the settings of Stripe or PayPal that the shop has.',
      )
    const providers = new Map(
      [storeCreditPayments(ctx), bankTransfers(ctx), ...outside].map((provider) => [
        provider.code,
        provider,
      ]),
    )
    const done = await reconcilePayments(
      ctx,
      { providers, publicUrl: config.publicUrl },
      outside,
      since,
    )
    const [strays, digits] = [await listStrays(ctx.db, LISTED), await minorUnitsOf(ctx)]
    process.stdout.write(
      [
        `Asked about ${done.asked} open payments, and went through ${done.listed} of ${outside.map(({ code }) => code).join(' and ')} since ${moment(since)} UTC; ${done.changed} have changed here.`,
        ...(done.unpaid > 0
          ? [
              `${done.unpaid} that no order here knows are not paid yet: run this again tomorrow, as they may be.`,
            ]
          : []),
        ...done.failures.map((failure) => `Not known: ${failure}. Run this again.`),
        strays.length === 0
          ? 'No paid money is without an order.'
          : `${strays.length} paid and known to no order here (${done.strays} of them new). Give each back with payments return, or say with payments close what was done:\n\n${straysTable(strays, digits).trimEnd()}`,
        '',
      ].join('\n'),
    )
    return strays.length > 0 || done.failures.length > 0 ? 1 : 0
  })
}

export const listStraysCommand: Run = async (args) => {
  const { strays, digits } = await withContext('cli', async (ctx) => ({
    strays: await listStrays(ctx.db, LISTED),
    digits: await minorUnitsOf(ctx),
  }))
  print(args, strays, () =>
    strays.length === 0 ? 'No paid money is without an order.\n' : straysTable(strays, digits),
  )
  return 0
}

const straysTable = (strays: readonly StrayPayment[], digits: ReadonlyMap<string, number>) =>
  table(
    ['PAYMENT', 'AT', 'NAME THERE', 'AMOUNT', 'FOUND (UTC)'],
    strays.map((stray) => [
      stray.publicId,
      stray.provider,
      stray.reference,
      amountText(digits, stray.amount.minor, stray.amount.currency),
      moment(stray.foundAt),
    ]),
  )

export const returnStrayCommand: Run = async (args) => {
  const [publicId = ''] = positionals(args)
  const config = configFromEnvironment()
  await explained(
    SENTENCES,
    withContext(`operator:${operatorOf(args)}`, async (ctx) =>
      returnStray(ctx, (await offeredPayments(config, ctx.now)).providers, publicId),
    ),
  )
  process.stdout.write('Given back to where it was paid from.\n')
  return 0
}

/** Gives a payment back at its provider; asked for again after an answer was lost, it is given back once. */
export async function returnStray(
  ctx: Ctx,
  outside: readonly PaymentProvider[],
  publicId: string,
): Promise<void> {
  const stray = await getStray(ctx.db, publicId)
  const provider = outside.find(({ code }) => code === stray.provider)
  if (!provider)
    throw refusal(
      `${stray.provider} is not set up here: give it back there, then say so with payments close.`,
    )
  if (stray.outcome !== null) throw refusal(SENTENCES.order_closed)
  const told = await provider
    .refund({ ourReference: stray.id, paymentReference: stray.reference, amount: stray.amount })
    .catch((error: unknown) => {
      throw error instanceof ProviderRefusal
        ? refusal(
            `${stray.provider} refuses: ${error.message}. Look there what became of it, then say so with payments close.`,
            error,
          )
        : error
    })
  if (told.status === 'failed')
    throw refusal(
      `${stray.provider} could not give it back: ${told.failure ?? 'it does not say why'}.`,
    )
  await closeStray(ctx, publicId, 'returned', told.reference)
}

export const closeStrayCommand: Run = async (args) => {
  const [publicId = '', note = ''] = positionals(args)
  if (note.trim() === '' || note.length > NOTE_MAX)
    throw refusal(`The note says what was done, in 1 to ${NOTE_MAX} characters.`)
  await explained(
    SENTENCES,
    withContext(`operator:${operatorOf(args)}`, (ctx) =>
      closeStray(ctx, publicId, 'seen_to', note.trim()),
    ),
  )
  process.stdout.write('Noted.\n')
  return 0
}
