import { listCurrencies } from '#features/goods/currency/queries.ts'
import { formatMoney } from '#platform/i18n/format.ts'
import type { ConsoleContext } from '../page.ts'

/** Writes amounts as the operator's language does, each in its own currency. @returns a function of minor units and a currency's code */
export async function moneyTexts({
  ctx,
  language,
}: ConsoleContext): Promise<(minor: bigint | string, currency: string) => string> {
  const digits = new Map(
    (await listCurrencies(ctx.db)).map(({ code, minorUnits }) => [code, minorUnits]),
  )
  return (minor, currency) => {
    const places = digits.get(currency) ?? 0
    return formatMoney(language.code, currency, BigInt(minor), places, places)
  }
}
