import { isDeepStrictEqual } from 'node:util'
import { saidCover } from '#features/goods/picture/cover/stored.ts'
import { writeAmount } from '../folder/amounts.ts'
import type { Known } from '../folder/known.ts'
import type { Row } from '../rows/tables.ts'

export interface ExportContext {
  readonly source: string
  readonly known: Known
  readonly pictures: ReadonlyMap<string, Row>
  readonly categoryCodes: ReadonlyMap<unknown, string>
}

/** Leaves out what reading a folder fills in by itself: nothing, false, and empty lists. */
export function dropDefaults(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).filter(
      ([, value]) =>
        value !== null &&
        value !== undefined &&
        value !== false &&
        !(Array.isArray(value) && value.length === 0),
    ),
  )
}

/** A count that is left out where it is 0. */
export function countOr(value: unknown): number | undefined {
  return Number(value) === 0 ? undefined : Number(value)
}

export function textOr(value: unknown): unknown {
  return value === '' ? undefined : value
}

/** Order that does not depend on the machine's language. */
export function byText(rows: readonly Row[], column: string): Row[] {
  return [...rows].sort((a, b) => compareTexts(String(a[column]), String(b[column])))
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function byPosition(rows: readonly Row[], column: string): Row[] {
  return byText(rows, column).sort((a, b) => Number(a['position']) - Number(b['position']))
}

/** A position is said only where it is not the place in the file. */
export function place(row: Row, index: number): { position?: unknown } {
  return row['position'] === index ? {} : { position: row['position'] }
}

export function dateText(value: unknown): string {
  const text = (value as Date).toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.replace('.000Z', 'Z')
}

export function upkeep(row: Row, context: ExportContext): Row {
  return {
    status: row['status'] === 'active' ? undefined : row['status'],
    source: row['source'] === context.source ? undefined : row['source'],
  }
}

export function amountOf(
  minor: unknown,
  currency: unknown,
  of: string,
  known: Known,
): string | undefined {
  return minor === null
    ? undefined
    : writeAmount(String(minor), String(currency), of, known.currencies)
}

const RECIPE_KEYS = ['name', 'kind', 'color', 'tag', 'short', 'design'] as const
const DESIGN_KEYS = ['motif', 'inks', 'ink', 'voice', 'lines', 'layout', 'title', 'ground'] as const

function recipeOfPicture({ recipe, design, short }: Row): Row {
  return recipeValue(saidCover({ recipe, design, short }))
}

/** A recipe in the order of its keys in files: the database keeps no order. */
export function recipeValue(recipe: Row): Row {
  const design = recipe['design'] as Row | undefined
  return dropDefaults({
    ...Object.fromEntries(RECIPE_KEYS.map((key) => [key, recipe[key]])),
    design: design && designValue(design),
  })
}

/** Beside a layout, a title at the foot and a plain ground are what is meant where nothing is said. */
function designValue(design: Row): Row {
  const isUsual = (key: string, usual: string) =>
    design['layout'] !== undefined && design[key] === usual
  return dropDefaults({
    ...Object.fromEntries(DESIGN_KEYS.map((key) => [key, design[key]])),
    ...(isUsual('title', 'foot') ? { title: null } : {}),
    ...(isUsual('ground', 'plain') ? { ground: null } : {}),
  })
}

export function pictureValue(code: unknown, context: ExportContext): Row | undefined {
  const row = context.pictures.get(String(code))
  if (!row) return undefined
  return row['kind'] === 'file' ? fileValue(row) : { cover: recipeOfPicture(row) }
}

const fileValue = ({ path, crop }: Row): Row => ({ file: path, ...(crop ? { crop } : {}) })

/** A product's picture, where it is not its brand's: of a cover only what differs. */
export function productPictureValue(
  code: unknown,
  brandCode: unknown,
  context: ExportContext,
): Row | undefined {
  const own = context.pictures.get(String(code))
  if (!own || code === brandCode) return undefined
  if (own['kind'] === 'file') return fileValue(own)
  const brand = context.pictures.get(String(brandCode))
  const base = brand?.['kind'] === 'cover' ? recipeOfPicture(brand) : {}
  const recipe = recipeOfPicture(own)
  const lacking = Object.keys(base).filter((key) => recipe[key] === undefined)
  return {
    cover: Object.fromEntries([
      ...Object.entries(recipe).filter(([key, value]) => !isDeepStrictEqual(base[key], value)),
      ...lacking.map((key) => [key, null]),
    ]),
  }
}
