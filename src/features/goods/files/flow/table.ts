import { createHash } from 'node:crypto'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { makeChange, tryChange, type HoldPriceEffect } from '#features/goods/editing/commands.ts'
import type { Edit, GoodsEffect } from '#features/goods/editing/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { isAppError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import { createTurns } from '#platform/turns.ts'
import { endFile, endLook, noteStep, type Looked } from '../commands.ts'
import { editsOf, type RowTerms } from '../engine/rows.ts'
import { faultAt, readTable, type ReadTable, type TableRow } from '../engine/table.ts'
import { tableText } from '../engine/table-text.ts'
import { readCurrencies } from '../queries.ts'
import {
  LINES_A_PART,
  TRIES_OF_PART,
  type FileFault,
  type FileReport,
  type GoodsFile,
} from '../rules.ts'
import { batchesOf, planBatch, standingFor, takeBatch } from './batch.ts'

interface Opened {
  readonly file: GoodsFile
  readonly table: ReadTable
  readonly terms: RowTerms
  /** Lines in parts; the same of a file whenever it is read. */
  readonly parts: readonly (readonly TableRow[])[]
}

async function open(ctx: OperatorCtx, file: GoodsFile, bytes: Buffer): Promise<Opened> {
  const table = await readTable(tableText(bytes))
  const digits = new Map((await listCurrencies(ctx.db)).map((one) => [one.code, one.minorUnits]))
  const parts: TableRow[][] = []
  for (let start = 0; start < table.rows.length; start += LINES_A_PART)
    parts.push(table.rows.slice(start, start + LINES_A_PART))
  return { file, table, parts, terms: { language: file.mark === ',' ? 'de' : 'en', digits } }
}

interface Part {
  /** What is told and bound. */
  readonly facts: readonly Edit[]
  /** What is in stock moves with each sale: it is set, whatever it was. */
  readonly stock: readonly Edit[]
  readonly fresh: readonly TableRow[]
  readonly lines: ReadonlyMap<string, TableRow>
}

async function partOf(
  ctx: OperatorCtx,
  rows: readonly TableRow[],
  terms: RowTerms,
  faults: FileFault[],
): Promise<Part> {
  const there = await readCurrencies(
    ctx.db,
    rows.map(({ code }) => code),
  )
  const giveWay = createTurns()
  const edits: Edit[] = []
  for (const row of rows) {
    const currency = there.get(row.code)
    if (currency !== undefined) edits.push(...editsOf(row, currency, terms, faults))
    await giveWay()
  }
  return {
    facts: edits.filter(({ field }) => field !== 'stock'),
    stock: edits.filter(({ field }) => field === 'stock'),
    fresh: rows.filter(({ code }) => !there.has(code)),
    lines: new Map(rows.map((row) => [row.code, row])),
  }
}

const faultsOf = (effect: GoodsEffect, { lines }: Part): FileFault[] =>
  effect.faults.flatMap(({ code, field, reason, why }) => {
    const row = lines.get(code)
    return row
      ? [faultAt(row.line, field, row.cells[field as keyof TableRow['cells']] ?? '', reason, why)]
      : []
  })

/** Looks through a table and tells what it would do. @returns null where it has been cancelled */
async function look(ctx: OperatorCtx, opened: Opened): Promise<Looked | null> {
  const { file, table, parts, terms } = opened
  const faults = [...table.faults]
  const hash = createHash('sha256')
  const sum = { changed: 0, pricesUp: 0, pricesDown: 0, belowCost: 0, belowFloor: 0 }
  const goods: Record<string, number> = {}
  const fresh: TableRow[] = []
  for (const [no, rows] of parts.entries()) {
    const part = await partOf(ctx, rows, terms, faults)
    fresh.push(...part.fresh)
    for (const name of ['facts', 'stock'] as const) {
      if (part[name].length === 0) continue
      const effect = await tryChange(ctx, { edits: part[name] })
      faults.push(...faultsOf(effect, part))
      if (name === 'facts') hash.update(effect.hash)
      goods[`${no}-${name}`] = effect.goods
      sum.changed += effect.goods
      sum.pricesUp += effect.prices?.up ?? 0
      sum.pricesDown += effect.prices?.down ?? 0
      sum.belowCost += effect.belowCost.count
      sum.belowFloor += effect.belowFloor.count
    }
    if (!(await noteStep(ctx, file, { step: no + 1, steps: parts.length + 1 }))) return null
  }
  const made = await lookAtFresh(ctx, opened, fresh, faults, (text) => hash.update(text))
  const ordered = faults.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
  // A column that is not known leaves out no line.
  const left = new Set(ordered.map(({ line }) => line).filter((line) => line !== table.head)).size
  return {
    report: {
      lines: table.lines,
      ...made,
      ...sum,
      parts: goods,
      lacking: fresh.length - (made.items ?? 0),
      faults: faults.length,
      left,
    },
    faults: ordered,
    hash: hash.digest('base64url'),
  }
}

async function lookAtFresh(
  ctx: OperatorCtx,
  { file, terms }: Opened,
  fresh: readonly TableRow[],
  faults: FileFault[],
  note: (text: string) => void,
): Promise<Pick<FileReport, 'brands' | 'products' | 'items'>> {
  const made = { brands: new Set<string>(), products: new Set<string>(), items: 0 }
  for (const rows of batchesOf(fresh, await standingFor(ctx, fresh))) {
    const batch = await planBatch(ctx, rows, terms, file.isOnSale, faults)
    if (!batch) continue
    note(batch.effect.hash)
    for (const { code } of batch.effect.brands) made.brands.add(code)
    for (const { code } of batch.effect.products) made.products.add(code)
    made.items += batch.effect.items.length
  }
  return { brands: made.brands.size, products: made.products.size, items: made.items }
}

