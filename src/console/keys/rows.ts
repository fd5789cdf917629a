import type { Shelf } from '#features/buying/shelf/rules.ts'
import { formatCount, formatDuration } from '#platform/i18n/format.ts'
import { moneyTexts } from '../kit/money.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext } from '../page.ts'

export interface ShelfRow {
  readonly item: string
  readonly name: string
  readonly sub: string
  readonly free: string
  readonly reserved: string
  readonly sold: string
  readonly look: StateLook
  readonly state: string
  /** How full the meter of cover is, in hundredths. */
  readonly meter: number
  readonly values: readonly string[]
}

/** A meter is full at so many days. */
const FULL_DAYS = 30

export async function shelfRows(
  context: ConsoleContext,
  shelves: readonly Shelf[],
): Promise<ShelfRow[]> {
  const money = await moneyTexts(context)
  const count = (value: number) => formatCount(context.language.code, value)
  return shelves.map((shelf) => ({
    item: shelf.itemCode,
    name: shelf.brandName,
    sub: `${shelf.itemName}, ${shelf.regionName}`,
    free: count(shelf.free),
    reserved: count(shelf.reserved),
    sold: count(shelf.sold),
    look: lookOf(shelf),
    state: stateOf(context, shelf),
    meter:
      shelf.coverHours === null
        ? 100
        : Math.min(100, Math.round((shelf.coverHours / (FULL_DAYS * 24)) * 100)),
    values: shelf.values.map(({ minor, currency }) => money(minor, currency)),
  }))
}

function lookOf({ isOnSale, isToOrder, isLow, free }: Shelf): StateLook {
  if (!isOnSale) return 'gone'
  if (isToOrder) return 'way'
  if (free === 0) return 'badge bad'
  return isLow ? 'badge warn' : 'done'
}

function stateOf({ t, language }: ConsoleContext, shelf: Shelf): string {
  if (!shelf.isOnSale) return t('console.keys.offSale')
  if (shelf.isToOrder) return t('console.keys.toOrder')
  if (shelf.free === 0) return t('console.keys.empty')
  if (shelf.coverHours === null || shelf.sold === 0) return t('console.keys.noSales')
  return formatDuration(language.code, shelf.coverHours * 3_600)
}
