import type { Db } from '#platform/db.ts'

export interface StoredNotice {
  readonly publicId: string
  readonly kind: string
  readonly params: unknown
  readonly createdAt: Date
  readonly readAt: Date | null
}

/** One page, newest first, with how many there are and how many of them are unread. */
export async function listNotices(
  db: Db,
  accountId: string,
  page: number,
  limit: number,
): Promise<{ notices: StoredNotice[]; total: number; unread: number }> {
  const [rows, counts] = await Promise.all([
    db
      .selectFrom('notice')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    db
      .selectFrom('notice')
      .where('account_id', '=', accountId)
      .select(({ fn }) => [
        fn.countAll<string>().as('total'),
        fn.countAll<string>().filterWhere('read_at', 'is', null).as('unread'),
      ])
      .executeTakeFirstOrThrow(),
  ])
  return {
    notices: rows.map((row) => ({
      publicId: row.public_id,
      kind: row.kind,
      params: row.params,
      createdAt: row.created_at,
      readAt: row.read_at,
    })),
    total: Number(counts.total),
    unread: Number(counts.unread),
  }
}

/** For the figure in the header (`ext.notice_num`). */
export async function countUnreadNotices(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('notice')
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null)
    .select(({ fn }) => fn.countAll<string>().as('unread'))
    .executeTakeFirstOrThrow()
  return Number(row.unread)
}

/** What the shop has told a person, for the export of everything about them. */
export async function exportNotice(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('notice')
    .select(['kind', 'params', 'created_at', 'read_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    kind: row.kind,
    details: row.params,
    created_at: row.created_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
  }))
}
