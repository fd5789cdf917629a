import { hasAnotherApprover } from '#features/team/approval/queries.ts'
import type { Waits } from '#features/team/approval/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { PaymentMode, PaymentService, TriedSettings } from '#providers/payment/service.ts'
import { changeService } from './commands.ts'
import { countOpenPayments, findEntered } from './queries.ts'
import {
  findService,
  mergedValues,
  openValues,
  settingsOf,
  type EnteredValues,
  type PaymentEnvironment,
} from './engine/settings.ts'

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
  /** Payments that were begun with what holds now. */
  readonly open: number
  readonly needsAnother: boolean
}

/** Tries settings with their service before anything is kept. Throws at its field for what cannot be one. */
export async function tryService(
  ctx: OperatorCtx,
  environment: PaymentEnvironment,
  given: EnteredSettings,
): Promise<ServiceEffect> {
  requirePermission(ctx, 'payment.settings')
  const { service, before, values, changed } = await read(ctx, environment, given)
  return {
    tried: await tried(ctx, environment, service, values),
    changed,
    modeBefore: before && modeOf(service, before, environment),
    mode: modeOf(service, values, environment),
    open: await countOpenPayments(ctx.db, given.code),
    needsAnother: await hasAnotherApprover(
      ctx.db,
      ctx.now(),
      [ctx.operator.name],
      'payment.settings',
    ),
  }
}

/**
 * Tries settings and keeps them. Those that the service definitely refuses are kept only where whoever enters them says so: throws at
 * `although_refused` else. Throws as `tryService` and `changeService` do.
 */
export async function saveService(
  ctx: OperatorCtx,
  environment: PaymentEnvironment,
  given: EnteredSettings & { readonly isAlthoughRefused: boolean },
): Promise<{ readonly tried: TriedSettings; readonly waits: Waits }> {
  requirePermission(ctx, 'payment.settings')
  const { service, values, changed } = await read(ctx, environment, given)
  const [first] = Object.keys(service.settings)
  if (changed.length === 0) throw fieldError(first ?? 'values', 'required')
  const answer = await tried(ctx, environment, service, values)
  if (answer.answer === 'refused' && !given.isAlthoughRefused)
    throw fieldError('although_refused', 'refused_there')
  const waits = await changeService(ctx, environment, {
    code: given.code,
    version: given.version,
    values,
    changed,
    tried: answer.answer,
    mode: modeOf(service, values, environment),
  })
  return { tried: answer, waits }
}

/** Takes what was entered for a service away; it is not offered any more. Throws as `changeService` does. */
export async function removeService(
  ctx: OperatorCtx,
  environment: PaymentEnvironment,
  { code, version }: Pick<EnteredSettings, 'code' | 'version'>,
): Promise<Waits> {
  const entered = await findEntered(ctx.db, code)
  if (!findService(code) || !entered?.sealed) throw new AppError('not_found')
  const nothing = { values: null, changed: [], tried: 'unknown', mode: null } as const
  return changeService(ctx, environment, { ...nothing, code, version })
}

async function read(
  ctx: OperatorCtx,
  environment: PaymentEnvironment,
  { code, values: entered, version }: EnteredSettings,
): Promise<{
  readonly service: PaymentService
  readonly before: EnteredValues | null
  readonly values: EnteredValues
  readonly changed: readonly string[]
}> {
  const service = findService(code)
  if (!service) throw new AppError('not_found')
  if (environment.services[code]) throw fieldError('provider', 'not_allowed')
  const known = await findEntered(ctx.db, code)
  if ((known?.version ?? 0) !== version) throw new AppError('changed_meanwhile')
  // What another key has sealed is entered anew, whole.
  const before = known?.sealed ? openValues(ctx.keys, code, known.sealed) : null
  const typed = Object.entries(entered).filter(([, value]) => value.trim() !== '')
  const values = mergedValues(service, before ?? {}, Object.fromEntries(typed))
  const changed = Object.keys(values).filter((name) => values[name] !== before?.[name])
  return { service, before, values, changed }
}

const modeOf = (
  service: PaymentService,
  values: EnteredValues,
  environment: PaymentEnvironment,
): PaymentMode | null => service.modeOf?.(settingsOf(service, values, environment)) ?? null

async function tried(
  ctx: OperatorCtx,
  environment: PaymentEnvironment,
  service: PaymentService,
  values: EnteredValues,
): Promise<TriedSettings> {
  if (!service.tryOut) return { answer: 'unknown', why: null }
  try {
    return await service.tryOut(settingsOf(service, values, environment), ctx.now)
  } catch (error) {
    ctx.log.warn('settings of a payment service could not be tried', {
      provider: service.code,
      error: error instanceof Error ? error.name : 'unknown',
    })
    return { answer: 'unknown', why: null }
  }
}
