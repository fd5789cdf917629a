import { sealLines } from '#features/buying/vault/flows.ts'
import {
  allowCost,
  bookDeposit,
  closeCase,
  resumeSupplier,
  settlePurchase,
  switchSupplier,
  takeByHand,
} from '#features/supply/purchase/commands.ts'
import {
  findItemOf,
  listCases,
  listDoubts,
  listQueued,
  listSupplierBooks,
} from '#features/supply/purchase/queries.ts'
import { returnCards } from '#features/supply/purchase/flows.ts'
import { sellCardsFrom, setOffer } from '#features/supply/routing/commands.ts'
import { listSuppliers, type SupplierState } from '#features/supply/routing/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { refusal } from '#platform/refusal.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { optionOf, type OperatorRun } from './commands.ts'
import { readChunks, vaultOf } from './keys.ts'
import { amountText, minorUnitsOf, readMoney } from './money.ts'
import { suppliersHere } from './suppliers.ts'
import { explained, moment, positionals, print, required, table } from './table.ts'
import { writeWaiting } from './waiting.ts'

const TEXT_MAX = 200
const SETTLED = {
  not_found: 'There is no purchase of this reference. npm run cli -- supply doubts shows them.',
  conflict: 'It is known by now that it went the other way.',
  order_closed: 'It is still being asked about; its supplier may yet tell.',
  check_fields:
    'It is of cards: give with --cards a file of them, one a line as their brand’s keys look, as many as were bought.',
}
const UNIT = {
  not_found: 'There is no unit of this name. npm run cli -- supply waiting shows them.',
  order_closed: 'This unit does not wait for that: it is being bought, delivered or given back.',
}
const SUPPLIER = {
  not_found: 'There is no supplier of this name. npm run cli -- supply suppliers shows them.',
  conflict: 'This deposit was noted before and counts once.',
}
const KINDS = {
  late: 'bought after its unit was given back or bought elsewhere',
  reversed: 'taken back by the supplier after delivery',
  cost: 'dearer than allowed, or not in the currency expected',
  known: 'a card came that the shop already holds: nobody got it',
} as const

const ONLY_SAID = 'its notice says that it was taken back: look into its report'

const HELD = {
  price: 'you: it costs more than it was sold for, or was refused too often',
  known: 'you: the card that came was one the shop already holds',
} as const

export const suppliersCommand: OperatorRun = async (ctx, args) => {
  const [suppliers, books, digits] = [
    await listSuppliers(ctx.db),
    await listSupplierBooks(ctx.db),
    await minorUnitsOf(ctx),
  ]
  print(args, { suppliers, books }, () =>
    suppliers.length === 0
      ? 'This shop has no supplier: everything is delivered by hand or from its own keys.\n'
      : table(
          ['SUPPLIER', 'STATE', 'ITEMS', 'WAITING', 'OPEN', 'IN DOUBT', 'PREPAID', 'RESERVED'],
          suppliers.map((supplier) => {
            const own = books.filter((book) => book.supplier === supplier.code)
            const sum = (of: 'prepaid' | 'reserved') =>
              own.map((book) => amountText(digits, book[of], book.currency)).join(', ')
            return [
              supplier.code,
              stateOf(supplier, ctx.now()),
              String(supplier.offers),
              String(supplier.queued),
              String(supplier.open),
              String(supplier.inDoubt),
              sum('prepaid'),
              sum('reserved'),
            ]
          }),
        ),
  )
  return 0
}

function stateOf({ status, restsUntil, restsFor, restsCode }: SupplierState, now: Date): string {
  if (status === 'off') return 'off'
  if (restsUntil === null || restsUntil <= now) return 'on'
  const why = restsFor === 'ours' ? `refuses us: ${restsCode ?? 'unsaid'}` : 'purchases fail there'
  return `rests until ${moment(restsUntil)} (${why})`
}

export const doubtsCommand: OperatorRun = async (ctx, args) => {
  const doubts = await listDoubts(ctx.db)
  const digits = await minorUnitsOf(ctx)
  print(args, doubts, () =>
    doubts.length === 0
      ? 'Of every purchase it is known what became of it, or its supplier is still being asked.\n'
      : table(
          [
            'PURCHASE',
            'SUPPLIER',
            'ITS NAME THERE',
            'ORDER',
            'GOODS',
            'COST',
            'SINCE (UTC)',
            'SAID',
          ],
          doubts.map((doubt) => [
            doubt.reference,
            doubt.supplier,
            doubt.supplierId ?? '',
            doubt.orderNumber,
            `${doubt.product}: ${doubt.item}`,
            amountText(digits, doubt.expected, doubt.currency),
            moment(doubt.since),
            doubt.told ?? '',
          ]),
        ),
  )
  return 0
}

