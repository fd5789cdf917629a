import { bankTransfers } from '#features/buying/bank-transfer/commands.ts'
import { checkPayment, type PaymentServices } from '#features/buying/payment/flows.ts'
import { AWAY_AFTER, followReported } from '#features/buying/reconciliation/flows.ts'
import { storeCreditPayments } from '#features/buying/store-credit/commands.ts'
import { returnUnmatched } from '#features/buying/unmatched-payment/flows.ts'
import { closeUnmatched, noteReconciliation } from '#features/buying/unmatched-payment/commands.ts'
import {
  findAttempt,
  listOpenAttempts,
  listUnmatched,
  type UnmatchedPayment,
} from '#features/buying/unmatched-payment/queries.ts'
import { configFromEnvironment } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import { openServices } from './payment-services.ts'
import type { PaymentProvider, UnreadPayment } from '#providers/payment/provider.ts'
import { type OperatorRun } from './commands.ts'
import { instantOf } from './instant-argument.ts'
import { amountText, minorUnitsOf } from './money.ts'
import { writeWaiting } from './waiting.ts'
import { explained, moment, positionals, print, required, table } from './table.ts'

const LISTED = 1_000
/** Clocks differ, and asking about a payment twice changes nothing. */
const EARLIER_MS = 10 * 60_000
const NOTE_MAX = 500
const SENTENCES = {
  not_found: 'There is no such payment. npm run cli -- payments unmatched lists them.',
  order_closed: 'Somebody has seen to that payment already.',
}

export interface Reconciled {
  /** Payments that were open here, and how many of them have changed. */
  readonly asked: number
  readonly changed: number
  /** Payments of the span that the providers know. */
  readonly listed: number
  /** Newly found: paid, and known to no order here. */
  readonly unmatched: number
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
  const found = { listed: 0, unmatched: 0, unpaid: 0 }
  for (const provider of outside) {
    const compared = await compareListed(ctx, services, provider, since, failures)
    changed += compared.changed
    found.listed += compared.listed
    found.unmatched += compared.unmatched
    found.unpaid += compared.unpaid
  }
  return { asked: open.length, changed, ...found, failures }
}

/** One payment that cannot be read or compared holds up no other; many in a row say that its provider is away. */
async function compareListed(
  ctx: Ctx,
  services: PaymentServices,
  provider: PaymentProvider,
  since: Date,
  failures: string[],
) {
  const counts = { listed: 0, same: 0, changed: 0, unmatched: 0, unpaid: 0 }
  let inARow = 0
  const noteFailure = ({ reference }: UnreadPayment, error: unknown) => {
    failures.push(
      `payment ${reference} of ${provider.code} could not be compared: ${sentenceOf(error)}`,
    )
    inARow += 1
    if (inARow >= AWAY_AFTER) throw new Error(`${inARow} payments in a row could not be compared`)
  }
  try {
    for await (const told of provider.list({
      since: new Date(since.getTime() - EARLIER_MS),
      until: ctx.now(),
      unread: noteFailure,
    })) {
      counts.listed += 1
      try {
        counts[
          await followReported(ctx, provider, told, (id) => checkPayment(ctx, services, id))
        ] += 1
        inARow = 0
      } catch (error) {
        noteFailure(told, error)
      }
    }
  } catch (error) {
    failures.push(`${provider.code} could not be asked for its list: ${sentenceOf(error)}`)
  }
  return counts
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
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
    failures.push(`payment ${id} could not be asked about at ${provider}: ${sentenceOf(error)}`)
  }
  return (await findAttempt(ctx.db, provider, id))?.status !== before?.status
}

export const reconcileCommand: OperatorRun = async (ctx, args) => {
  const since = instantOf(
    required(args, '--since', 'the instant that was restored, like 2026-11-21T10:04:00Z'),
    '--since',
  )
  const config = configFromEnvironment()
  const outside = await openServices(config, ctx)
  if (outside.length === 0)
    throw refusal(
      'No payment service is set up here, so that there is nobody to ask: give this command the settings of the payment services that the shop has.',
    )
  const providers = new Map(
    [storeCreditPayments(ctx), bankTransfers(ctx), ...outside].map((provider) => [
      provider.code,
      provider,
    ]),
  )
  await noteReconciliation(ctx, since)
  const done = await reconcilePayments(
    ctx,
    { providers, publicUrl: config.publicUrl },
    outside,
    since,
  )
  const [unmatched, digits] = [await listUnmatched(ctx.db, LISTED), await minorUnitsOf(ctx)]
  process.stdout.write(
    [
      `Asked about ${done.asked} open payments, and went through ${done.listed} of ${outside.map(({ code }) => code).join(' and ')} since ${moment(since)} UTC; ${done.changed} have changed here.`,
      ...(done.unpaid > 0
        ? [
            `${done.unpaid} that no order here knows are not paid yet: run this again tomorrow, as they may be.`,
          ]
        : []),
      ...done.failures.map((failure) => `Not known: ${failure}. Run this again.`),
      unmatched.length === 0
        ? 'No paid money is without an order.'
        : `${unmatched.length} paid and known to no order here (${done.unmatched} of them new). Give each back with payments return, or say with payments close what was done:\n\n${unmatchedTable(unmatched, digits).trimEnd()}`,
      '',
    ].join('\n'),
  )
  return unmatched.length > 0 || done.failures.length > 0 ? 1 : 0
}

export const listUnmatchedCommand: OperatorRun = async (ctx, args) => {
  const unmatched = await listUnmatched(ctx.db, LISTED)
  const digits = await minorUnitsOf(ctx)
  print(args, unmatched, () =>
    unmatched.length === 0
      ? 'No paid money is without an order.\n'
      : unmatchedTable(unmatched, digits),
  )
  return 0
}

const unmatchedTable = (
  unmatched: readonly UnmatchedPayment[],
  digits: ReadonlyMap<string, number>,
) =>
  table(
    ['PAYMENT', 'AT', 'NAME THERE', 'AMOUNT', 'FOUND (UTC)'],
    unmatched.map((payment) => [
      payment.publicId,
      payment.provider,
      payment.reference,
      amountText(digits, payment.amount.minor, payment.amount.currency),
      moment(payment.foundAt),
    ]),
  )

export const returnUnmatchedCommand: OperatorRun = async (ctx, args) => {
  const [publicId = ''] = positionals(args)
  const config = configFromEnvironment()
  const waits = await explained(
    SENTENCES,
    returnUnmatched(ctx, await openServices(config, ctx), publicId),
  )
  if (waits !== null) return writeWaiting(waits)
  process.stdout.write('Given back to where it was paid from.\n')
  return 0
}

export const closeUnmatchedCommand: OperatorRun = async (ctx, args) => {
  const [publicId = '', note = ''] = positionals(args)
  if (note.trim() === '' || note.length > NOTE_MAX)
    throw refusal(`The note says what was done, in 1 to ${NOTE_MAX} characters.`)
  const waits = await explained(SENTENCES, closeUnmatched(ctx, publicId, note.trim()))
  if (waits !== null) return writeWaiting(waits)
  process.stdout.write('Noted.\n')
  return 0
}
