import { z } from 'zod'
import { operatorsByCountry } from '#features/goods/recharge/queries.ts'
import { detectOperator } from '#features/goods/recharge/rules.ts'
import { rechargeOperatorShape } from '#features/goods/browse/view/recharge-shapes.ts'
import { rechargeOperator } from '#features/goods/browse/view/recharge.ts'
import { textIn } from '#features/goods/catalogue/rules.ts'
import { findRecentRecharges } from '#features/buying/order/queries.ts'
import { fieldError } from '#kernel/error.ts'
import { readMobileNumber, type MobileNumber } from '#platform/mobile-number.ts'
import { personalCall, type Caller } from '../personal/call.ts'

export const rechargeDetect = personalCall({
  path: 'recharge/detect',
  method: 'POST',
  summary: 'Find out the operator of a phone number',
  description:
    'The country by the number’s calling code, else the one named; the operator by its first digits at once, or by a supplier’s own look-up, which knows numbers that moved and may take some ' +
    'seconds. It is a hint: any operator of the country may be chosen. What the number must look like is told at `number`.',
  access: 'anyone',
  limit: 'write',
  body: z.strictObject({
    number: z
      .string()
      .max(60)
      .meta({ examples: ['+91 81234 56789'] }),
    country: z
      .string()
      .max(2)
      .optional()
      .meta({
        description: 'ISO 3166-1 alpha-2, for a number without calling code',
        examples: ['IN'],
      }),
    ask: z.enum(['prefix', 'supplier']).optional().meta({
      description: '`prefix`: by its first digits alone, at once; `supplier` unless it is said',
    }),
  }),
  data: z
    .object({
      number: z.string().meta({
        description: 'As the whole world dials it (E.164)',
        examples: ['+918123456789'],
      }),
      digits: z.int().meta({ description: 'Of the number within its country', examples: [10] }),
      country: z.object({
        code: z.string().meta({ examples: ['IN'] }),
        name: z.string().meta({ examples: ['India'] }),
      }),
      operator: rechargeOperatorShape
        .nullable()
        .meta({ description: 'Null where it could not be found out, or is not sold' }),
      source: z
        .enum(['prefix', 'supplier'])
        .nullable()
        .meta({ description: 'Where the operator is known from' }),
      is_portable: z
        .boolean()
        .meta({ description: 'Whether numbers move between networks in the country' }),
      recharged_minutes_ago: z
        .int()
        .min(0)
        .nullable()
        .meta({
          examples: [3],
          description:
            'Since the caller last paid for a recharge of this number, within half an hour; null otherwise',
        }),
    })
    .meta({ id: 'DetectedOperator' }),
  example: { number: '+91 81234 56789' },
  async answer(caller, { number: typed, country = '', ask = 'supplier' }) {
    if (typed.trim() === '') throw fieldError('number', 'required')
    const named = country === '' ? null : country.toUpperCase()
    if (named !== null && !caller.shop.countryByCode.has(named))
      throw fieldError('country', 'country_unknown')
    const number = readMobileNumber(typed, named)
    if (!number) throw fieldError('number', 'phone_format')
    const [found, recent] = await Promise.all([
      operatorOf(caller, number, ask),
      minutesSince(caller, number),
    ])
    const { shop, language } = caller
    const of = shop.countryByCode.get(number.country)
    const operators = operatorsByCountry(shop).get(number.country) ?? []
    const product = operators.find(({ code }) => code === found.code)
    return {
      number: number.international,
      digits: number.national.length,
      country: { code: number.country, name: of ? textIn(of.name, language.code) : number.country },
      operator: product ? rechargeOperator({ shop, language: language.code }, product) : null,
      source: product ? found.source : null,
      is_portable: operators.some(({ brand }) => brand.recharge?.portability),
      recharged_minutes_ago: recent,
    }
  },
})

interface Found {
  readonly code: string | null
  readonly source: 'prefix' | 'supplier'
}

/** Suppliers are asked only where there is somebody to choose from, and while the caller's share of what costs work lasts. */
async function operatorOf(
  { shop, services, visitor, person }: Caller,
  number: MobileNumber,
  ask: Found['source'],
): Promise<Found> {
  const operators = operatorsByCountry(shop).get(number.country) ?? []
  const byPrefix: Found = {
    source: 'prefix',
    code: detectOperator(
      number.national,
      shop.countryByCode.get(number.country)?.phone?.trunkPrefix ?? null,
      operators.map(({ code, brand }) => ({ code, prefixes: brand.recharge?.prefixes ?? [] })),
    ),
  }
  if (ask === 'prefix' || operators.length === 0) return byPrefix
  if (services.takeShare('costly', visitor, person?.accountId ?? null) > 0) return byPrefix
  const code = await services.askOperator(number)
  return code === null ? byPrefix : { code, source: 'supplier' }
}

const MINUTE_MS = 60_000

async function minutesSince(
  { ctx, person }: Caller,
  { international }: MobileNumber,
): Promise<number | null> {
  if (!person) return null
  const now = ctx.now()
  const recent = await findRecentRecharges(ctx.db, person.accountId, [international], now)
  const at = recent.get(international)
  return at ? Math.max(0, Math.floor((now.getTime() - at.getTime()) / MINUTE_MS)) : null
}