export const settleCommand: OperatorRun = async (ctx, args) => {
  const [reference = '', outcome] = positionals(args)
  if (outcome !== 'delivered' && outcome !== 'failed')
    throw refusal('Say whether it was delivered or failed.')
  const proof = textOf(required(args, '--proof', 'what shows it, in the supplier’s report, say'))
  const keys = await cardsOf(ctx, reference, optionOf(args, '--cards'))
  const settled = await explained(SETTLED, settlePurchase(ctx, reference, { outcome, proof, keys }))
  if ('waits' in settled) return writeWaiting(settled.waits)
  const { status } = settled
  process.stdout.write(
    status === 'done'
      ? 'Delivered. The buyer is told once the whole line is.\n'
      : status === 'late'
        ? 'The shop holds these cards already: nobody got one. npm run cli -- supply cases shows it.\n'
        : 'Noted. Another supplier is tried; where there is none its price goes back.\n',
  )
  return 0
}

/** What a purchase has brought, from a file; null without one. */
async function cardsOf(ctx: OperatorCtx, reference: string, file: string | null) {
  if (file === null) return null
  const purchase = await findItemOf(ctx.db, reference)
  if (!purchase) throw refusal(SETTLED.not_found)
  const keys = await sealLines(ctx, vaultOf(configFromEnvironment()), {
    batchId: purchase.id,
    item: purchase.item,
    chunks: await readChunks(file),
  })
  if (keys === null) throw refusal('A line of the file is no key of this brand.')
  return keys
}

export const waitingCommand: OperatorRun = async (ctx, args) => {
  const units = await listQueued(ctx.db)
  print(args, units, () =>
    units.length === 0
      ? 'Nothing waits for a supplier.\n'
      : table(
          ['UNIT', 'ORDER', 'GOODS', 'SUPPLIER', 'WAITS FOR'],
          units.map((unit) => [
            unit.unit,
            unit.orderNumber,
            `${unit.product}: ${unit.item}`,
            unit.supplier,
            unit.held === null ? `its turn, ${moment(unit.dueAt)}` : HELD[unit.held],
          ]),
        ),
  )
  return 0
}

export const allowCommand: OperatorRun = async (ctx, args) => {
  const { minor, currency } = await explained(UNIT, allowCost(ctx, positionals(args)[0] ?? ''))
  const cost = amountText(await minorUnitsOf(ctx), minor, currency)
  process.stdout.write(`It is bought for ${cost}, as it costs now, and for no more.\n`)
  return 0
}

export const byHandCommand: OperatorRun = async (ctx, args) => {
  await explained(UNIT, takeByHand(ctx, positionals(args)[0] ?? ''))
  process.stdout.write('It waits to be delivered by hand: npm run cli -- fulfil list.\n')
  return 0
}

export const casesCommand: OperatorRun = async (ctx, args) => {
  const cases = await listCases(ctx.db)
  const digits = await minorUnitsOf(ctx)
  print(args, cases, () =>
    cases.length === 0
      ? 'Nothing is to be looked at of purchases that are over.\n'
      : table(
          ['CASE', 'WHAT', 'SUPPLIER', 'PURCHASE', 'ORDER', 'COST', 'SINCE (UTC)'],
          cases.map((each) => [
            each.id,
            each.isOnlySaid ? ONLY_SAID : KINDS[each.kind],
            each.supplier,
            each.reference,
            each.orderNumber,
            amountText(digits, each.cost, each.currency),
            moment(each.openedAt),
          ]),
        ),
  )
  return 0
}

export const closeCaseCommand: OperatorRun = async (ctx, args) => {
  const [id = ''] = positionals(args)
  const note = textOf(required(args, '--note', 'what was found, and done about it'))
  await explained(
    { not_found: 'There is no open case of this name. npm run cli -- supply cases shows them.' },
    closeCase(ctx, id, note),
  )
  process.stdout.write('Closed.\n')
  return 0
}

