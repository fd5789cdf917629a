import { z } from 'zod'
import { askComparison } from '#features/office/supplier/commands.ts'
import { closeSupplyDifference } from '#features/supply/comparison/commands.ts'
import { listSupplyDifferences } from '#features/supply/comparison/queries.ts'
import { bookCommission, noteInvoice, settleInvoice } from '#features/supply/invoice/commands.ts'
import { listOpenInvoices } from '#features/supply/invoice/queries.ts'
import { bookDeposit, closeCase } from '#features/supply/purchase/commands.ts'
import { listCases, listDoubts, listQueued } from '#features/supply/purchase/queries.ts'
import { fieldError } from '#kernel/error.ts'
import { operatorCall } from '../call.ts'
import { moment, nothing } from './shapes.ts'
import { currency, day, knownMoney, minor, money, note, supplier } from './supplier-shapes.ts'

const reference = z.string().trim().min(1).max(200)
const amount = { amount_minor: minor, currency }
const of = (minorUnits: string, code: string) => ({ amount_minor: minorUnits, currency: code })

const doubts = operatorCall({
  path: 'console/suppliers/doubts',
  summary:
    'Purchases that nobody could find out about, longest waiting first; each is decided at its order',
  body: z.object({}),
  data: z.array(
    z.object({
      reference: z.string(),
      supplier: z.string(),
      their_id: z.string().nullable(),
      order: z.string(),
      goods: z.string(),
      cost: money,
      /** The supplier’s own words, cut. */
      told: z.string().nullable(),
      since: moment,
    }),
  ),
  example: {},
  answer: async ({ ctx }) =>
    (await listDoubts(ctx.db)).map((each) => ({
      reference: each.reference,
      supplier: each.supplier,
      their_id: each.supplierId,
      order: each.orderNumber,
      goods: `${each.product}: ${each.item}`,
      cost: of(each.expected, each.currency),
      told: each.told,
      since: each.since.toISOString(),
    })),
})

const waiting = operatorCall({
  path: 'console/suppliers/waiting',
  summary: 'Units that wait for a supplier, those first that wait for a person',
  body: z.object({}),
  data: z.array(
    z.object({
      unit: z.string(),
      order: z.string(),
      supplier: z.string(),
      goods: z.string(),
      held: z.enum(['price', 'known']).nullable(),
      due: moment,
    }),
  ),
  example: {},
  answer: async ({ ctx }) =>
    (await listQueued(ctx.db)).map((each) => ({
      unit: each.unit,
      order: each.orderNumber,
      supplier: each.supplier,
      goods: `${each.product}: ${each.item}`,
      held: each.held,
      due: each.dueAt.toISOString(),
    })),
})

const cases = operatorCall({
  path: 'console/suppliers/cases',
  summary: 'What has to be looked at of purchases that are over',
  body: z.object({}),
  data: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['late', 'reversed', 'cost', 'known']),
      supplier: z.string(),
      reference: z.string(),
      order: z.string(),
      cost: money.nullable(),
      opened: moment,
    }),
  ),
  example: {},
  answer: async ({ ctx }) =>
    (await listCases(ctx.db)).map((each) => ({
      id: each.id,
      kind: each.kind,
      supplier: each.supplier,
      reference: each.reference,
      order: each.orderNumber,
      cost: each.cost === null ? null : of(each.cost, each.currency),
      opened: each.openedAt.toISOString(),
    })),
})

const closing = { id: z.uuid(), note }
const CLOSING = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  note: 'Bought by hand in their dashboard.',
}

const casesClose = operatorCall({
  path: 'console/suppliers/cases/close',
  summary:
    'Note what was found about a purchase that is over, and close its case; it moves no money',
  body: z.strictObject(closing),
  data: nothing,
  example: CLOSING,
  async answer({ ctx }, { id, note: found }) {
    await closeCase(ctx, id, found)
    return {}
  },
})

const differences = operatorCall({
  path: 'console/suppliers/differences',
  summary: 'What suppliers’ reports and the shop’s purchases differ by, oldest first',
  body: z.object({}),
  data: z.array(
    z.object({
      id: z.string(),
      supplier: z.string(),
      kind: z.enum(['missing_here', 'missing_there', 'amount', 'state']),
      reference: z.string().nullable(),
      their_id: z.string().nullable(),
      order: z.string().nullable(),
      our_status: z.string().nullable(),
      their_status: z.string().nullable(),
      ours: money.nullable(),
      theirs: money.nullable(),
      found: moment,
    }),
  ),
  example: {},
  answer: async ({ ctx }) =>
    (await listSupplyDifferences(ctx.db)).map((each) => ({
      id: each.id,
      supplier: each.supplier,
      kind: each.kind,
      reference: each.reference,
      their_id: each.theirId,
      order: each.orderNumber,
      our_status: each.ourStatus,
      their_status: each.theirStatus,
      ours: each.ourMinor && each.currency ? of(each.ourMinor, each.currency) : null,
      theirs: each.theirMinor && each.currency ? of(each.theirMinor, each.currency) : null,
      found: each.foundAt.toISOString(),
    })),
})