export async function lookAtTable(ctx: OperatorCtx, file: GoodsFile, bytes: Buffer): Promise<void> {
  const looked = await look(ctx, await open(ctx, file, bytes))
  if (looked) await endLook(ctx, file, looked)
}

/** Does what was seen, a part at a time; a process that dies goes on with the part it was at, and does none of them twice. */
export async function takeTable(
  ctx: OperatorCtx,
  file: GoodsFile,
  bytes: Buffer,
  { hold, signal }: { readonly hold: HoldPriceEffect; readonly signal: AbortSignal },
): Promise<void> {
  const opened = await open(ctx, file, bytes)
  const { parts, table } = opened
  const steps = parts.length + 2
  if (file.step === 0) {
    const looked = await look(ctx, opened)
    if (!looked) return
    if (looked.hash !== file.hash)
      return endLook(ctx, file, { ...looked, report: { ...looked.report, isMoved: true } })
    if (!(await noteStep(ctx, file, { step: 1, steps, report: looked.report }))) return
  }
  const done = { made: 0, changed: 0, waits: 0, left: 0, ...file.report.done }
  const started = Math.max(0, file.step - 2)
  if (started === 0 && !(await makeFresh(ctx, opened, signal))) return
  for (const [no, rows] of parts.entries()) {
    if (no < started) continue
    if (signal.aborted) return
    const part = await partOf(ctx, rows, opened.terms, [])
    for (const name of ['facts', 'stock'] as const) {
      const came = await takePart(ctx, file, { key: `${no}-${name}`, edits: part[name] }, hold)
      done.changed += came.changed
      done.waits += came.waits
      done.left += came.left
    }
    const report = { ...file.report, done }
    if (!(await noteStep(ctx, file, { step: no + 3, steps, report }))) return
  }
  const lacking = table.rows.length - (await countThere(ctx, parts))
  const { items = 0, lacking: expected = 0 } = file.report
  const missed = Math.max(0, lacking - expected)
  const left = (file.report.left ?? 0) + missed + done.left
  const end = { ...done, made: Math.max(0, items - missed), left }
  const report = { ...file.report, isMoved: false, done: end }
  await transaction(ctx, (tx, now) => endFile(tx, now, file, { state: 'done', report }))
}

async function countThere(ctx: OperatorCtx, parts: Opened['parts']): Promise<number> {
  let count = 0
  for (const rows of parts)
    count += (
      await readCurrencies(
        ctx.db,
        rows.map(({ code }) => code),
      )
    ).size
  return count
}

/** @returns false where it has been stopped */
async function makeFresh(
  ctx: OperatorCtx,
  { file, parts, terms }: Opened,
  signal: AbortSignal,
): Promise<boolean> {
  const fresh: TableRow[] = []
  for (const rows of parts) fresh.push(...(await partOf(ctx, rows, terms, [])).fresh)
  for (const rows of batchesOf(fresh, await standingFor(ctx, fresh))) {
    if (signal.aborted) return false
    await takeBatch(ctx, rows, terms, file)
    if (!(await noteStep(ctx, file, { step: 1, steps: parts.length + 2 }))) return false
  }
  return noteStep(ctx, file, { step: 2, steps: parts.length + 2 })
}

/** Goods, and requests for a second person. */
interface Taken {
  readonly changed: number
  readonly waits: number
  readonly left: number
}

async function takePart(
  ctx: OperatorCtx,
  file: GoodsFile,
  { key, edits }: { readonly key: string; readonly edits: readonly Edit[] },
  hold: HoldPriceEffect,
  tries = TRIES_OF_PART,
): Promise<Taken> {
  if (edits.length === 0) return { changed: 0, waits: 0, left: 0 }
  const asked = { edits }
  const { hash, goods } = await tryChange(ctx, asked)
  // Nothing is left to do: it was done before this process came to it, or there was nothing.
  if (goods === 0) return { changed: file.report.parts?.[key] ?? 0, waits: 0, left: 0 }
  const name = `${file.publicId}-${key}-${hash.slice(0, 22)}`
  try {
    const made = await makeChange(
      ctx,
      { key: name, asked, kind: 'import', hash, note: file.fileName, isPartial: true },
      hold,
    )
    return { changed: made.waits === null ? goods : 0, waits: made.waits === null ? 0 : 1, left: 0 }
  } catch (error) {
    const left = { changed: 0, waits: 0, left: new Set(edits.map(({ code }) => code)).size }
    // Somebody has changed one of them at this very moment, as each sale changes what is in stock: it is worked out anew, or else in halves.
    if (isAppError(error) && error.code === 'changed_meanwhile') {
      if (tries > 1) return takePart(ctx, file, { key, edits }, hold, tries - 1)
      return edits.length === 1 ? left : takeHalves(ctx, file, { key, edits }, hold)
    }
    // Nobody looks at so many that wait: it is left out, and comes with the file once some are decided.
    if (isAppError(error) && error.code === 'too_many_waiting') return left
    throw error
  }
}

/** Fewer goods are changed by others less often. */
async function takeHalves(
  ctx: OperatorCtx,
  file: GoodsFile,
  { key, edits }: { readonly key: string; readonly edits: readonly Edit[] },
  hold: HoldPriceEffect,
): Promise<Taken> {
  const middle = Math.ceil(edits.length / 2)
  const one = await takePart(ctx, file, { key: `${key}.1`, edits: edits.slice(0, middle) }, hold)
  const other = await takePart(ctx, file, { key: `${key}.2`, edits: edits.slice(middle) }, hold)
  return {
    changed: one.changed + other.changed,
    waits: one.waits + other.waits,
    left: one.left + other.left,
  }
}
