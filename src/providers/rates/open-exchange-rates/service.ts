import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import { apiUrlSetting } from '#platform/service-settings.ts'
import { EVERY_DAY } from '../calendar.ts'
import { rateService } from '../service.ts'

/** Open Exchange Rates: some 170 currencies, each day, hourly on its free plan. */
export const openExchangeRates = rateService({
  code: 'open-exchange-rates',
  name: 'Open Exchange Rates',
  settings: {
    OPEN_EXCHANGE_RATES_APP_ID: z
      .string()
      .regex(/^[A-Za-z0-9]{16,64}$/, 'must be an app id: 32 letters and digits')
      .transform(secret),
    OPEN_EXCHANGE_RATES_URL: apiUrlSetting,
  },
  publishing: EVERY_DAY,
  // The free plan allows a thousand requests a month; four a day are enough to sell by.
  everySeconds: 21_600,
  open: async (settings) => {
    const { createOpenExchangeRates } = await import('./open-exchange-rates.ts')
    return createOpenExchangeRates({
      appId: settings.OPEN_EXCHANGE_RATES_APP_ID,
      ...(settings.OPEN_EXCHANGE_RATES_URL === undefined
        ? {}
        : { origin: settings.OPEN_EXCHANGE_RATES_URL }),
    })
  },
})
