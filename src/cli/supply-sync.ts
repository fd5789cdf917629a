import {
  acceptCost,
  excludeListing,
  lockListingByOperator,
  mapListing,
  publishDrafts,
  setSyncMode,
  withdrawOffer,
} from '#features/supply/sync/commands.ts'
import { syncCatalogue } from '#features/supply/sync/flows.ts'
import { showListings } from '#features/supply/sync/queries.ts'
import { SYNC_FIELDS, SYNC_MODES, type ListingStatus } from '#features/supply/sync/rules.ts'
import { refusal } from '#platform/refusal.ts'
import { SupplyUnavailable } from '#providers/supply/provider.ts'
import { optionOf, type OperatorRun } from './commands.ts'
import { amountText, minorUnitsOf } from './money.ts'
import { reportText } from './supply-sync-report.ts'
import { supplierHere } from './suppliers.ts'
import { explained, positionals, print, table } from './table.ts'
import { writeWaiting } from './waiting.ts'

const STATUSES: readonly ListingStatus[] = ['mapped', 'draft', 'unmatched', 'excluded', 'gone']
const LISTING = {
  not_found:
    'The supplier lists nothing of this name, or nothing of it waits. npm run cli -- supply listed shows what it lists.',
  check_fields: 'The shop has no item of this code.',
  conflict: 'That item is another product of this supplier already.',
}

export const syncCommand: OperatorRun = async (ctx, args) => {
  const [code = ''] = positionals(args)
  const supplier = await supplierHere(ctx, code)
  const isDry = args.includes('--dry-run')
  const report = await explained(
    {
      conflict:
        'More than half of what it listed is missing from its list. Nothing was changed; --apply-jumps takes the list as it is.',
      still_running:
        'Its catalogue is being synchronised already: npm run cli -- supply syncs shows what comes of it.',
    },
    syncCatalogue(ctx, supplier, { isDry, appliesJumps: args.includes('--apply-jumps') }),
  ).catch((error: unknown) => {
    throw error instanceof SupplyUnavailable
      ? refusal(`Its list could not be read: ${error.message}. Nothing was changed.`, error)
      : error
  })
  print(
    args,
    report,
    () => `${isDry ? 'Nothing was changed. It would be:\n' : ''}${reportText(report)}`,
  )
  return 0
}

export const listedCommand: OperatorRun = async (ctx, args) => {
  const [supplier = ''] = positionals(args)
  const status = optionOf(args, '--status')
  if (status !== null && !STATUSES.some((each) => each === status))
    throw refusal(`--status is one of ${STATUSES.join(', ')}.`)
  const rows = await showListings(ctx.db, {
    supplier,
    status: STATUSES.find((each) => each === status) ?? null,
    held: false,
  })
  const digits = await minorUnitsOf(ctx)
  print(args, rows, () =>
    table(
      ['PRODUCT', 'FACE', 'NAME', 'STATE', 'ITEM', 'FOUND BY', 'COST'],
      rows.map((row) => [
        row.product,
        row.face,
        row.name,
        row.isLocked ? `${row.status}, locked` : row.status,
        row.item ?? '',
        row.score === null ? (row.matchedBy ?? '') : `${row.matchedBy} ${row.score} %`,
        row.cost === null ? '' : amountText(digits, row.cost, row.costCurrency ?? ''),
      ]),
    ),
  )
  return 0
}

export const jumpsCommand: OperatorRun = async (ctx, args) => {
  const [supplier] = positionals(args)
  const rows = await showListings(ctx.db, { supplier: supplier ?? null, status: null, held: true })
  const digits = await minorUnitsOf(ctx)
  print(args, rows, () =>
    rows.length === 0
      ? 'No cost waits.\n'
      : table(
          ['SUPPLIER', 'PRODUCT', 'FACE', 'ITEM', 'COST NOW', 'WOULD BE'],
          rows.map((row) => [
            row.supplier,
            row.product,
            row.face,
            row.item ?? '',
            row.offerCost === null
              ? ''
              : amountText(digits, row.offerCost, row.offerCurrency ?? ''),
            row.held === null ? '' : amountText(digits, row.held, row.heldCurrency ?? ''),
          ]),
        ),
  )
  return 0
}

const FACE = /^(\d{1,18}) ([A-Z]{3})$/
function named(args: readonly string[]) {
  const [supplier = '', product = ''] = positionals(args)
  const face = optionOf(args, '--face') ?? ''
  if (face !== '' && !FACE.test(face))
    throw refusal('--face is written as supply listed shows it: "500 USD".')
  return { supplier, product, face }
}

export const acceptCostCommand: OperatorRun = async (ctx, args) => {
  await explained(LISTING, acceptCost(ctx, named(args)))
  process.stdout.write('It is what the item costs now.\n')
  return 0
}

export const mapCommand: OperatorRun = async (ctx, args) => {
  await explained(LISTING, mapListing(ctx, named(args), positionals(args)[2] ?? ''))
  process.stdout.write('Mapped. The next sync has its cost and stock follow.\n')
  return 0
}

export const excludeCommand: OperatorRun = async (ctx, args) => {
  const isExcluded = !isOff(positionals(args)[2])
  await explained(LISTING, excludeListing(ctx, named(args), isExcluded))
  process.stdout.write(
    isExcluded ? 'It is not bought there any more.\n' : 'The next sync lets it in again.\n',
  )
  return 0
}

export const lockCommand: OperatorRun = async (ctx, args) => {
  const isLocked = !isOff(positionals(args)[2])
  await explained(LISTING, lockListingByOperator(ctx, named(args), isLocked))
  process.stdout.write(isLocked ? 'Syncs leave it as it is.\n' : 'Syncs go on with it.\n')
  return 0
}

function isOff(word: string | undefined): boolean {
  if (word !== 'on' && word !== 'off') throw refusal('Say on or off.')
  return word === 'off'
}

export const modeCommand: OperatorRun = async (ctx, args) => {
  const [, , given, wanted] = positionals(args)
  const field = SYNC_FIELDS.find((each) => each === given)
  const mode = SYNC_MODES.find((each) => each === wanted)
  if (!field || !mode)
    throw refusal(`Say which of ${SYNC_FIELDS.join(', ')}, and one of ${SYNC_MODES.join(', ')}.`)
  await explained(LISTING, setSyncMode(ctx, named(args), field, mode))
  process.stdout.write('Noted for the next sync.\n')
  return 0
}

export const publishCommand: OperatorRun = async (ctx, args) => {
  const [supplier = '', item] = positionals(args)
  if (item === undefined && !args.includes('--all'))
    throw refusal('Name the item, or say --all for every draft of the supplier.')
  const count = await explained(
    { not_found: 'There is no such draft: npm run cli -- supply listed shows them.' },
    publishDrafts(ctx, supplier, item ?? null),
  )
  process.stdout.write(`In the shop now: ${count}.\n`)
  return 0
}

export const withdrawCommand: OperatorRun = async (ctx, args) => {
  const [supplier = '', item = ''] = positionals(args)
  const waits = await explained(
    { not_found: 'This item is not bought at this supplier.' },
    withdrawOffer(ctx, supplier, item),
  )
  if (waits !== null) return writeWaiting(waits)
  process.stdout.write(
    'It is not bought there any more. What waits goes to its next supplier, and is given back where there is none.\n',
  )
  return 0
}
