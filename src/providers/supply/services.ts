import { digiflazz } from './digiflazz/service.ts'
import { dtone } from './dtone/service.ts'
import { hook } from './hook/service.ts'
import { kinguin } from './kinguin/service.ts'
import { lukado } from './lukado/service.ts'
import { reloadly } from './reloadly/service.ts'
import { seagm } from './seagm/service.ts'
import type { SupplyService } from './service.ts'
import { unipin } from './unipin/service.ts'

/** Every supplier's service that this program knows. A new one is its folder and a line here. */
export const SUPPLY_SERVICES: readonly SupplyService[] = [
  reloadly,
  seagm,
  dtone,
  kinguin,
  unipin,
  digiflazz,
  hook,
  lukado,
]
