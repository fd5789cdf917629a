import { listCover, listReadings } from '#features/supply/balance/queries.ts'
import { closeSupplyDifference } from '#features/supply/comparison/commands.ts'
import { compareByOperator } from '#features/supply/comparison/flows.ts'
import { listSupplyDifferences } from '#features/supply/comparison/queries.ts'
import type { DifferenceKind } from '#features/supply/comparison/rules.ts'
import { bookCommission, noteInvoice, settleInvoice } from '#features/supply/invoice/commands.ts'
import { listOpenInvoices, listUsage } from '#features/supply/invoice/queries.ts'
import { setItemRoute } from '#features/supply/routing/commands.ts'
import { ROUTE_CRITERIA } from '#features/supply/routing/rules.ts'
import { refusal } from '#platform/refusal.ts'
import { SupplyUnavailable } from '#providers/supply/provider.ts'
import { optionOf, type OperatorRun } from './commands.ts'
import { amountText, minorUnitsOf, readMoney } from './money.ts'
import { supplierHere } from './suppliers.ts'
import { explained, moment, positionals, print, required, table } from './table.ts'

const NOTE_MAX = 300
const DAYS_MOST = 90
const KINDS: Readonly<Record<DifferenceKind, string>> = {
  missing_here: 'bought there, and not by the shop',
  missing_there: 'bought by the shop, and not in the report',
  amount: 'another amount',
  state: 'another state',
}

export const balanceCommand: OperatorRun = async (ctx, args) => {
  const [cover, digits] = [await listCover(ctx.db, ctx.now()), await minorUnitsOf(ctx)]
  const [supplier] = positionals(args)
  if (supplier !== undefined) {
    const readings = await listReadings(ctx.db, supplier)
    print(args, readings, () =>
      readings.length === 0
        ? 'This supplier has not told a balance yet.\n'
        : table(
            ['AT (UTC)', 'BALANCE', 'BOOKS'],
            readings.map(({ at, available, booked, currency }) => [
              moment(at),
              amountText(digits, available, currency),
              amountText(digits, booked, currency),
            ]),
          ),
    )
    return 0
  }
  print(args, cover, () =>
    cover.length === 0
      ? 'No supplier has told its balance yet.\n'
      : table(
          ['SUPPLIER', 'BALANCE', 'ASKED (UTC)', 'BOOKS', 'RESERVED', 'OFF BY', 'LASTS'],
          cover.map((each) => {
            const money = (minor: bigint) => amountText(digits, String(minor), each.currency)
            return [
              each.supplier,
              money(each.availableMinor),
              moment(each.askedAt),
              money(each.prepaidMinor + each.reservedMinor),
              money(each.reservedMinor),
              each.offMinor === null
                ? 'no top-up noted'
                : each.offMinor === 0n
                  ? ''
                  : money(each.offMinor),
              each.hours === null
                ? 'nothing is spent'
                : `${each.hours} h${each.isLow ? ', send money' : ''}`,
            ]
          }),
        ),
  )
  return 0
}

export const routeCommand: OperatorRun = async (ctx, args) => {
  const [item = '', ...given] = positionals(args)
  const criteria = ROUTE_CRITERIA.filter((known) => given.includes(known))
  if (criteria.length !== given.length)
    throw refusal(`An item is put in order by ${ROUTE_CRITERIA.join(', ')}; each once.`)
  const rule = given.flatMap((name) => criteria.filter((known) => known === name))
  const loss = optionOf(args, '--loss')
  const lossBasisPoints = loss === null ? null : Number(loss)
  if (
    lossBasisPoints !== null &&
    !(Number.isInteger(lossBasisPoints) && lossBasisPoints >= 0 && lossBasisPoints <= 10_000)
  )
    throw refusal('--loss is hundredths of a percent of the price, from 0 to 10000.')
  await explained(
    { check_fields: 'There is no item of this code.' },
    setItemRoute(ctx, { item, rule: rule.length === 0 ? null : rule, lossBasisPoints }),
  )
  process.stdout.write('It holds for what is bought from now on.\n')
  return 0
}

export const compareCommand: OperatorRun = async (ctx, args) => {
  const [code = ''] = positionals(args)
  const given = optionOf(args, '--days')
  const days = given === undefined ? undefined : Number(given)
  if (days !== undefined && (!Number.isInteger(days) || days < 1 || days > DAYS_MOST))
    throw refusal(`--days is a whole number from 1 to ${DAYS_MOST}.`)
  const provider = await supplierHere(ctx, code)
  const compared = await compareByOperator(ctx, provider, days).catch((error: unknown) => {
    if (error instanceof SupplyUnavailable)
      throw refusal('The report cannot be read now; nothing was compared.', error)
    throw error
  })
  if (compared === null)
    throw refusal(
      'This supplier has no report, and asking it about a purchase could buy it again: compare its balance, npm run cli -- supply balance.',
    )
  print(args, compared, () =>
    [
      compared.way === 'report'
        ? `${compared.told} purchases in its report, ${compared.found} new differences.\n`
        : `${compared.told} purchases asked about one by one, ${compared.found} new differences.\n`,
      compared.unread === 0
        ? ''
        : compared.way === 'report'
          ? `${compared.unread} entries cannot be read; what the report lacks was not looked for.\n`
          : `${compared.unread} purchases could not be asked about.\n`,
      'npm run cli -- supply differences shows what waits.\n',
    ].join(''),
  )
  return 0
}

