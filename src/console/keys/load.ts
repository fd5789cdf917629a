import { listReportedBatches, listShelves, sumShelves } from '#features/buying/shelf/queries.ts'
import {
  NEVER_EMPTY_HOURS,
  SHELF_VIEWS,
  type Shelf,
  type ShelfCursor,
  type ShelfView,
} from '#features/buying/shelf/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { pageOf } from '#kernel/page.ts'
import { formatCount } from '#platform/i18n/format.ts'
import { moneyTexts } from '../kit/money.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { batchRows, type BatchRow } from '../shelf/batch-rows.ts'
import { shelfRows, type ShelfRow } from './rows.ts'

export const KEYS_VIEWS = [...SHELF_VIEWS, 'reported'] as const
export type KeysView = (typeof KEYS_VIEWS)[number]

export interface KeysData {
  readonly view: KeysView
  readonly search: string
  readonly lead: { readonly shelves: number; readonly free: string; readonly worth: string }
  /** Numbers at the views; null where none is told. */
  readonly counts: Readonly<Record<KeysView, number | null>>
  readonly rows: readonly ShelfRow[]
  readonly batches: readonly BatchRow[]
  readonly mayImport: boolean
  readonly next: string | null
}

const LISTED = 50
const SEARCH_MAX = 100

export async function load(context: ConsoleContext): Promise<Loaded<KeysData>> {
  const { ctx, t, query, language } = context
  const named = query.get('view')
  const view = KEYS_VIEWS.find((one) => one === named) ?? 'all'
  const search = query.get('q')?.trim().slice(0, SEARCH_MAX) ?? ''
  const [totals, money] = [await sumShelves(ctx.db), await moneyTexts(context)]
  const shelves = view === 'reported' ? [] : await listPage(context, view, search)
  const { shown, last } = pageOf(shelves, LISTED)
  return {
    title: t('console.keys.nav'),
    data: {
      view,
      search,
      lead: {
        shelves: totals.shelves,
        free: formatCount(language.code, totals.free),
        worth: totals.values.map(({ minor, currency }) => money(minor, currency)).join(' + '),
      },
      counts: {
        all: null,
        low: totals.low,
        expiring: totals.expiring,
        quarantine: totals.quarantined,
        reported: null,
      },
      rows: await shelfRows(context, shown),
      batches:
        view === 'reported'
          ? await batchRows(context, await listReportedBatches(ctx.db, LISTED))
          : [],
      mayImport: mayDo(ctx.operator, 'key.import'),
      next: last ? addressAfter(view, search, last) : null,
    },
  }
}

function listPage(
  { ctx, query, language }: ConsoleContext,
  view: ShelfView,
  search: string,
): Promise<Shelf[]> {
  return listShelves(ctx.db, ctx.now(), {
    view,
    search: search === '' ? undefined : search,
    after: cursorOf(query.get('after')),
    limit: LISTED + 1,
    language: language.code,
  })
}

const CURSOR = /^(\d{1,8})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

function cursorOf(given: string | null): ShelfCursor | null {
  const match = given === null ? null : CURSOR.exec(given)
  return match ? { coverHours: Number(match[1]), item: match[2] ?? '' } : null
}

function addressAfter(view: KeysView, search: string, { coverHours, item }: Shelf): string {
  const address = new URLSearchParams({ view, ...(search === '' ? {} : { q: search }) })
  address.set('after', `${coverHours ?? NEVER_EMPTY_HOURS}_${item}`)
  return `/keys?${address.toString()}`
}
