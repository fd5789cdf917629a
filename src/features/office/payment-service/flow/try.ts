import type { OperatorCtx } from '#features/team/operator/commands.ts'
import type { PaymentService, TriedSettings } from '#providers/payment/service.ts'
import { settingsOf, type EnteredValues, type PaymentEnvironment } from '../engine/settings.ts'

/** Asks a service about settings; no answer is one that says nothing. */
export async function tried(
  ctx: OperatorCtx,
  environment: PaymentEnvironment,
  service: PaymentService,
  values: EnteredValues,
): Promise<TriedSettings> {
  if (!service.tryOut) return { answer: 'unknown', why: null, account: null }
  try {
    return await service.tryOut(settingsOf(service, values, environment), ctx.now)
  } catch (error) {
    ctx.log.warn('settings of a payment service could not be tried', {
      provider: service.code,
      error: error instanceof Error ? error.name : 'unknown',
    })
    return { answer: 'unknown', why: null, account: null }
  }
}
