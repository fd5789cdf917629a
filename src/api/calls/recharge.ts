import { z } from 'zod'
import { findProduct } from '#features/goods/browse/queries.ts'
import { GOODS_TYPE } from '#features/goods/catalogue/rules.ts'
import { operatorsByCountry } from '#features/goods/recharge/queries.ts'
import {
  rechargeCountryShape,
  rechargeOperatorShape,
  rechargePlanShape,
} from '#features/goods/browse/view/recharge-shapes.ts'
import {
  rechargeCountries,
  rechargeOperator,
  rechargePlan,
} from '#features/goods/browse/view/recharge.ts'
import { AppError } from '#kernel/error.ts'
import { readingCall } from '../call.ts'
import { codeParameter } from '../parameters.ts'

export const rechargeCountriesCall = readingCall({
  path: 'recharge/countries',
  summary: 'List countries whose phones can be recharged',
  query: z.object({}),
  data: z.object({ list: z.array(rechargeCountryShape) }).meta({ id: 'RechargeCountries' }),
  mayMiss: false,
  example: {},
  read: () => ({}),
  answer: (view) => ({ list: rechargeCountries(view) }),
})

export const rechargeOperators = readingCall({
  path: 'recharge/operators',
  summary: 'List the mobile operators of a country',
  description: 'The best known first; none for a country that is not in `recharge/countries`.',
  query: z.object({ country: z.string().meta({ description: 'ISO 3166-1 alpha-2' }) }),
  data: z.object({ list: z.array(rechargeOperatorShape) }).meta({ id: 'RechargeOperators' }),
  mayMiss: false,
  example: { country: 'IN' },
  read: (params, { shop }) => {
    const country = (params.get('country') ?? '').toUpperCase()
    return { country: operatorsByCountry(shop).has(country) ? country : '' }
  },
  answer: (view, { country }) => ({
    list: (operatorsByCountry(view.shop).get(country) ?? []).map((product) =>
      rechargeOperator(view, product),
    ),
  }),
})

const AMOUNT = /^[1-9]\d{0,14}$/

export const rechargePlans = readingCall({
  path: 'recharge/plans',
  summary: 'List what a mobile operator sells',
  description:
    'Fixed amounts with what the phone receives, data packs with volume and validity, and where there is one, an item for any amount.',
  query: z.object({
    operator: codeParameter('Code of an operator'),
    amount: z.int().min(1).optional().meta({
      description:
        'In minor units of the face currency: what the item for any amount is priced for. Whether it is sold is said by `cart/check`',
    }),
  }),
  data: z
    .object({ operator: rechargeOperatorShape, list: z.array(rechargePlanShape) })
    .meta({ id: 'RechargePlans' }),
  mayMiss: true,
  example: { operator: 'in-airtel' },
  read: (params) => {
    const amount = params.get('amount') ?? ''
    return {
      operator: params.get('operator') ?? '',
      amount: AMOUNT.test(amount) ? amount : '',
    }
  },
  isFreeText: ({ amount }) => amount !== '',
  answer: (view, { operator, amount }) => {
    const product = findProduct(view.shop, operator)
    if (product?.type !== GOODS_TYPE.recharge) throw new AppError('not_found')
    return {
      operator: rechargeOperator(view, product),
      list: product.items.map((item) =>
        rechargePlan(view, product, item, amount === '' ? null : BigInt(amount)),
      ),
    }
  },
})
