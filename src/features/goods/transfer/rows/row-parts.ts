import { columnsOfCover } from '#features/goods/picture/cover/stored.ts'
import { readAmount } from '../folder/amounts.ts'
import type { Known } from '../folder/known.ts'
import type { Picture } from '../schema/picture.ts'
import type { Row } from './tables.ts'

export interface RowContext {
  readonly source: string
  readonly known: Known
  /** Category code → id, of the shop and the folder together. */
  readonly categoryIds: ReadonlyMap<string, number>
}

/** Adds a picture's row; its code says whose it is. */
export function pictureRow(
  pictures: Map<string, Row>,
  code: string,
  picture: Picture | undefined,
): string | null {
  if (!picture) return null
  const row =
    'file' in picture
      ? {
          code,
          kind: 'file',
          recipe: null,
          design: null,
          short: null,
          path: picture.file,
          crop: picture.crop ?? null,
        }
      : { code, kind: 'cover', ...columnsOfCover(picture.cover), path: null, crop: null }
  pictures.set(code, row)
  return code
}

export function upkeepOf(
  row: { readonly status?: string | undefined; readonly source?: string | undefined },
  context: RowContext,
): Row {
  return { status: row.status ?? 'active', source: row.source ?? context.source }
}

/** Minor units of an amount that `check.ts` has accepted. */
export function minorOf(
  text: string,
  currency: string,
  known: Known,
): { minor: string; currency: string } {
  const value = readAmount(text, currency, known.currencies)
  if (typeof value === 'string') throw new Error(`Unchecked amount: ${value}`)
  return { minor: value.minor.toString(), currency: value.currency }
}
