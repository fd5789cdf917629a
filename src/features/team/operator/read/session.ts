import { sql } from 'kysely'
import type { LanguageCode } from '#kernel/language.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { sha256 } from '#platform/secrets.ts'
import { operatorOf, POWER_COLUMNS, POWERS, type PowerRow } from './role.ts'
import {
  PROOF_KINDS,
  SESSION_IDLE_MS,
  SESSION_TOUCH_MS,
  type Operator,
  type OperatorSession,
  type ProofKind,
  type ShownFactor,
  type Theme,
} from '../rules.ts'

/** 256 bits in base64url; anything else is not looked up. */
const SECRET = /^[A-Za-z0-9_-]{43}$/

export interface SignedInOperator {
  readonly operator: Operator
  readonly session: OperatorSession
}

interface SessionRow extends PowerRow {
  readonly session_id: string
  readonly public_id: string
  readonly factor: ShownFactor
  readonly created_at: Date
  readonly seen_at: Date
  readonly expires_at: Date
  readonly id: string
  readonly name: string
  readonly role: string
  readonly email: string | null
  readonly display_name: string | null
  readonly language: LanguageCode
  readonly theme: Theme
  readonly proofs: Readonly<Record<string, string>> | null
}

/**
 * Who is signed in with a cookie's token, with the role as it is now; null for nobody, a session that has ended or was not used for
 * long, and a disabled operator. Notes the use, at most once a minute, unless nobody used it: a page that keeps itself fresh does not
 * keep its session alive.
 */
export async function findOperatorSession(
  db: Db,
  ctx: Pick<Ctx, 'now'>,
  token: string | null,
  isUse = true,
): Promise<SignedInOperator | null> {
  if (token === null || !SECRET.test(token)) return null
  const now = ctx.now()
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS)
  const { rows } = await sql<SessionRow>`
    select s.id as session_id, s.public_id, s.factor, s.created_at, s.seen_at, s.expires_at,
      o.id, o.name, o.role, ${POWERS}, o.email, o.display_name, o.language, o.theme,
      (select jsonb_object_agg(p.kind, p.proved_at) from operator_proof p where p.session_id = s.id) as proofs
    from operator_session s join operator o on o.id = s.operator_id and o.status = 'active' join operator_role r on r.code = o.role
    where s.token_hash = ${sha256(token)} and s.expires_at > ${now} and s.seen_at > ${idleSince}`.execute(
    db,
  )
  const [row] = rows
  if (!row) return null
  if (isUse && now.getTime() - row.seen_at.getTime() >= SESSION_TOUCH_MS)
    await db
      .updateTable('operator_session')
      .set({ seen_at: now })
      .where('id', '=', row.session_id)
      .where('seen_at', '<', now)
      .execute()
  return {
    operator: operatorOf(row),
    session: {
      id: row.session_id,
      publicId: row.public_id,
      operatorId: row.id,
      factor: row.factor,
      createdAt: row.created_at,
      seenAt: row.seen_at,
      expiresAt: row.expires_at,
      profile: {
        email: row.email,
        displayName: row.display_name ?? row.name,
        language: row.language,
        theme: row.theme,
      },
      proofs: proofsOf(row.proofs ?? {}),
    },
  }
}

function proofsOf(stored: Readonly<Record<string, string>>): OperatorSession['proofs'] {
  const proofs: Partial<Record<ProofKind, Date>> = {}
  for (const kind of PROOF_KINDS) {
    const at = stored[kind]
    if (at !== undefined) proofs[kind] = new Date(at)
  }
  return proofs
}

export interface ListedOperatorSession {
  /** Public id, to end it by. */
  readonly id: string
  readonly operator: string
  readonly browser: string
  readonly system: string
  readonly network: string
  readonly factor: ShownFactor
  readonly createdAt: Date
  readonly seenAt: Date
  readonly isCurrent: boolean
}

/** Where operators are signed in, the one used last first: of one operator, or of everybody. */
export async function listOperatorSessions(
  db: Db,
  now: Date,
  {
    operatorId,
    currentId,
  }: { readonly operatorId: string | null; readonly currentId: string | null },
): Promise<ListedOperatorSession[]> {
  const rows = await db
    .selectFrom('operator_session as s')
    .innerJoin('operator as o', 'o.id', 's.operator_id')
    .select([
      's.id',
      's.public_id',
      'o.name',
      's.browser',
      's.system',
      's.network',
      's.factor',
      's.created_at',
      's.seen_at',
    ])
    .where('s.expires_at', '>', now)
    .where('s.seen_at', '>', new Date(now.getTime() - SESSION_IDLE_MS))
    .where('o.status', '=', 'active')
    .$if(operatorId !== null, (query) => query.where('s.operator_id', '=', operatorId ?? ''))
    .orderBy('s.seen_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(500)
    .execute()
  return rows.map((row) => ({
    id: row.public_id,
    operator: row.name,
    browser: row.browser,
    system: row.system,
    network: row.network,
    factor: row.factor,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    isCurrent: row.id === currentId,
  }))
}

export interface OperatorCredentials {
  readonly operator: Operator
  readonly passwordHash: string
  readonly isActive: boolean
}

/** Whose name or e-mail address that is, with what their password is compared to; null for nobody's. */
export async function findCredentials(db: Db, typed: string): Promise<OperatorCredentials | null> {
  const row = await db
    .selectFrom('operator as o')
    .innerJoin('operator_role as r', 'r.code', 'o.role')
    .select(['o.id', 'o.name', 'o.role', 'o.status', 'o.password_hash', ...POWER_COLUMNS])
    .where(typed.includes('@') ? 'o.email' : 'o.name', '=', typed)
    .executeTakeFirst()
  return row
    ? {
        operator: operatorOf(row),
        passwordHash: row.password_hash,
        isActive: row.status === 'active',
      }
    : null
}

/** An active operator by id; null for none. */
export async function findOperator(db: Db, id: string): Promise<Operator | null> {
  const row = await db
    .selectFrom('operator as o')
    .innerJoin('operator_role as r', 'r.code', 'o.role')
    .select(['o.id', 'o.name', 'o.role', ...POWER_COLUMNS])
    .where('o.id', '=', id)
    .where('o.status', '=', 'active')
    .executeTakeFirst()
  return row ? operatorOf(row) : null
}