export const resumeCommand: OperatorRun = async (ctx, args) => {
  await explained(SUPPLIER, resumeSupplier(ctx, positionals(args)[0] ?? ''))
  process.stdout.write('What waits there is bought now.\n')
  return 0
}

export const switchCommand: OperatorRun = async (ctx, args) => {
  const [supplier = '', status] = positionals(args)
  if (status !== 'on' && status !== 'off') throw refusal('Say on or off.')
  await explained(SUPPLIER, switchSupplier(ctx, supplier, status))
  process.stdout.write(
    status === 'on'
      ? 'What is paid from now on is bought there.\n'
      : 'Nothing more is bought there; what waited goes to others, or is delivered by hand.\n',
  )
  return 0
}

export const offerCommand: OperatorRun = async (ctx, args) => {
  const [item = '', supplier = '', product = '', amount = '', currency = ''] = positionals(args)
  const face = optionOf(args, '--face')?.split(' ') ?? null
  const priority = Number(optionOf(args, '--priority') ?? '0')
  if (!Number.isInteger(priority) || priority < 0 || priority > 1_000)
    throw refusal('--priority is a whole number from 0 to 1000; the lowest is asked first.')
  const waits = await explained(
    {
      ...SUPPLIER,
      check_fields: 'There is no item of this code.',
    },
    setOffer(ctx, {
      item,
      supplier,
      product: textOf(product),
      priority,
      face: face === null ? null : await readMoney(ctx, face[0] ?? '', face[1] ?? ''),
      cost: await readMoney(ctx, amount, currency),
    }),
  )
  if (waits !== null) return writeWaiting(waits)
  process.stdout.write('What is paid of it from now on is bought there.\n')
  return 0
}

const RETURNED = {
  not_found: SETTLED.not_found,
  conflict: 'It has been given back.',
  order_closed:
    'Only cards that came, that nobody has seen and whose buyers have their money again are given back.',
  check_fields: 'Its supplier takes nothing back, or is not set.',
}

export const returnCommand: OperatorRun = async (ctx, args) => {
  const suppliers = await suppliersHere(ctx)
  const outcome = await explained(RETURNED, returnCards(ctx, suppliers, positionals(args)[0] ?? ''))
  process.stdout.write(
    outcome.kind === 'accepted'
      ? 'The supplier has taken them back, and the money is booked.\n'
      : outcome.kind === 'failed'
        ? `The supplier does not take them back: ${outcome.text || outcome.code}. They stay withdrawn.\n`
        : 'Nobody knows whether the supplier has taken them back: say it again, or look into its report.\n',
  )
  return outcome.kind === 'accepted' ? 0 : 1
}

const SOURCES = { stock: 'stock', order: 'order', both: 'both' } as const

export const sourceCommand: OperatorRun = async (ctx, args) => {
  const [item = '', named = ''] = positionals(args)
  const source = SOURCES[named as keyof typeof SOURCES]
  if (!source) throw refusal('Say stock, order or both.')
  await explained(
    { check_fields: 'There is no item of this code that is delivered as a key.' },
    sellCardsFrom(ctx, item, source),
  )
  process.stdout.write('What somebody begins to pay from now on comes from there.\n')
  return 0
}

export const topupCommand: OperatorRun = async (ctx, args) => {
  const [supplier = '', amount = '', currency = ''] = positionals(args)
  const money = await readMoney(ctx, amount, currency)
  const fee = optionOf(args, '--fee')
  const given = optionOf(args, '--paid')?.split(' ') ?? null
  const paid = given === null ? null : await readMoney(ctx, given[0] ?? '', given[1] ?? '')
  if (paid?.currency === money.currency)
    throw refusal('--paid is for what was paid in another currency.')
  const reference = textOf(
    required(args, '--reference', 'the bank’s or the supplier’s name for it'),
  )
  await explained(
    SUPPLIER,
    bookDeposit(ctx, {
      supplier,
      money,
      feeMinor: fee === null ? 0n : (await readMoney(ctx, fee, currency)).minor,
      reference,
      ...(paid === null ? {} : { paid }),
    }),
  )
  process.stdout.write('Noted, and what waits there is bought now.\n')
  return 0
}

function textOf(given: string): string {
  const text = given.trim()
  if (text === '' || text.length > TEXT_MAX)
    throw refusal(`That takes 1 to ${TEXT_MAX} characters.`)
  return text
}
