import { apiUrlSetting } from '#platform/service-settings.ts'
import { isTargetDay } from '../calendar.ts'
import { rateService } from '../service.ts'

/** The reference rates of the European Central Bank: some thirty currencies against the euro, once a working day. */
export const ecb = rateService({
  code: 'ecb',
  name: 'European Central Bank',
  settings: { ECB_RATES_URL: apiUrlSetting },
  // "Around 16:00 CET", with an hour to spare in winter.
  publishing: { isDay: isTargetDay, dueHour: 16 },
  everySeconds: 1_800,
  open: async (settings) => {
    const { createEcbRates } = await import('./ecb.ts')
    return createEcbRates(
      settings.ECB_RATES_URL === undefined ? {} : { origin: settings.ECB_RATES_URL },
    )
  },
})
