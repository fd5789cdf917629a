import { ecb } from './ecb/service.ts'
import { openExchangeRates } from './open-exchange-rates/service.ts'
import type { RateService } from './service.ts'

/** Every source of exchange rates that this program can ask. A new one is its folder and a line here. */
export const RATE_SERVICES: readonly RateService[] = [ecb, openExchangeRates]
