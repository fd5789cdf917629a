import type { OwnerTask } from '../task.ts'
import { GOODS_TASKS } from './goods.ts'
import { KEY_TASKS } from './keys.ts'
import { MONEY_TASKS } from './money.ts'
import { ORDER_TASKS } from './orders.ts'
import { PRICE_TASKS } from './prices.ts'
import { SHOP_TASKS } from './shop.ts'
import { SYSTEM_TASKS } from './system.ts'
import { TEAM_TASKS } from './team.ts'

/** The twenty-three, as they are told. */
export const TASKS: readonly OwnerTask[] = [
  ...SHOP_TASKS,
  ...GOODS_TASKS,
  ...PRICE_TASKS,
  ...KEY_TASKS,
  ...ORDER_TASKS,
  ...MONEY_TASKS,
  ...SYSTEM_TASKS,
  ...TEAM_TASKS,
]
