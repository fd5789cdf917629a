import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '#features/goods/catalogue/rules.ts'
import type { SampleTexts } from '#features/goods/content/engine/sample-texts.ts'
import { STOCK_CHANNEL } from '#features/goods/stock/commands.ts'
import { listLevels, listRecentSales } from '#features/goods/stock/queries.ts'
import type { Db } from '#platform/db.ts'
import type { Log } from '#platform/log.ts'
import { listen } from '#platform/notifications.ts'
import { changedGoods, type GoodsChange } from './engine/changed.ts'
import { followStock, loadSnapshot, placesOf, type ShopSnapshot } from './snapshot.ts'

export interface SnapshotHolder {
  /** The newest snapshot. Throws before the first one is loaded; see `isReady`. */
  readonly current: () => ShopSnapshot
  readonly isReady: () => boolean
  readonly close: () => Promise<void>
}

export interface SnapshotOptions {
  readonly db: Db
  readonly databaseUrl: string
  readonly log: Log
  /** Texts that do not count as the shop's own; none when absent. */
  readonly samples?: SampleTexts
  /** Called with each replacement after the first; with the goods that it is of, where it is of a few alone. */
  readonly onChange: (snapshot: ShopSnapshot, change: GoodsChange | null) => void
  /** Called when the own pages of some products say something else, and nothing else does. */
  readonly onStock?: (products: readonly Product[]) => void
  /** Between two looks at the stock, in milliseconds. */
  readonly stockPauseMs?: number
}

const TIME = 'time'
/** Changes that touch no word that is searched for: the search indexes stay. */
const WORDLESS_TABLES = new Set([
  TIME,
  'item',
  'item_level_price',
  'currency_rate',
  'review',
  'article',
  'setting',
  'sale_stop',
  'delivery_time',
  'margin_rule',
  'supplier_offer',
  'delivery_pace',
  'tax_class',
  'tax_rate',
  'payment_service',
  'payment_service_former',
  'text_override',
])
/** Changes of one moment (an import) are gathered. */
const GATHER_MS = 150
const RETRY_MS = 2_000
/** Pages are forgotten for the stock's sake at most this often. */
const STOCK_PAUSE_MS = 5_000
/** What sells is a matter of weeks: reading every unit once a day is often enough. */
const SALES_EVERY_MS = 24 * 60 * 60 * 1000
/** Levels of a transaction that ends later may carry an earlier time than some read already. */
const OVERLAP_MS = 60_000
/** Longer than a timer takes. */
const AHEAD_MS = 24 * 60 * 60 * 1000

/** Loads the snapshot and keeps it true: a change in the database is seen within a second, stock within some more. */
export async function holdSnapshot(options: SnapshotOptions): Promise<SnapshotHolder> {
  const { db, databaseUrl, log, onChange } = options
  const held: Held = {
    snapshot: null,
    places: new Map(),
    levelsSince: null,
    recentSales: await listRecentSales(db),
    due: undefined,
    onDue: () => (dirty.add(TIME), changes.ask()),
  }
  let dirty = new Set<string>()
  const changes = paced({ pauseMs: 0, work: reload })
  const stock = paced({
    pauseMs: options.stockPauseMs ?? STOCK_PAUSE_MS,
    work: () => readStock(held, options),
  })
  const listeners = await Promise.all([
    listen(
      databaseUrl,
      'catalogue_changed',
      (table) => {
        dirty.add(table)
        changes.ask()
      },
      log,
    ),
    listen(databaseUrl, STOCK_CHANNEL, stock.ask, log),
  ])
  hold(held, await loadSnapshot(db, 1, null, options.samples))
  const sales = setInterval(() => void readSales(held, options), SALES_EVERY_MS).unref()

  async function reload(): Promise<void> {
    const tables = dirty
    dirty = new Set()
    if (tables.size === 0) return
    try {
      const keepsWords = [...tables].every((table) => WORDLESS_TABLES.has(table))
      const next = await loadSnapshot(
        db,
        (held.snapshot?.version ?? 0) + 1,
        keepsWords ? held.snapshot : null,
        options.samples,
      )
      const before = held.snapshot
      const after = hold(held, next)
      onChange(after, before && changedGoods(before, after))
      // What came between the reading and now was written into the one before.
      stock.ask()
    } catch (error) {
      log.error('catalogue not read, the last one stays', { error })
      for (const table of tables) dirty.add(table)
      await sleep(RETRY_MS, undefined, { ref: false })
      changes.ask()
    }
  }

  return {
    isReady: () => held.snapshot !== null,
    current: () => {
      if (!held.snapshot) throw new Error('The catalogue has not been read yet')
      return held.snapshot
    },
    close: async () => {
      clearInterval(sales)
      clearTimeout(held.due)
      await Promise.all(listeners.map((listener) => listener.close()))
      await Promise.all([changes.close(), stock.close()])
    },
  }
}

