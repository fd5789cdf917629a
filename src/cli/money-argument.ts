import { parseMajor, type Money } from '#kernel/money.ts'
import type { Ctx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'

/** An amount as an operator types it: "12.50" and "USD". */
export async function readMoney(ctx: Ctx, amount: string, code: string): Promise<Money> {
  const currency = await ctx.db.selectFrom('currency').select(['code', 'minor_units']).where('code', '=', code.toUpperCase()).executeTakeFirst()
  if (!currency) throw refusal(`The shop knows no currency ${code}.`)
  const minor = parseMajor(amount, currency.minor_units)
  if (minor === null || minor === 0n) throw refusal(`${amount} is no amount in ${currency.code}: write it like ${currency.minor_units === 0 ? '1250' : `12.${'5'.padEnd(currency.minor_units, '0')}`}.`)
  return { minor, currency: currency.code }
}
