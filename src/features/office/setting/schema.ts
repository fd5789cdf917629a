import { gateSetting } from '#features/buying/gate/schema.ts'
import type { Setting } from '#features/base/setting/rules.ts'
import {
  sellIncompleteSetting,
  shopCurrencySetting,
  shopSetting,
} from '#features/base/shop/schema.ts'
import { themeSetting } from '#features/base/theme/schema.ts'
import { alertsSetting } from '#features/office/alert/schema.ts'
import { lateMoneySetting } from '#features/buying/payment/schema.ts'
import { invoiceSetting } from '#features/buying/sales-invoice/schema.ts'
import { coverSetting } from '#features/supply/balance/schema.ts'
import { routingSetting } from '#features/supply/routing/schema.ts'
import {
  importedSecondPersonSetting,
  notedSecondPersonSetting,
  secondPersonSetting,
} from '#features/team/approval/schema.ts'
import { rateAgeSetting, ratePolicySetting } from '#features/goods/currency/schema.ts'
import { priceTermsSetting } from '#features/goods/price/schema.ts'
import { lowStockSetting } from '#features/buying/shelf/schema.ts'
import { lateDeliverySetting } from '#features/supply/delivery-pace/schema.ts'
import { takenBackSetting } from '#features/supply/purchase/schema.ts'
import { paymentMethodsSetting } from '#features/goods/pay-method/schema.ts'

/** Every setting of a shop; `docs/operating/settings.md` explains each. */
export const SETTINGS: readonly Setting<unknown>[] = [
  shopSetting,
  themeSetting,
  sellIncompleteSetting,
  shopCurrencySetting,
  paymentMethodsSetting,
  priceTermsSetting,
  invoiceSetting,
  secondPersonSetting,
  notedSecondPersonSetting,
  importedSecondPersonSetting,
  lateMoneySetting,
  ratePolicySetting,
  rateAgeSetting,
  alertsSetting,
  gateSetting,
  routingSetting,
  coverSetting,
  lateDeliverySetting,
  takenBackSetting,
  lowStockSetting,
]