interface Held {
  snapshot: ShopSnapshot | null
  places: ReturnType<typeof placesOf>
  levelsSince: Date | null
  recentSales: ShopSnapshot['recentSales']
  /** When something of prices changes by itself. */
  due: NodeJS.Timeout | undefined
  readonly onDue: () => void
}

function hold(held: Held, read: ShopSnapshot): ShopSnapshot {
  const snapshot = { ...read, recentSales: held.recentSales }
  held.snapshot = snapshot
  held.places = placesOf(snapshot.catalogue)
  clearTimeout(held.due)
  held.due = atNextChange(held)
  return snapshot
}

/** Rules begin and end, and rates become too old, without anybody writing anything. */
function atNextChange({ snapshot, onDue }: Held): NodeJS.Timeout | undefined {
  const pricing = snapshot?.pricing
  if (!pricing?.changesAt) return undefined
  const wait = pricing.changesAt.getTime() - pricing.at.getTime() + GATHER_MS
  return setTimeout(onDue, Math.min(AHEAD_MS, wait)).unref()
}

async function readSales(held: Held, { db, log, onChange }: SnapshotOptions): Promise<void> {
  try {
    held.recentSales = await listRecentSales(db)
    if (held.snapshot) onChange(hold(held, held.snapshot), null)
  } catch (error) {
    log.warn('sales not read, those of before stay', { error })
  }
}

async function readStock(
  held: Held,
  { db, log, onChange, onStock }: SnapshotOptions,
): Promise<void> {
  try {
    const levels = await listLevels(db, held.levelsSince)
    if (!held.snapshot || levels.length === 0) return
    held.levelsSince = new Date(
      Math.max(...levels.map(({ updatedAt }) => updatedAt.getTime())) - OVERLAP_MS,
    )
    const { snapshot, products } = followStock(held.snapshot, held.places, levels)
    const isListed = snapshot !== held.snapshot
    held.snapshot = snapshot
    if (isListed) onChange(snapshot, null)
    else if (products.length > 0) onStock?.(products)
  } catch (error) {
    log.warn('stock not read, the last one stays', { error })
  }
}

interface Paced {
  /** Has the work done soon; what is asked for meanwhile is done once more afterwards. */
  readonly ask: () => void
  readonly close: () => Promise<void>
}

/** Does work when asked, once for all who ask within a moment, and at most once in a pause. */
function paced({
  pauseMs,
  work,
}: {
  readonly pauseMs: number
  readonly work: () => Promise<void>
}): Paced {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isAsked = false
  let isClosed = false
  let beganAt = -Infinity

  function ask(): void {
    isAsked = true
    if (isClosed || timer || running) return
    timer = setTimeout(
      () => {
        timer = undefined
        isAsked = false
        beganAt = performance.now()
        running = work().finally(() => {
          running = null
          if (isAsked) ask()
        })
      },
      Math.max(GATHER_MS, beganAt + pauseMs - performance.now()),
    )
  }

  return {
    ask,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}
