import type { Db } from '#platform/db.ts'
import { uploadAddress } from './rules.ts'

/** WebP of an avatar, for anybody who knows its id; null where there is none. Pictures of tickets are not shown to the public. */
export async function findAvatar(db: Db, publicId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('uploaded_picture')
    .select('content')
    .where('public_id', '=', publicId)
    .where('purpose', '=', 'avatar')
    .executeTakeFirst()
  return row?.content ?? null
}

/** The person's own pictures, by address, for the export. */
export async function exportUpload(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('uploaded_picture')
    .select(['public_id', 'purpose', 'width', 'height', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    address: uploadAddress(row.public_id),
    purpose: row.purpose,
    width: row.width,
    height: row.height,
    sent_at: row.created_at.toISOString(),
  }))
}
