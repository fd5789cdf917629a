import { beforeAll, expect, test } from 'vitest'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { importCatalogueByOperator } from '#features/goods/transfer/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import {
  importSmallCatalogue,
  smallCatalogue,
  writeFolder,
} from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { changePrices, tryPrices } from './commands.ts'
import type { PriceChange } from './schema.ts'

const database = useDatabase()
let owner: OperatorCtx

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  owner = await firstOwner(database.ctx)
})

const offered = (currency: string, isOffered?: boolean): PriceChange => ({
  path: 'currency',
  currency,
  margin_basis_points: 0,
  rounding_increment: '1',
  rounding_mode: 'half_up',
  charm: null,
  ...(isOffered === undefined ? {} : { is_offered: isOffered }),
})
const isOffered = async (code: string) =>
  (await listCurrencies(database.ctx.db)).find((one) => one.code === code)?.isCheckout

test('a currency is offered no more, stays so through an import, and is offered again', async () => {
  const code = (await listCurrencies(database.ctx.db)).find(
    (one) => one.isCheckout && one.code !== 'USD',
  )?.code as string
  const tried = await tryPrices(owner, offered(code, false))
  expect(await isOffered(code)).toBe(true)
  const { undo } = await changePrices(owner, offered(code, false), tried.seen)
  expect(await isOffered(code)).toBe(false)
  await importCatalogueByOperator(owner, writeFolder(smallCatalogue()))
  expect(await isOffered(code)).toBe(false)
  // What says nothing of it, as a request of an earlier version does, leaves it.
  await changePrices(owner, offered(code), null)
  expect(await isOffered(code)).toBe(false)
  await changePrices(owner, undo as PriceChange, null)
  expect(await isOffered(code)).toBe(true)
})

test('the US dollar, which prices are converted from, is always offered', async () => {
  expect(await refused(changePrices(owner, offered('USD', false), null))).toMatchObject({
    code: 'check_fields',
  })
})
