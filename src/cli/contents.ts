import type { Command } from './commands.ts'
import { gateCommands } from './contents/gate.ts'
import { goodsCommands } from './contents/goods.ts'
import { moneyCommands } from './contents/money.ts'
import { orderCommands } from './contents/orders.ts'
import { priceCommands } from './contents/prices.ts'
import { rateCommands } from './contents/rates.ts'
import { resellerCommands } from './contents/reseller.ts'
import { shopCommands } from './contents/shop.ts'
import { supplyBookCommands } from './contents/supply-books.ts'
import { supplyCommands } from './contents/supply.ts'
import { supplySyncCommands } from './contents/supply-sync.ts'
import { taxCommands } from './contents/tax.ts'
import { teamCommands } from './contents/team.ts'
import { technicalCommands } from './contents/technical.ts'

/** Each command lives in its own file, read only when it is called. */
export const commands: readonly Command[] = [
  ...technicalCommands,
  ...teamCommands,
  ...shopCommands,
  ...goodsCommands,
  ...priceCommands,
  ...rateCommands,
  ...orderCommands,
  ...gateCommands,
  ...supplyCommands,
  ...resellerCommands,
  ...supplyBookCommands,
  ...supplySyncCommands,
  ...moneyCommands,
  ...taxCommands,
]
