import {
  mergedValues,
  type EnteredValues,
} from '#features/office/service-settings/engine/settings.ts'
import type { Waits } from '#features/team/approval/commands.ts'
import { hasAnotherApprover } from '#features/team/approval/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { GivenSettings } from '#platform/service-settings.ts'
import type { SupplyEnvironment } from '#providers/supply/offered.ts'
import type { SupplyService } from '#providers/supply/service.ts'
import type { TriedSupplier } from '#providers/supply/try-out.ts'
import { changeSupplier } from './commands.ts'
import {
  accountOf,
  closedBy,
  findSupplier,
  mayBeOther,
  modeOf,
  openValues,
  settingsOf,
  type AccountChange,
  type SupplyMode,
} from './engine/settings.ts'
import { countOpenPurchases, findEntered } from './queries.ts'

export interface EnteredSettings {
  readonly code: string
  /** What is entered anew; what is left out stays as it is. */
  readonly values: EnteredValues
  readonly version: number
}

/** What would hold, and what the supplier says of it. */
export interface SupplierEffect {
  readonly tried: TriedSupplier
  /** Names of what is new; none where what holds was tried. */
  readonly changed: readonly string[]
  readonly modeBefore: SupplyMode | null
  readonly mode: SupplyMode | null
  readonly accounts: AccountChange
  /** Purchases are made at another account than now, or may be, as it is not told. */
  readonly mayBeOther: boolean
  /** Purchases that were begun with what holds now. */
  readonly open: number
  readonly needsAnother: boolean
}

/** Tries settings with their supplier before anything is kept. Throws at its field for what cannot be one. */
export async function trySupplierSettings(
  ctx: OperatorCtx,
  environment: SupplyEnvironment,
  given: EnteredSettings,
): Promise<SupplierEffect> {
  requirePermission(ctx, 'supplier.change')
  const { service, before, settings, changed, accounts } = await read(ctx, environment, given)
  return {
    tried: await tried(ctx, service, settings),
    changed,
    accounts,
    mayBeOther: before !== null && mayBeOther(accounts),
    modeBefore: before && modeOf(service, before),
    mode: modeOf(service, settings),
    open: await countOpenPurchases(ctx.db, given.code),
    needsAnother: await hasAnotherApprover(
      ctx.db,
      ctx.now(),
      [ctx.operator.name],
      'supplier.change',
    ),
  }
}

export interface SavedSettings extends EnteredSettings {
  readonly isAlthoughRefused: boolean
  /** Purchases are under way, and whoever enters these says that they are of the same account. */
  readonly isAlthoughOpen?: boolean
}

/**
 * Tries settings and keeps them. Those that the supplier definitely refuses are kept only where whoever enters them says so: throws at
 * `although_refused` else; and at `although_open` where they may be another account's while purchases are under way. Throws as
 * `trySupplierSettings` and `changeSupplier` do.
 */
export async function saveSupplier(
  ctx: OperatorCtx,
  environment: SupplyEnvironment,
  given: SavedSettings,
): Promise<{ readonly tried: TriedSupplier; readonly waits: Waits }> {
  requirePermission(ctx, 'supplier.change')
  const entered = await read(ctx, environment, given)
  const { service, before, values, settings, changed, accounts } = entered
  const [first] = Object.keys(service.settings)
  if (changed.length === 0) throw fieldError(first ?? 'values', 'required')
  const answer = await tried(ctx, service, settings)
  if (answer.answer === 'refused' && !given.isAlthoughRefused)
    throw fieldError('although_refused', 'refused_there')
  const isOpen = before !== null && mayBeOther(accounts) && !given.isAlthoughOpen
  if (isOpen && (await countOpenPurchases(ctx.db, given.code)) > 0)
    throw fieldError('although_open', 'purchases_open')
  const waits = await changeSupplier(ctx, environment, {
    code: given.code,
    version: given.version,
    values,
    changed,
    tried: answer.answer,
    accounts,
    mode: modeOf(service, settings),
  })
  return { tried: answer, waits }
}

/**
 * Takes what was entered for a supplier away: nothing more is bought there. While purchases are under way nobody could be asked about
 * them: throws at `although_open` then, and as `changeSupplier` does.
 */
export async function removeSupplier(
  ctx: OperatorCtx,
  environment: SupplyEnvironment,
  { code, version }: Pick<SavedSettings, 'code' | 'version'>,
): Promise<Waits> {
  requirePermission(ctx, 'supplier.change')
  const entered = await findEntered(ctx.db, code)
  if (!findSupplier(code) || !entered?.sealed) throw new AppError('not_found')
  if ((await countOpenPurchases(ctx.db, code)) > 0)
    throw fieldError('although_open', 'purchases_open')
  const accounts = { before: entered.account, after: null }
  const nothing = { values: null, changed: [], tried: 'unknown', mode: null, accounts } as const
  return changeSupplier(ctx, environment, { ...nothing, code, version })
}

interface ReadSettings {
  readonly service: SupplyService
  /** What holds now; null where nothing does. */
  readonly before: GivenSettings | null
  readonly values: EnteredValues
  readonly settings: GivenSettings
  readonly changed: readonly string[]
  readonly accounts: AccountChange
}

async function read(
  ctx: OperatorCtx,
  environment: SupplyEnvironment,
  { code, values: entered, version }: EnteredSettings,
): Promise<ReadSettings> {
  const service = findSupplier(code)
  if (!service) throw new AppError('not_found')
  if (closedBy(service, environment)) throw fieldError('supplier', 'not_allowed')
  const known = await findEntered(ctx.db, code)
  if ((known?.version ?? 0) !== version) throw new AppError('changed_meanwhile')
  // What another key has sealed is entered anew, whole.
  const kept = known?.sealed ? openValues(ctx.keys, code, known.sealed) : null
  const typed = Object.entries(entered).filter(([, value]) => value.trim() !== '')
  const values = mergedValues(service, kept ?? {}, Object.fromEntries(typed))
  const settings = settingsOf(service, values, environment)
  const before = kept
    ? settingsOf(service, kept, environment)
    : known?.sealed
      ? null
      : (environment.own[code] ?? null)
  return {
    service,
    before,
    values,
    settings,
    changed: Object.keys(values).filter((name) => values[name] !== kept?.[name]),
    accounts: {
      before: before ? accountOf(service, before) : (known?.account ?? null),
      after: accountOf(service, settings),
    },
  }
}

/** Asks a supplier about settings; no answer is one that says nothing. */
async function tried(
  ctx: OperatorCtx,
  service: SupplyService,
  settings: GivenSettings,
): Promise<TriedSupplier> {
  try {
    return await service.tryOut(settings, ctx.now)
  } catch (error) {
    ctx.log.warn('settings of a supplier could not be tried', {
      supplier: service.code,
      error: error instanceof Error ? error.name : 'unknown',
    })
    return { answer: 'unknown', why: null, balances: [] }
  }
}
