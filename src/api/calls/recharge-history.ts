import { z } from 'zod'
import { findProduct } from '#features/goods/browse/queries.ts'
import { GOODS_TYPE } from '#features/goods/catalogue/rules.ts'
import {
  rechargeOperatorShape,
  rechargePlanShape,
} from '#features/goods/browse/view/recharge-shapes.ts'
import { rechargeOperator, rechargePlan } from '#features/goods/browse/view/recharge.ts'
import { listRecharges } from '#features/buying/order/queries.ts'
import { formatDate } from '#platform/i18n/format.ts'
import { personalCall } from '../personal/call.ts'

const SHOWN = 6

export const rechargeHistory = personalCall({
  path: 'recharge/history',
  method: 'GET',
  summary: 'List the phones that were recharged last',
  description: 'Paid for by the caller, newest first, as far as it is still sold.',
  access: 'signed-in',
  limit: 'read',
  body: z.object({}),
  data: z
    .object({
      list: z.array(
        z
          .object({
            number: z.string().meta({ examples: ['+918123456789'] }),
            operator: rechargeOperatorShape,
            plan: rechargePlanShape.meta({ description: 'At the price of now' }),
            at: z.string().meta({ description: 'Moment, ISO 8601' }),
            at_text: z.string().meta({ examples: ['Mar 3, 2026'] }),
          })
          .meta({ id: 'PastRecharge' }),
      ),
    })
    .meta({ id: 'RechargeHistory' }),
  example: {},
  async answer({ ctx, shop, language, currency, t, person, services }) {
    const view = { shop, language: language.code, currency, t }
    const past = await listRecharges(ctx.db, person.accountId, SHOWN)
    return {
      list: past.flatMap(({ number, item: code, product: operator, amountMinor, at }) => {
        const product = findProduct(shop, operator)
        const item = product?.items.find((each) => each.code === code)
        if (product?.type !== GOODS_TYPE.recharge || !item) return []
        return [
          {
            number,
            operator: rechargeOperator(view, product),
            plan: rechargePlan(view, product, item, amountMinor),
            at: at.toISOString(),
            at_text: formatDate(language.code, at, services.timeZone),
          },
        ]
      }),
    }
  },
})
