import { recordAudit } from '#features/base/audit/commands.ts'
import { tellOfAlone } from '#features/office/alert/commands.ts'
import {
  askAboutService,
  inTurn,
  requireAsker,
  type Turn,
  type Waits,
} from '#features/team/approval/commands.ts'
import { hasAnotherApprover } from '#features/team/approval/queries.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { forgetFormerOf, keepFormer } from './write/former.ts'
import { findEntered, listUnreadable } from './queries.ts'
import {
  accountIn,
  digestOf,
  openValues,
  sealValues,
  type AccountChange,
  type EnteredValues,
  type PaymentEnvironment,
  type Tried,
} from './engine/settings.ts'

export { forgetFormer } from './write/former.ts'

/** Settings that are to hold for a service from now on. */
export interface ServiceChange {
  readonly code: string
  /** All of them; null takes them away. */
  readonly values: EnteredValues | null
  /** Names of those that are new. */
  readonly changed: readonly string[]
  /** Of what was there when this was entered. */
  readonly version: number
  readonly tried: Tried
  readonly accounts: AccountChange
  readonly mode: string | null
}

/**
 * Has settings hold, or wait wherever somebody else could approve them. Throws 'changed_meanwhile' where somebody else has changed them
 * since, or the environment has come to give them.
 * @returns the act that waits; null where it is done
 */
export async function changeService(
  ctx: OperatorCtx,
  environment: Pick<PaymentEnvironment, 'services'>,
  change: ServiceChange,
): Promise<Waits> {
  requirePermission(ctx, 'payment.settings')
  const { code, values, version, tried, changed, accounts, mode } = change
  if (environment.services[code]) throw new AppError('changed_meanwhile')
  const sealed = values && sealValues(ctx.keys, code, values)
  return inTurn(ctx, async (tx, now) => {
    await requireVersion(tx, code, version)
    if (!(await hasAnotherApprover(tx, now, [ctx.operator.name], 'payment.settings'))) {
      await put(tx, ctx, { ...change, sealed, setBy: ctx.actor })
      await tellOfAlone(tx, ctx, now)
      return null
    }
    const waits = await askAboutService(tx, ctx, {
      kind: 'payment_service',
      subject: code,
      details: {
        version,
        digest: digestOf(ctx.keys, code, values, accounts),
        changed: [...changed],
        removes: values === null,
        tried,
        account_before: accounts.before,
        account: accounts.after,
        mode,
      },
    })
    const row = { code, sealed, tried, made_at: now }
    await tx
      .insertInto('payment_service_draft')
      .values(row)
      .onConflict((conflict) => conflict.column('code').doUpdateSet(row))
      .execute()
    return waits
  })
}

/**
 * What approving it does: exactly what was sealed when it was asked for, in place of what held then. Throws 'changed_meanwhile' where
 * either is another, whoever asked may do it no more, or the keys were not asked a moment ago whose they are.
 */
export async function changeWaitingService(
  tx: Turn,
  ctx: OperatorCtx,
  act: Act,
  /** What `askWhose` gave for it. */
  confirmed: string | null,
): Promise<void> {
  await requireAsker(tx, act)
  const { subject: code, askedBy, details } = act
  const draft = await tx
    .selectFrom('payment_service_draft')
    .selectAll()
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst()
  if (!draft) throw new AppError('changed_meanwhile')
  const values = draft.sealed && openValues(ctx.keys, code, draft.sealed)
  const isReadable = draft.sealed === null || values !== null
  const accounts = accountsIn(details)
  if (!isReadable || digestOf(ctx.keys, code, values, accounts) !== details['digest'])
    throw new AppError('changed_meanwhile')
  if (values !== null && confirmed !== details['digest']) throw new AppError('changed_meanwhile')
  const version = Number(details['version'])
  await requireVersion(tx, code, version)
  const { sealed, tried } = draft
  const listed = details['changed']
  const changed = Array.isArray(listed) ? listed.map(String) : []
  const mode = typeof details['mode'] === 'string' ? details['mode'] : null
  await put(tx, ctx, { code, sealed, tried, version, changed, accounts, mode, setBy: askedBy })
  await dropDraft(tx, code)
}

/** Accounts as they stand in what waits for an approval. */
export const accountsIn = (details: Act['details']): AccountChange => ({
  before: accountIn(details['account_before']),
  after: accountIn(details['account']),
})

/** What refusing it does: what was sealed for it is gone. */
export async function dropWaitingService(
  tx: Turn,
  _ctx: OperatorCtx,
  { subject }: Act,
): Promise<void> {
  await dropDraft(tx, subject)
}

/** What was sealed for an act that is over by now is gone, too. */
export async function forgetDrafts({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('payment_service_draft as d')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('operator_act as a')
            .select('a.id')
            .where('a.kind', '=', 'payment_service')
            .whereRef('a.subject', '=', 'd.code')
            .where('a.status', '=', 'waiting')
            .where('a.ends_at', '>', now()),
        ),
      ),
    )
    .execute()
}

/** After the shop's key was lost for good: what it had sealed is taken away, to be entered anew. @returns the services */
export async function forgetUnreadable(ctx: OperatorCtx): Promise<readonly string[]> {
  requirePermission(ctx, 'system.manage')
  return inTurn(ctx, async (tx) => {
    const codes = await listUnreadable(tx, ctx.keys)
    for (const code of codes) {
      const entered = await findEntered(tx, code)
      const accounts = { before: entered?.account ?? null, after: null }
      const nothing = { sealed: null, tried: 'unknown', changed: [], mode: null, accounts } as const
      await put(tx, ctx, { ...nothing, code, version: entered?.version ?? 0, setBy: ctx.actor })
    }
    return codes
  })
}

async function dropDraft(tx: Tx, code: string): Promise<void> {
  await tx.deleteFrom('payment_service_draft').where('code', '=', code).execute()
}

/** Whoever changes the same service waits here. */
async function requireVersion(tx: Tx, code: string, version: number): Promise<void> {
  const row = await tx
    .selectFrom('payment_service')
    .select('version')
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst()
  if ((row?.version ?? 0) !== version) throw new AppError('changed_meanwhile')
}

async function put(
  tx: Tx,
  ctx: OperatorCtx,
  {
    code,
    sealed,
    version,
    tried,
    changed,
    accounts,
    mode,
    setBy,
  }: Omit<ServiceChange, 'values'> & { readonly sealed: Buffer | null; readonly setBy: string },
): Promise<void> {
  const now = ctx.now()
  if (sealed === null) await forgetFormerOf(tx, code)
  else await keepFormer(tx, ctx.keys, now, code, accounts)
  const row = {
    sealed,
    tried,
    account_id: accounts.after?.id ?? null,
    account_name: accounts.after?.name ?? null,
    account_version: version + 1,
    set_by: setBy,
    set_at: now,
  }
  const written = await tx
    .insertInto('payment_service')
    .values({ code, ...row, version: version + 1 })
    .onConflict((conflict) =>
      conflict
        .column('code')
        .doUpdateSet({ ...row, version: version + 1 })
        .where('payment_service.version', '=', version),
    )
    .executeTakeFirstOrThrow()
  // Two who enter a service's first settings at once.
  if (written.numInsertedOrUpdatedRows !== 1n) throw new AppError('changed_meanwhile')
  await recordAudit(tx, ctx, now, [
    {
      action: sealed === null ? 'remove' : version === 0 ? 'create' : 'update',
      subject: 'payment_service',
      subjectCode: code,
      before: { version, account: accounts.before },
      after: {
        version: version + 1,
        changed: [...changed],
        tried,
        mode,
        account: accounts.after,
      },
    },
  ])
}
