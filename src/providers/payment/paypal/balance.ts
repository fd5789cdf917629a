import { z } from 'zod'
import type { Money } from '#kernel/money.ts'
import { fromPaypal } from './amounts.ts'
import { bodyOrRefusal, type PaypalClient } from './client.ts'

const sum = z.object({ currency_code: z.string(), value: z.string() })
const answer = z.object({ balances: z.array(z.object({ available_balance: sum.nullish() })) })

/** By the balance report, which an account's app needs a right for and which lags by hours. */
export async function readBalance(client: PaypalClient): Promise<Money[]> {
  const told = await client({ method: 'GET', path: '/v1/reporting/balances' })
  return bodyOrRefusal(told, answer).balances.flatMap(({ available_balance: available }) => {
    if (!available) return []
    const isOwed = available.value.startsWith('-')
    const { minor, currency } = fromPaypal({
      currency_code: available.currency_code,
      value: isOwed ? available.value.slice(1) : available.value,
    })
    return [{ minor: isOwed ? -minor : minor, currency }]
  })
}
