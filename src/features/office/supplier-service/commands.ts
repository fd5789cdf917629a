import { recordAudit } from '#features/base/audit/commands.ts'
import { tellOfAlone } from '#features/office/alert/commands.ts'
import type { EnteredValues } from '#features/office/service-settings/engine/settings.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
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
import { AppError, fieldError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { SupplyEnvironment } from '#providers/supply/offered.ts'
import {
  closedBy,
  digestOf,
  findSupplier,
  isOther,
  openValues,
  sealValues,
  type AccountChange,
  type Tried,
} from './engine/settings.ts'
import { countOpenPurchases, findEntered, listUnreadable } from './queries.ts'

/** Settings that are to hold for a supplier from now on. */
export interface SupplierChange {
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
 * since, or the environment has come to give them, and at `although_open` as `requireDrained` does.
 * @returns the act that waits; null where it is done
 */
export async function changeSupplier(
  ctx: OperatorCtx,
  environment: SupplyEnvironment,
  change: SupplierChange,
): Promise<Waits> {
  requirePermission(ctx, 'supplier.change')
  const { code, values, version, tried, changed, accounts, mode } = change
  const service = findSupplier(code)
  if (!service || closedBy(service, environment)) throw new AppError('changed_meanwhile')
  const sealed = values && sealValues(ctx.keys, code, values)
  return inTurn(ctx, async (tx, now) => {
    await requireVersion(tx, code, version)
    await requireDrained(tx, code, accounts, values === null)
    if (!(await hasAnotherApprover(tx, now, [ctx.operator.name], 'supplier.change'))) {
      await put(tx, ctx, { ...change, sealed, setBy: ctx.actor })
      await tellOfAlone(tx, ctx, now)
      return null
    }
    const waits = await askAboutService(tx, ctx, {
      kind: 'supplier_service',
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
      .insertInto('supplier_service_draft')
      .values(row)
      .onConflict((conflict) => conflict.column('code').doUpdateSet(row))
      .execute()
    return waits
  })
}

/**
 * A purchase is asked about where it was made: at another account nobody knows it, and it would be bought again. Throws at `although_open`
 * where the account is certainly another, or none any more, and purchases are under way.
 */
async function requireDrained(
  tx: Tx,
  code: string,
  accounts: AccountChange,
  isRemoval: boolean,
): Promise<void> {
  if ((isRemoval || isOther(accounts)) && (await countOpenPurchases(tx, code)) > 0)
    throw fieldError('although_open', 'purchases_open')
}

/**
 * What approving it does: exactly what was sealed when it was asked for, in place of what held then. Throws 'changed_meanwhile' where
 * either is another, or whoever asked may do it no more; and as `requireDrained` does.
 */
export async function changeWaitingSupplier(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  const { subject: code, askedBy, details } = act
  await requireAsker(tx, act)
  const draft = await tx
    .selectFrom('supplier_service_draft')
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
  const version = Number(details['version'])
  await requireVersion(tx, code, version)
  await requireDrained(tx, code, accounts, draft.sealed === null)
  const { sealed } = draft
  const tried = draft.tried as Tried
  const listed = details['changed']
  const changed = Array.isArray(listed) ? listed.map(String) : []
  const mode = textIn(details['mode'])
  await put(tx, ctx, { code, sealed, tried, version, changed, accounts, mode, setBy: askedBy })
  await dropDraft(tx, code)
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Accounts as they stand in what waits for an approval. */
export const accountsIn = (details: Act['details']): AccountChange => ({
  before: textIn(details['account_before']),
  after: textIn(details['account']),
})

/** What refusing it does: what was sealed for it is gone. */
export async function dropWaitingSupplier(
  tx: Turn,
  _ctx: OperatorCtx,
  { subject }: Act,
): Promise<void> {
  await dropDraft(tx, subject)
}

/** What was sealed for an act that is over by now is gone, too. */
export async function forgetSupplierDrafts({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('supplier_service_draft as d')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('operator_act as a')
            .select('a.id')
            .where('a.kind', '=', 'supplier_service')
            .whereRef('a.subject', '=', 'd.code')
            .where('a.status', '=', 'waiting')
            .where('a.ends_at', '>', now()),
        ),
      ),
    )
    .execute()
}

/** After the shop's key was lost for good: what it had sealed is taken away, to be entered anew. @returns the suppliers */
export async function forgetUnreadableSuppliers(ctx: OperatorCtx): Promise<readonly string[]> {
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
  await tx.deleteFrom('supplier_service_draft').where('code', '=', code).execute()
}

/** Whoever changes the same supplier waits here. */
async function requireVersion(tx: Tx, code: string, version: number): Promise<void> {
  const row = await tx
    .selectFrom('supplier_service')
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
  }: Omit<SupplierChange, 'values'> & { readonly sealed: Buffer | null; readonly setBy: string },
): Promise<void> {
  const now = ctx.now()
  if (sealed !== null) await registerSuppliers({ db: tx, now: ctx.now }, [code])
  const row = { sealed, tried, account_id: accounts.after, set_by: setBy, set_at: now }
  const written = await tx
    .insertInto('supplier_service')
    .values({ code, ...row, version: version + 1 })
    .onConflict((conflict) =>
      conflict
        .column('code')
        .doUpdateSet({ ...row, version: version + 1 })
        .where('supplier_service.version', '=', version),
    )
    .executeTakeFirstOrThrow()
  // Two who enter a supplier's first settings at once.
  if (written.numInsertedOrUpdatedRows !== 1n) throw new AppError('changed_meanwhile')
  await recordAudit(tx, ctx, now, [
    {
      action: sealed === null ? 'remove' : version === 0 ? 'create' : 'update',
      subject: 'supplier_service',
      subjectCode: code,
      before: { version, account: accounts.before },
      after: { version: version + 1, changed: [...changed], tried, mode, account: accounts.after },
    },
  ])
}