export const differencesCommand: OperatorRun = async (ctx, args) => {
  const differences = await listSupplyDifferences(ctx.db)
  const digits = await minorUnitsOf(ctx)
  print(args, differences, () =>
    differences.length === 0
      ? 'Reports of suppliers and purchases of the shop agree.\n'
      : table(
          [
            'DIFFERENCE',
            'SUPPLIER',
            'WHAT',
            'PURCHASE',
            'ITS NAME THERE',
            'ORDER',
            'HERE',
            'THERE',
            'FOUND (UTC)',
          ],
          differences.map((each) => {
            const money = (minor: string | null) =>
              minor === null || each.currency === null
                ? ''
                : ` ${amountText(digits, minor, each.currency)}`
            return [
              each.id,
              each.supplier,
              KINDS[each.kind],
              each.reference ?? '',
              each.theirId ?? '',
              each.orderNumber ?? '',
              `${each.ourStatus ?? 'nothing'}${money(each.ourMinor)}`,
              `${each.theirStatus ?? 'nothing'}${money(each.theirMinor)}`,
              moment(each.foundAt),
            ]
          }),
        ),
  )
  return 0
}

export const closeDifferenceCommand: OperatorRun = async (ctx, args) => {
  const [id = ''] = positionals(args)
  await explained(
    {
      not_found:
        'There is no open difference of this name. npm run cli -- supply differences shows them.',
    },
    closeSupplyDifference(ctx, id, noteOf(args)),
  )
  process.stdout.write('Closed.\n')
  return 0
}

const INVOICE = {
  not_found:
    'There is no such invoice, or it is settled. npm run cli -- supply invoices shows them.',
}
const SUPPLIER = {
  not_found: 'There is no supplier of this name. npm run cli -- supply suppliers shows them.',
  conflict: 'That was noted before and counts once.',
}

export const invoiceCommand: OperatorRun = async (ctx, args) => {
  const [supplier = '', number = '', amount = '', code = ''] = positionals(args)
  const [fromOn, untilOn] = [dayOf(args, '--from'), dayOf(args, '--until')]
  if (untilOn < fromOn) throw refusal('--until is not before --from.')
  const money = await readMoney(ctx, amount, code)
  const more = await explained(
    SUPPLIER,
    noteInvoice(ctx, {
      supplier,
      kind: args.includes('--credit-note') ? 'credit_note' : 'invoice',
      number: shortText(number, 100),
      money,
      fromOn,
      untilOn,
    }),
  )
  const digits = await minorUnitsOf(ctx)
  process.stdout.write(
    more === 0n
      ? 'Noted. It comes to what was bought, and is settled.\n'
      : `Noted. It is ${amountText(digits, more < 0n ? -more : more, money.currency)} ${more < 0n ? 'less' : 'more'} than the shop's own books, and waits: npm run cli -- supply invoices.\n`,
  )
  return 0
}

export const invoicesCommand: OperatorRun = async (ctx, args) => {
  const invoices = await listOpenInvoices(ctx.db)
  const digits = await minorUnitsOf(ctx)
  print(args, invoices, () =>
    invoices.length === 0
      ? 'No invoice of a supplier waits.\n'
      : table(
          ['SUPPLIER', 'NUMBER', 'WHAT', 'FROM', 'UNTIL', 'BILLED', 'BOOKED', 'PURCHASES', 'MORE'],
          invoices.map((each) => {
            const money = (minor: bigint | string) => amountText(digits, minor, each.currency)
            return [
              each.supplier,
              each.number,
              each.kind === 'invoice' ? 'invoice' : 'credit note',
              each.fromOn,
              each.untilOn,
              money(each.amount),
              money(each.booked),
              String(each.purchases),
              money(BigInt(each.amount) - BigInt(each.booked)),
            ]
          }),
        ),
  )
  return 0
}

export const settleInvoiceCommand: OperatorRun = async (ctx, args) => {
  const [supplier = '', number = ''] = positionals(args)
  await explained(INVOICE, settleInvoice(ctx, { supplier, number }, noteOf(args)))
  process.stdout.write('Settled.\n')
  return 0
}

export const commissionCommand: OperatorRun = async (ctx, args) => {
  const [supplier = '', amount = '', currency = ''] = positionals(args)
  await explained(
    SUPPLIER,
    bookCommission(ctx, {
      supplier,
      money: await readMoney(ctx, amount, currency),
      reference: shortText(required(args, '--reference', 'the supplier’s name for it'), 200),
    }),
  )
  process.stdout.write('Noted.\n')
  return 0
}

export const exchangeCommand: OperatorRun = async (ctx, args) => {
  const usage = await listUsage(ctx.db)
  const digits = await minorUnitsOf(ctx)
  print(args, usage, () =>
    usage.length === 0
      ? 'Nothing was used up of a balance that was paid for in another currency.\n'
      : table(
          ['SUPPLIER', 'UNTIL (UTC)', 'USED', 'AT ITS AVERAGE', 'AT THE RATE', 'COST MORE'],
          usage.map((each) => {
            const money = (minor: bigint | string) => amountText(digits, minor, each.paidCurrency)
            return [
              each.supplier,
              moment(each.usedUntil),
              amountText(digits, each.used, each.currency),
              money(each.average),
              money(each.rate),
              money(BigInt(each.average) - BigInt(each.rate)),
            ]
          }),
        ),
  )
  return 0
}

/** A day of the calendar, as text. */
function dayOf(args: readonly string[], option: string): string {
  const day = required(args, option, 'a day like 2027-06-30')
  const at = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day)
    throw refusal(`${option} takes a day like 2027-06-30.`)
  return day
}

function shortText(given: string, most: number): string {
  const text = given.trim()
  if (text === '' || text.length > most) throw refusal(`That takes 1 to ${most} characters.`)
  return text
}

function noteOf(args: readonly string[]): string {
  const note = required(args, '--note', 'what was found, and done about it')
  if (note.length > NOTE_MAX) throw refusal(`--note takes 1 to ${NOTE_MAX} characters.`)
  return note
}
