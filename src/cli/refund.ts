import {
  approveRefund,
  refundByOperator,
  refuseRefund,
  repeatRefund,
} from '#features/buying/refund/commands.ts'
import { getPayee, listForOperators } from '#features/buying/refund/queries.ts'
import { TO_STORE_CREDIT } from '#features/buying/refund/rules.ts'
import { configFromEnvironment } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import { optionOf, type OperatorRun } from './commands.ts'
import { amountText, minorUnitsOf } from './money.ts'
import { paymentCodesOf } from './payment-services.ts'
import { explained, moment, positionals, print, required, table } from './table.ts'

const LISTED = 200
const REASON_MAX = 500
const ASKED = {
  not_found:
    'There is no such order, or one of the units is not of it. npm run cli -- orders show <order-number> lists them.',
  order_closed:
    'That cannot be given back: it is not paid, is being delivered or in doubt, or was given back already.',
}
const APPROVED = {
  not_found: 'There is no such refund. npm run cli -- refund list shows them.',
  order_closed: 'That refund is decided already.',
  needs_another: 'Whoever asked for a refund cannot approve it: another person must.',
}
const REPEATED = {
  not_found: APPROVED.not_found,
  order_closed:
    'That refund has not failed, was asked for anew already, or its money is gone. npm run cli -- refund list tells.',
}

export const refundCommand: OperatorRun = async (ctx, args) => {
  const destination = destinationOf(args)
  const reason = required(args, '--reason', 'one word that says why, like faulty or goodwill')
  if (!/^[a-z]+(?:_[a-z]+)*$/.test(reason))
    throw refusal('--reason takes a word of lower-case letters and underscores, like faulty_key.')
  const units =
    optionOf(args, '--units')
      ?.split(',')
      .filter((id) => id !== '') ?? null
  if (units?.length === 0)
    throw refusal('--units names no unit. Leave it out to give back all that is left.')
  const asked = await explained(
    ASKED,
    refundByOperator(ctx, {
      orderNumber: positionals(args)[0] ?? '',
      units,
      destination,
      reason,
    }),
  )
  const amount = amountText(await minorUnitsOf(ctx), asked.amountMinor, asked.currency)
  const text = asked.needsApproval
    ? `${amount} wait for another person: npm run cli -- refund approve ${asked.publicId} --as <name>`
    : `${amount} go back ${destination === 'original' ? 'to where they were paid from' : 'as store credit'}. Refund ${asked.publicId}; ${await whenHandedOver(ctx, asked.publicId)}`
  process.stdout.write(`${text}\n`)
  return 0
}

export const approveCommand: OperatorRun = async (ctx, args) => {
  const [publicId = ''] = positionals(args)
  await explained(APPROVED, approveRefund(ctx, publicId))
  process.stdout.write(`Approved: ${await whenHandedOver(ctx, publicId)}\n`)
  return 0
}

export const refuseCommand: OperatorRun = async (ctx, args) => {
  const [publicId = '', reason = ''] = positionals(args)
  if (reason.trim() === '' || reason.length > REASON_MAX)
    throw refusal(`The reason stands in the audit trail, in 1 to ${REASON_MAX} characters.`)
  await explained(APPROVED, refuseRefund(ctx, publicId, reason.trim()))
  process.stdout.write('Refused. Its units are again what they were.\n')
  return 0
}

export const repeatCommand: OperatorRun = async (ctx, args) => {
  const destination = destinationOf(args)
  const repeated = await explained(
    REPEATED,
    repeatRefund(ctx, positionals(args)[0] ?? '', destination),
  )
  process.stdout.write(
    `Asked for anew as refund ${repeated}; ${await whenHandedOver(ctx, repeated)}\n`,
  )
  return 0
}

/** A payment service whose settings were taken away is handed nothing. */
async function whenHandedOver(ctx: Ctx, publicId: string): Promise<string> {
  const payee = await getPayee(ctx.db, publicId)
  const codes = await paymentCodesOf(configFromEnvironment(), ctx.db)
  return payee === TO_STORE_CREDIT || codes.includes(payee)
    ? 'the worker hands it over within a minute.'
    : `it waits until ${payee} is set up here again, and doctor tells of it.`
}

function destinationOf(args: readonly string[]): 'original' | 'store_credit' {
  const destination = optionOf(args, '--to') ?? 'original'
  if (destination !== 'original' && destination !== 'store_credit')
    throw refusal('--to takes original or store_credit.')
  return destination
}

export const listRefundsCommand: OperatorRun = async (ctx, args) => {
  const refunds = await listForOperators(ctx.db, LISTED)
  const digits = await minorUnitsOf(ctx)
  print(args, refunds, () =>
    refunds.length === 0
      ? 'No refunds.\n'
      : table(
          [
            'REFUND',
            'ORDER',
            'ASKED (UTC)',
            'AMOUNT',
            'TO',
            'STATE',
            'REASON',
            'ASKED BY',
            'APPROVED BY',
            'FAILURE',
          ],
          refunds.map((refund) => [
            refund.refund,
            refund.orderNumber,
            moment(refund.createdAt),
            amountText(digits, refund.amountMinor, refund.currency),
            refund.destination,
            refund.status === 'requested' && refund.approvedBy === null
              ? 'waits for approval'
              : refund.status,
            refund.reason,
            refund.requestedBy,
            refund.approvedBy ?? '',
            refund.failure ?? '',
          ]),
        ),
  )
  return 0
}
