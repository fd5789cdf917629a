import type { ServiceSettings } from '#platform/service-settings.ts'
import type { RateService, RateSource } from './service.ts'
import { RATE_SERVICES } from './services.ts'

export interface OfferedRates {
  readonly service: RateService
  readonly source: RateSource
}

/** The sources whose settings are complete. None is asked before the shop's settings name it. */
export async function offeredRates(settings: ServiceSettings): Promise<readonly OfferedRates[]> {
  const offered: OfferedRates[] = []
  for (const service of RATE_SERVICES) {
    const given = settings[service.code]
    if (given) offered.push({ service, source: await service.open(given) })
  }
  return offered
}
