import { hasAnotherApprover } from '#features/team/approval/queries.ts'
import type { Waits } from '#features/team/approval/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type {
  PaymentMode,
  PaymentService,
  ServiceAccount,
  TriedSettings,
} from '#providers/payment/service.ts'
import { changeService } from './commands.ts'
import { tried } from './flow/try.ts'
import { findEntered, readOpenPayments, type OpenPayments } from './queries.ts'
import {
  addressesLacking,
  findService,
  mayBeOther,
  mergedValues,
  openValues,
  settingsOf,
  type AccountChange,
  type EnteredValues,
  type PaymentEnvironment,
} from './engine/settings.ts'

export { askWhose } from './flow/whose.ts'

export interface EnteredSettings {
  readonly code: string
  /** What is entered anew; what is left out stays as it is. */
  readonly values: EnteredValues
  readonly version: number
}

/** What would hold, and what the service says of it. */
export interface ServiceEffect {
  readonly tried: TriedSettings
  /** Names of what is new; none where what holds was tried. */
  readonly changed: readonly string[]
  readonly modeBefore: PaymentMode | null
  readonly mode: PaymentMode | null
  readonly accounts: AccountChange
  /** Money goes to another account than now, or may do, as it is not told. */
  readonly mayBeOther: boolean
  /** Payments that were begun with what holds now. */
  readonly open: OpenPayments
  readonly needsAnother: boolean
}

/** Tries settings with their service before anything is kept. Throws at its field for what cannot be one. */
export async function tryService(
  ctx: OperatorCtx,
  environment: PaymentEnvironment,
  given: EnteredSettings,
): Promise<ServiceEffect> {
  requirePermission(ctx, 'payment.settings')
  const entered = await read(ctx, environment, given)
  const { service, before, values, changed } = entered
  const answer = await tried(ctx, environment, service, values)
  const accounts = await accountsOf(ctx, environment, entered, answer)
  return {
    tried: answer,
    changed,
    accounts,
    mayBeOther: before !== null && mayBeOther(accounts),
    modeBefore: before && modeOf(service, before, environment),
    mode: modeOf(service, values, environment),
    open: await readOpenPayments(ctx.db, given.code),
    needsAnother: await hasAnotherApprover(
      ctx.db,
      ctx.now(),
      [ctx.operator.name],
      'payment.settings',
    ),
  }
}

export interface SavedSettings extends EnteredSettings {
  readonly isAlthoughRefused: boolean
  /** Payments are open at the account that is replaced, and whoever enters these knows. */
  readonly isAlthoughOpen?: boolean
  /** Id of the account that was shown; null for none. Left out, none was. */
  readonly account?: string | null
}

/**
 * Tries settings and keeps them. Those that the service definitely refuses are kept only where whoever enters them says so, and so are
 * those by which money goes to another account while payments are open: throws at `although_refused` and `although_open` else. Throws
 * 'other_account' where they answer for another one than was shown, and as `tryService` and `changeService` do.
 */
export async function saveService(
  ctx: OperatorCtx,
  environment: PaymentEnvironment,
  given: SavedSettings,
): Promise<{ readonly tried: TriedSettings; readonly waits: Waits }> {
  requirePermission(ctx, 'payment.settings')
  const entered = await read(ctx, environment, given)
  const { service, before, values, changed } = entered
  const [first] = Object.keys(service.settings)
  if (changed.length === 0) throw fieldError(first ?? 'values', 'required')
  const answer = await tried(ctx, environment, service, values)
  if (answer.answer === 'refused' && !given.isAlthoughRefused)
    throw fieldError('although_refused', 'refused_there')
  if (given.account !== undefined && given.account !== (answer.account?.id ?? null))
    throw new AppError('other_account')
  const accounts = await accountsOf(ctx, environment, entered, answer)
  if (before !== null && mayBeOther(accounts) && !given.isAlthoughOpen)
    await requireNoneOpen(ctx, given.code)
  const waits = await changeService(ctx, environment, {
    code: given.code,
    version: given.version,
    values,
    changed,
    tried: answer.answer,
    accounts,
    mode: modeOf(service, values, environment),
  })
  return { tried: answer, waits }
}

/**
 * Takes what was entered for a service away, with all that is kept of its accounts; it is not offered any more. While payments are open
 * whoever does so says that they know: throws at `although_open` else, and as `changeService` does.
 */
export async function removeService(
  ctx: OperatorCtx,
  environment: PaymentEnvironment,
  { code, version, isAlthoughOpen }: Pick<SavedSettings, 'code' | 'version' | 'isAlthoughOpen'>,
): Promise<Waits> {
  requirePermission(ctx, 'payment.settings')
  const entered = await findEntered(ctx.db, code)
  if (!findService(code) || !entered?.sealed) throw new AppError('not_found')
  if (!isAlthoughOpen) await requireNoneOpen(ctx, code)
  const accounts = { before: entered.account, after: null }
  const nothing = { values: null, changed: [], tried: 'unknown', mode: null, accounts } as const
  return changeService(ctx, environment, { ...nothing, code, version })
}

async function requireNoneOpen({ db }: OperatorCtx, code: string): Promise<void> {
  const { count } = await readOpenPayments(db, code)
  if (count > 0) throw fieldError('although_open', 'payments_open')
}

interface ReadSettings {
  readonly service: PaymentService
  readonly before: EnteredValues | null
  /** Whose account holds now, as far as is kept. */
  readonly account: ServiceAccount | null
  readonly values: EnteredValues
  readonly changed: readonly string[]
}

async function read(
  ctx: OperatorCtx,
  environment: PaymentEnvironment,
  { code, values: entered, version }: EnteredSettings,
): Promise<ReadSettings> {
  const service = findService(code)
  if (!service) throw new AppError('not_found')
  const isClosed = addressesLacking(service, environment.apiUrls).length > 0
  if (environment.services[code] || isClosed) throw fieldError('provider', 'not_allowed')
  const known = await findEntered(ctx.db, code)
  if ((known?.version ?? 0) !== version) throw new AppError('changed_meanwhile')
  // What another key has sealed is entered anew, whole.
  const before = known?.sealed ? openValues(ctx.keys, code, known.sealed) : null
  const typed = Object.entries(entered).filter(([, value]) => value.trim() !== '')
  const values = mergedValues(service, before ?? {}, Object.fromEntries(typed))
  const changed = Object.keys(values).filter((name) => values[name] !== before?.[name])
  return { service, before, account: known?.account ?? null, values, changed }
}

const modeOf = (
  service: PaymentService,
  values: EnteredValues,
  environment: PaymentEnvironment,
): PaymentMode | null => service.modeOf?.(settingsOf(service, values, environment)) ?? null

/** What holds was entered before accounts were asked for, or by a release that asks for none: then it is asked now. */
async function accountsOf(
  ctx: OperatorCtx,
  environment: PaymentEnvironment,
  { service, before, account }: ReadSettings,
  { account: after }: TriedSettings,
): Promise<AccountChange> {
  if (account !== null || before === null) return { before: account, after }
  return { before: (await tried(ctx, environment, service, before)).account, after }
}
