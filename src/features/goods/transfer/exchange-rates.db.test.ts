import { expect, test } from 'vitest'
import { recordRates } from '#features/goods/currency/commands.ts'
import { listRates } from '#features/goods/currency/queries.ts'
import { rateText } from '#features/goods/currency/rules.ts'
import {
  readTexts,
  smallCatalogue,
  temporaryFolder,
  writeFolder,
} from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { importCatalogue } from './commands.ts'
import { exportCatalogue } from './flows.ts'

const database = useDatabase()
const yen = async () => {
  const rate = (await listRates(database.ctx.db)).find(({ currency }) => currency === 'JPY')
  return rate && `${rateText(rate.perUsd)} ${rate.source}`
}

test('a folder that is imported, and one that is exported, leave the rates of sources alone', async () => {
  const { ctx } = database
  await importCatalogue(ctx, writeFolder(smallCatalogue()))
  expect(await yen()).toBe('152.000000000000 catalogue:small')
  await ctx.db
    .insertInto('setting')
    .values({ key: 'exchange_rates', value: JSON.stringify({ sources: ['ecb', 'catalogue'] }) })
    .execute()
  await recordRates(ctx, 'ecb', {
    base: 'EUR',
    publishedAt: new Date('2026-11-26T00:00:00Z'),
    rates: new Map([
      ['USD', '1.25'],
      ['JPY', '195'],
    ]),
  })
  expect(await yen()).toBe('156.000000000000 ecb')

  const folder = smallCatalogue()
  const [, jpy] = folder['currencies.json'].currencies
  folder['currencies.json'].rates_as_of = '2099-01-01'
  Object.assign(jpy ?? {}, { per_usd: '160' })
  await importCatalogue(ctx, writeFolder(folder))
  expect(await yen()).toBe('156.000000000000 ecb')

  const written = temporaryFolder()
  await exportCatalogue(ctx, written)
  const { currencies } = JSON.parse(readTexts(written).get('currencies.json') ?? '') as {
    currencies: { code: string; per_usd: string }[]
  }
  expect(currencies.find(({ code }) => code === 'JPY')?.per_usd).toBe('160')
  expect((await importCatalogue(ctx, written)).changeCount).toBe(0)
  expect(await yen()).toBe('156.000000000000 ecb')
})
