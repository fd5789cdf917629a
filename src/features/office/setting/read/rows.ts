import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'

/** All rows as they are written, in the order of their keys. */
export async function readRows(db: Db | Tx): Promise<ReadonlyMap<string, unknown>> {
  const rows = await db.selectFrom('setting').select(['key', 'value']).orderBy('key').execute()
  return new Map<string, unknown>(rows.map(({ key, value }) => [key, value]))
}
