import { listCurrencies } from '#features/goods/currency/queries.ts'
import { parseMajor, toMajor, type Money } from '#kernel/money.ts'
import type { Ctx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'

/** Digits of the minor unit by currency. */
export async function minorUnitsOf(ctx: Ctx): Promise<ReadonlyMap<string, number>> {
  return new Map((await listCurrencies(ctx.db)).map(({ code, minorUnits }) => [code, minorUnits]))
}

/** An amount as an operator reads it: "12.50 USD". */
export function amountText(
  digits: ReadonlyMap<string, number>,
  minor: bigint | string,
  currency: string,
): string {
  return `${toMajor(BigInt(minor), digits.get(currency) ?? 0)} ${currency}`
}

/** An amount as an operator types it: "12.50" and "USD". Throws a refusal for what is none. */
export async function readMoney(ctx: Ctx, amount: string, code: string): Promise<Money> {
  const currency = code.toUpperCase()
  const digits = (await minorUnitsOf(ctx)).get(currency)
  if (digits === undefined) throw refusal(`The shop knows no currency ${code}.`)
  const minor = parseMajor(amount, digits)
  if (minor === null || minor === 0n)
    throw refusal(
      `${amount} is no amount in ${currency}: write it like ${digits === 0 ? '1250' : `12.${'5'.padEnd(digits, '0')}`}.`,
    )
  return { minor, currency }
}