const differencesClose = operatorCall({
  path: 'console/suppliers/differences/close',
  summary: 'Note what was found about a difference, and close it; it moves no money',
  body: z.strictObject(closing),
  data: nothing,
  example: CLOSING,
  async answer({ ctx }, { id, note: found }) {
    await closeSupplyDifference(ctx, id, found)
    return {}
  },
})

const compare = operatorCall({
  path: 'console/suppliers/compare',
  summary: 'Have the worker compare a supplier’s report with the shop’s purchases now',
  body: z.strictObject({ supplier }),
  data: nothing,
  example: { supplier: 'kinguin' },
  async answer({ ctx }, { supplier: code }) {
    await askComparison(ctx, code)
    return {}
  },
})

const invoices = operatorCall({
  path: 'console/suppliers/invoices',
  summary: 'Invoices and credit notes of suppliers that differ from what was bought in their days',
  body: z.object({}),
  data: z.array(
    z.object({
      supplier: z.string(),
      kind: z.enum(['invoice', 'credit_note']),
      number: z.string(),
      from: z.string(),
      until: z.string(),
      billed: money,
      booked: money,
      purchases: z.number(),
    }),
  ),
  example: {},
  answer: async ({ ctx }) =>
    (await listOpenInvoices(ctx.db)).map((each) => ({
      supplier: each.supplier,
      kind: each.kind,
      number: each.number,
      from: each.fromOn,
      until: each.untilOn,
      billed: of(each.amount, each.currency),
      booked: of(each.booked, each.currency),
      purchases: each.purchases,
    })),
})

const number = z.string().trim().min(1).max(100)

const invoicesNote = operatorCall({
  path: 'console/suppliers/invoices/note',
  summary: 'Note what a supplier has billed or credited for some days; it moves no money',
  description: 'One that comes to what was bought then is settled at once; the others wait.',
  body: z.strictObject({
    supplier,
    kind: z.enum(['invoice', 'credit_note']).default('invoice'),
    number,
    ...amount,
    from: day,
    until: day,
  }),
  data: z.object({ more_minor: z.string() }),
  example: {
    supplier: 'kinguin',
    number: 'R-2027-06',
    amount_minor: '140000',
    currency: 'EUR',
    from: '2027-06-01',
    until: '2027-06-30',
  },
  async answer({ ctx }, given) {
    if (given.until < given.from) throw fieldError('until', 'not_allowed')
    const more = await noteInvoice(ctx, {
      supplier: given.supplier,
      kind: given.kind,
      number: given.number,
      money: await knownMoney(ctx.db, given.amount_minor, given.currency),
      fromOn: given.from,
      untilOn: given.until,
    })
    return { more_minor: more.toString() }
  },
})

const invoicesSettle = operatorCall({
  path: 'console/suppliers/invoices/settle',
  summary: 'Note what was found about an invoice that differs, and close it',
  body: z.strictObject({ supplier, number, note }),
  data: nothing,
  example: { supplier: 'kinguin', number: 'R-2027-06', note: 'A fee of 10, paid.' },
  async answer({ ctx }, { supplier: code, number: of_, note: found }) {
    await settleInvoice(ctx, { supplier: code, number: of_ }, found)
    return {}
  },
})

const topup = operatorCall({
  path: 'console/suppliers/topup',
  summary: 'Book money that was sent to a supplier; what waits there is bought now',
  body: z.strictObject({
    supplier,
    ...amount,
    reference,
    /** What the bank kept of it. */
    fee_minor: z
      .string()
      .regex(/^\d{1,18}$/)
      .default('0'),
    /** What was paid for it in another currency. */
    paid_minor: minor.optional(),
    paid_currency: currency.optional(),
  }),
  data: nothing,
  example: { supplier: 'kinguin', amount_minor: '100000', currency: 'EUR', reference: 'wire 4711' },
  async answer({ ctx }, given) {
    const { paid_minor: paidMinor, paid_currency: paidCurrency } = given
    if (paidCurrency === given.currency) throw fieldError('paid_currency', 'same_as_before')
    const paid =
      paidMinor === undefined || paidCurrency === undefined
        ? null
        : await knownMoney(ctx.db, paidMinor, paidCurrency)
    await bookDeposit(ctx, {
      supplier: given.supplier,
      money: await knownMoney(ctx.db, given.amount_minor, given.currency),
      feeMinor: BigInt(given.fee_minor),
      reference: given.reference,
      ...(paid === null ? {} : { paid }),
    })
    return {}
  },
})

const commission = operatorCall({
  path: 'console/suppliers/commission',
  summary: 'Book what a supplier has given to the balance there',
  body: z.strictObject({ supplier, ...amount, reference }),
  data: nothing,
  example: { supplier: 'kinguin', amount_minor: '1250', currency: 'EUR', reference: 'June' },
  async answer({ ctx }, given) {
    await bookCommission(ctx, {
      supplier: given.supplier,
      money: await knownMoney(ctx.db, given.amount_minor, given.currency),
      reference: given.reference,
    })
    return {}
  },
})

export const SUPPLIER_BOOKS_CALLS = [
  doubts,
  waiting,
  cases,
  casesClose,
  differences,
  differencesClose,
  compare,
  invoices,
  invoicesNote,
  invoicesSettle,
  topup,
  commission,
] as const
