import type { ScreeningService } from './service.ts'
import { yente } from './yente/service.ts'

/** Every screening service that this program can ask. A new one is its folder and a line here. */
export const SCREENING_SERVICES: readonly ScreeningService[] = [yente]
