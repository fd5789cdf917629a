import { listFaults, listImports } from '#features/buying/key-import/queries.ts'
import { isOpen, type ImportStatus, type KeyImport } from '#features/buying/key-import/rules.ts'
import { getShelf, listShelfBatches, type BatchCursor } from '#features/buying/shelf/queries.ts'
import type { Shelf } from '#features/buying/shelf/rules.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { findStockable } from '#features/buying/vault/queries.ts'
import { arePictures } from '#features/buying/vault/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { pageOf } from '#kernel/page.ts'
import { formatCount, formatDuration, formatShortMoment } from '#platform/i18n/format.ts'
import { moneyTexts } from '../kit/money.ts'
import { shelfRows, type ShelfRow } from '../keys/rows.ts'
import { actorName } from '../kit/actor-name.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { batchRows, type BatchRow } from './batch-rows.ts'

export interface ImportRow {
  readonly id: string
  readonly status: ImportStatus
  readonly file: string
  readonly at: string
  readonly by: string
  readonly lines: number
  /** Lines looked through, or taken. */
  readonly done: number
  readonly fresh: number
  readonly known: number
  readonly doubled: number
  readonly malformed: number
  readonly expired: number
  readonly taken: number
  readonly skipped: number
  readonly faults: readonly FaultRow[]
  /** What taking it does; null while that is not known, or past. */
  readonly effect: ImportEffect | null
}

export interface FaultRow {
  readonly line: string
  readonly text: string
}

export interface ImportEffect {
  readonly free: { readonly from: string; readonly to: string }
  readonly cover: { readonly from: string; readonly to: string } | null
  readonly value: string | null
}

export interface ShelfData {
  readonly row: ShelfRow
  readonly lowDays: number | null
  readonly version: number
  readonly mayImport: boolean
  /** Its keys are pictures. */
  readonly isPictures: boolean
  /** Codes of currencies that a cost can be in, with their minor units. */
  readonly currencies: readonly { readonly code: string; readonly minorUnits: number }[]
  /** Imports that are not over. */
  readonly imports: readonly ImportRow[]
  readonly past: readonly ImportRow[]
  readonly batches: readonly BatchRow[]
  readonly older: string | null
}

const LISTED = 30
const IMPORTS_LISTED = 20
const PAST_SHOWN = 3
const FAULTS_SHOWN = 50

export async function load(context: ConsoleContext): Promise<Loaded<ShelfData>> {
  const { ctx, params, query } = context
  const itemCode = decodeURIComponent(params['item'] ?? '')
  const shelf = await getShelf(
    ctx.db,
    { now: ctx.now(), language: context.language.code },
    itemCode,
  )
  const batches = await listShelfBatches(ctx.db, itemCode, cursorOf(query.get('after')), LISTED + 1)
  const { shown, last } = pageOf(batches, LISTED)
  const imports = await listImports(ctx.db, { itemCode, limit: IMPORTS_LISTED })
  const stockable = await findStockable(ctx.db, itemCode)
  const [row] = await shelfRows(context, [shelf])
  if (!row) throw new AppError('not_found')
  const rowsOf = (list: readonly KeyImport[]) =>
    Promise.all(list.map((one) => importRow(context, shelf, one)))
  return {
    title: `${row.name}, ${row.sub}`,
    data: {
      row,
      lowDays: shelf.lowDays,
      version: shelf.version,
      mayImport: mayDo(ctx.operator, 'key.import'),
      isPictures: stockable !== null && arePictures(stockable.format),
      currencies: (await listCurrencies(ctx.db)).map(({ code, minorUnits }) => ({
        code,
        minorUnits,
      })),
      imports: await rowsOf(imports.filter(isOpen)),
      past: await rowsOf(imports.filter((one) => !isOpen(one)).slice(0, PAST_SHOWN)),
      batches: await batchRows(context, shown),
      older: last ? `/keys/${itemCode}?after=${last.createdAt.getTime()}_${last.id}` : null,
    },
  }
}

const CURSOR = /^(\d{1,16})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

function cursorOf(given: string | null): BatchCursor | null {
  const match = given === null ? null : CURSOR.exec(given)
  return match ? { at: new Date(Number(match[1])), id: match[2] ?? '' } : null
}

async function importRow(
  context: ConsoleContext,
  shelf: Shelf,
  one: KeyImport,
): Promise<ImportRow> {
  const { language, timeZone } = context
  const isTaking = one.status === 'taking' || one.status === 'done'
  const isDecided = one.status === 'checked' || one.status === 'waiting'
  return {
    id: one.id,
    status: one.status,
    file: one.fileName,
    at: formatShortMoment(language.code, one.createdAt, timeZone),
    by: actorName(one.createdBy),
    lines: one.lines,
    done: isTaking ? one.takenLines : one.checkedLines,
    fresh: one.fresh,
    known: one.known,
    doubled: one.doubled,
    malformed: one.malformed,
    expired: one.expired,
    taken: one.taken,
    skipped: one.skipped,
    faults: isDecided ? await faultRows(context, one.id) : [],
    effect: isDecided ? await effectOf(context, shelf, one) : null,
  }
}

async function faultRows({ ctx, t, language }: ConsoleContext, id: string): Promise<FaultRow[]> {
  const faults = await listFaults(ctx.db, id, 0, FAULTS_SHOWN)
  return faults.map(({ line, fault, part, sameAs }) => ({
    line: formatCount(language.code, line),
    text:
      fault === 'doubled'
        ? t('console.keys.fault.doubled', { line: sameAs ?? 0 })
        : fault === 'part'
          ? t('console.keys.fault.part', { part: part ?? '' })
          : t(`console.keys.fault.${fault}`),
  }))
}

async function effectOf(
  context: ConsoleContext,
  shelf: Shelf,
  { fresh, cost }: KeyImport,
): Promise<ImportEffect> {
  const { language } = context
  const money = await moneyTexts(context)
  const count = (value: number) => formatCount(language.code, value)
  const after = shelf.free + fresh
  const hours =
    shelf.coverHours === null || shelf.free === 0 ? null : (shelf.coverHours / shelf.free) * after
  const lasting = (value: number) => formatDuration(language.code, Math.round(value) * 3_600)
  return {
    free: { from: count(shelf.free), to: count(after) },
    cover:
      hours === null || shelf.coverHours === null
        ? null
        : { from: lasting(shelf.coverHours), to: lasting(hours) },
    value: cost && money(cost.minor * BigInt(fresh), cost.currency),
  }
}
