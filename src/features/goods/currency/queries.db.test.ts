import { beforeAll, expect, test } from 'vitest'
import { addCurrencies } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { listCurrencies } from './queries.ts'

const database = useDatabase()
const observed = new Date('2026-11-20T12:00:00Z')

beforeAll(async () => {
  await addCurrencies(database.ctx)
  const rate = (currency: string, source: string) => ({
    currency,
    observed_at: observed,
    per_usd: '0.92',
    source,
  })
  await database.ctx.db
    .insertInto('currency_rate')
    .values([rate('EUR', 'feed:ecb'), rate('KWD', 'catalogue:demo')])
    .execute()
})

const validUntil = async (code: string) =>
  (await listCurrencies(database.ctx.db)).find((currency) => currency.code === code)?.rateValidUntil

test('a rate may be sold by for two days, or as long as the shop says; one of a catalogue folder until it is replaced', async () => {
  expect(await validUntil('EUR')).toEqual(new Date('2026-11-22T12:00:00Z'))
  expect(await validUntil('KWD')).toBeNull()
  await database.ctx.db
    .insertInto('setting')
    .values({ key: 'rate_max_age_hours', value: '6' })
    .execute()
  expect(await validUntil('EUR')).toEqual(new Date('2026-11-20T18:00:00Z'))
})
