import type { Db } from '#platform/db.ts'
import type { Log } from '#platform/log.ts'
import { listen } from '#platform/notifications.ts'
import { loadSnapshot, type ShopSnapshot } from './snapshot.ts'

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
  /** Called with each replacement after the first. */
  readonly onChange: (snapshot: ShopSnapshot) => void
}

/** Changes that touch no word that is searched for: the search indexes stay. */
const WORDLESS_TABLES = new Set(['item', 'item_level_price', 'currency_rate', 'review', 'article', 'setting'])
/** Changes of one moment (an import) are gathered. */
const GATHER_MS = 150
const RETRY_MS = 2_000

/** Loads the snapshot and keeps it true: a change in the database is seen within a second. */
export async function holdSnapshot(options: SnapshotOptions): Promise<SnapshotHolder> {
  let snapshot: ShopSnapshot | null = null
  let dirty = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let closed = false

  const listener = await listen(options.databaseUrl, 'catalogue_changed', (table) => {
    dirty.add(table)
    schedule(GATHER_MS)
  }, options.log)
  snapshot = await loadSnapshot(options.db, 1)

  function schedule(delayMs: number): void {
    if (closed || timer || running) return
    timer = setTimeout(() => {
      timer = undefined
      running = reload().finally(() => {
        running = null
        if (dirty.size > 0) schedule(GATHER_MS)
      })
    }, delayMs)
  }

  async function reload(): Promise<void> {
    const tables = dirty
    dirty = new Set()
    try {
      const keepsWords = [...tables].every((table) => WORDLESS_TABLES.has(table))
      const next = await loadSnapshot(options.db, (snapshot?.version ?? 0) + 1, keepsWords ? snapshot : null)
      snapshot = next
      options.onChange(next)
    } catch (error) {
      options.log.error('catalogue not read, the last one stays', { error })
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      for (const table of tables) dirty.add(table)
    }
  }

  return {
    isReady: () => snapshot !== null,
    current: () => {
      if (!snapshot) throw new Error('The catalogue has not been read yet')
      return snapshot
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      await listener.close()
      await running
    },
  }
}
