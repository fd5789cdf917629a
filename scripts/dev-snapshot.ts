import { openDatabase } from '#platform/db.ts'
import type { holdSnapshot, SnapshotHolder, SnapshotOptions } from '#features/goods/browse/flows.ts'

type Hold = typeof holdSnapshot

/**
 * The catalogue in memory, kept over reloads for as long as the code that reads it is the same: reading it anew is most of
 * the time a reload takes. It has a connection of its own, since those of each reloaded shop end with that shop.
 */
export function createSnapshotFile(databaseUrl: string): (hold: Hold) => Hold {
  const db = openDatabase({ url: databaseUrl, poolSize: 2, statementTimeoutMs: 30_000 })
  let kept: Readonly<{ hold: Hold; holder: SnapshotHolder }> | undefined
  let newest: SnapshotOptions
  return (hold) => async (options) => {
    newest = options
    if (kept?.hold !== hold) {
      await kept?.holder.close()
      const holder = await hold({
        ...options,
        db,
        onChange: (snapshot, change) => newest.onChange(snapshot, change),
        onStock: (products) => newest.onStock?.(products),
      })
      kept = { hold, holder }
    }
    return { ...kept.holder, close: async () => {} }
  }
}
