import { listCurrencies } from '#features/goods/currency/queries.ts'
import type { Db } from '#platform/db.ts'
import { codesIn, readPaste, type Pasted, type PasteTerms } from '../engine/paste.ts'
import { readPrices } from './prices.ts'

/** Reads a copied table for the items that are there, and writes nothing. */
export async function readPasted(
  db: Db,
  given: Pick<PasteTerms, 'text' | 'codes' | 'columns' | 'language'>,
): Promise<Pasted> {
  const prices = await readPrices(db, [...given.codes, ...codesIn(given.text)])
  const digits = new Map((await listCurrencies(db)).map((one) => [one.code, one.minorUnits]))
  return readPaste({ ...given, digits, prices })
}
