import type { LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'

export interface ListedInvitation {
  /** Public id. */
  readonly id: string
  readonly name: string
  readonly displayName: string | null
  readonly email: string
  readonly role: string
  readonly language: LanguageCode
  readonly invitedBy: string
  /** For a second person. */
  readonly waits: boolean
  readonly createdAt: Date
  readonly expiresAt: Date
}

const LISTED = 500

/** Open ones, those that have run out too: they can be sent again. */
export async function listInvitations(db: Db): Promise<ListedInvitation[]> {
  const rows = await openInvitations(db).orderBy('created_at', 'desc').limit(LISTED).execute()
  return rows.map(listed)
}

/** The open invitation of an address; null for none, and for one that waits or has run out. */
export async function findInvitation(
  db: Db,
  now: Date,
  email: string,
): Promise<ListedInvitation | null> {
  const row = await openInvitations(db)
    .where('email', '=', email)
    .where('waits', '=', false)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row ? listed(row) : null
}

const openInvitations = (db: Db) =>
  db
    .selectFrom('operator_invitation')
    .select([
      'public_id',
      'name',
      'display_name',
      'email',
      'role',
      'language',
      'invited_by',
      'waits',
      'created_at',
      'expires_at',
    ])
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)

function listed(
  row: Awaited<ReturnType<ReturnType<typeof openInvitations>['executeTakeFirstOrThrow']>>,
): ListedInvitation {
  return {
    id: row.public_id,
    name: row.name,
    displayName: row.display_name,
    email: row.email,
    role: row.role,
    language: row.language,
    invitedBy: row.invited_by,
    waits: row.waits,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
