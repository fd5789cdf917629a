import { reloadly } from './reloadly/service.ts'
import { seagm } from './seagm/service.ts'
import type { SupplyService } from './service.ts'

/** Every supplier's service that this program knows. A new one is its folder and a line here. */
export const SUPPLY_SERVICES: readonly SupplyService[] = [reloadly, seagm]
