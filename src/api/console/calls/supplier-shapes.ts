import { z } from 'zod'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { ROUTE_CRITERIA } from '#features/supply/routing/rules.ts'
import { fieldError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import type { Db } from '#platform/db.ts'

export const supplier = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .max(100)
  .meta({ examples: ['kinguin'] })
export const currency = z.string().regex(/^[A-Z]{3}$/)
export const minor = z.string().regex(/^[1-9]\d{0,17}$/)
export const day = z.iso.date().meta({ examples: ['2027-06-30'] })
export const note = z.string().trim().min(1).max(300)
export const money = z.object({ amount_minor: z.string(), currency: z.string() })
export const routeRule = z.array(z.enum(ROUTE_CRITERIA)).min(1).max(ROUTE_CRITERIA.length)

export const written = ({ minor: amount, currency: code }: Money) => ({
  amount_minor: amount.toString(),
  currency: code,
})

/** An amount of a currency that the shop knows. Throws at `currency` for another. */
export async function knownMoney(db: Db, amount: string, code: string): Promise<Money> {
  const known = await listCurrencies(db)
  if (!known.some((one) => one.code === code)) throw fieldError('currency', 'currency_unknown')
  return { minor: BigInt(amount), currency: code }
}

/** Each thing once. */
export function distinct<One>(all: readonly One[], field: string): readonly One[] {
  if (new Set(all).size !== all.length) throw fieldError(field, 'not_allowed')
  return all
}
