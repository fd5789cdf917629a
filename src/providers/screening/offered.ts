import type { ServiceSettings } from '#platform/service-settings.ts'
import type { ScreeningProvider } from './provider.ts'
import { SCREENING_SERVICES } from './services.ts'

/** The service whose settings are complete; null where there is none. It is asked once the shop's setting says so. */
export async function offeredScreening(
  settings: ServiceSettings,
): Promise<ScreeningProvider | null> {
  for (const service of SCREENING_SERVICES) {
    const given = settings[service.code]
    if (given) return service.open(given)
  }
  return null
}
