import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { hashPassword } from '#platform/password-hash.ts'
import { refusal } from '#platform/refusal.ts'
import { findRole } from '../read/role.ts'
import {
  isOperatorName,
  operatorPasswordProblem,
  requireAsMighty,
  requirePermission,
  type Operator,
} from '../rules.ts'
import type { OperatorCtx } from './acting.ts'

export interface NewOperator {
  readonly name: string
  readonly role: string
  readonly password: string
}

/**
 * The first operator of a shop, an owner, made by whoever may run commands on its machine. Throws 'conflict' once there is one:
 * from then on operators are made by operators.
 */
export async function createFirstOwner(
  ctx: Ctx,
  { name, password }: Omit<NewOperator, 'role'>,
): Promise<Operator> {
  const passwordHash = await checkedHash(name, password)
  const own = { ...ctx, actor: 'shell' }
  return transaction(ctx, (tx) => createFirstOwnerIn(tx, own, { name, passwordHash }))
}

/** What colleagues read, and where mails go. */
interface Profile {
  readonly displayName?: string | null
  readonly email?: string | null
  readonly language?: LanguageCode
}

/** The same for whoever had the link that the first start wrote; their account counts as made by themselves. */
export async function createFirstOwnerIn(
  tx: Tx,
  ctx: Ctx,
  made: Profile & { readonly name: string; readonly passwordHash: string },
): Promise<Operator> {
  await sql`lock table operator in share row exclusive mode`.execute(tx)
  if (await tx.selectFrom('operator').select('id').limit(1).executeTakeFirst())
    throw new AppError('conflict')
  return insertOperator(tx, ctx, { ...made, role: 'owner', createdBy: ctx.actor })
}

/** Throws 'conflict' where the name is taken, by a disabled operator too, and a refusal for a name or password that will not do. */
export async function createOperator(
  ctx: OperatorCtx,
  { name, role, password }: NewOperator,
): Promise<Operator> {
  requirePermission(ctx, 'staff.manage')
  const passwordHash = await checkedHash(name, password)
  return transaction(ctx, async (tx) => {
    const powers = await findRole(tx, role)
    if (!powers) throw new AppError('not_found')
    requireAsMighty(ctx, powers)
    return insertOperator(tx, ctx, { name, role, passwordHash, createdBy: ctx.actor })
  })
}

/** The account that an invitation leads to, made by who invited; its password was chosen by whoever opened the link. Throws 'conflict' for a name or address that is taken. */
export async function createInvited(
  tx: Tx,
  ctx: Ctx,
  made: Profile & {
    readonly name: string
    readonly role: string
    readonly passwordHash: string
    readonly invitedBy: string
  },
): Promise<Operator> {
  const own = { ...ctx, actor: `operator:${made.name}` }
  return insertOperator(tx, own, { ...made, createdBy: made.invitedBy })
}

/** Throws 'check_fields' for a name or a password that will not do. */
export async function operatorHash(name: string, password: string): Promise<string> {
  if (!isOperatorName(name)) throw fieldError('name', 'operator_name')
  if (operatorPasswordProblem(name, password) !== null)
    throw fieldError('password', 'password_operator')
  return hashPassword(password)
}

async function checkedHash(name: string, password: string): Promise<string> {
  if (!isOperatorName(name))
    throw refusal(
      'A name has 1 to 40 lower-case letters, digits, dots, hyphens and underscores; system and shell are taken.',
    )
  const problem = operatorPasswordProblem(name, password)
  if (problem !== null) throw refusal(problem)
  return hashPassword(password)
}

async function insertOperator(
  tx: Tx,
  ctx: Ctx,
  made: Profile & {
    readonly name: string
    readonly role: string
    readonly passwordHash: string
    readonly createdBy: string
  },
): Promise<Operator> {
  const { name, role } = made
  const id = ctx.newId()
  const now = ctx.now()
  const inserted = await tx
    .insertInto('operator')
    .values({
      id,
      name,
      role,
      password_hash: made.passwordHash,
      email: made.email ?? null,
      display_name: made.displayName ?? null,
      ...(made.language === undefined ? {} : { language: made.language }),
      created_at: now,
      created_by: made.createdBy,
      password_set_at: now,
      password_set_by: ctx.actor,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows !== 1n) throw new AppError('conflict')
  await recordAudit(tx, ctx, now, [
    { action: 'create', subject: 'operator', subjectCode: name, before: null, after: { role } },
  ])
  const powers = await findRole(tx, role)
  return { id, name, role, ...(powers?.own ? { own: powers.own } : {}) }
}
