import { expect, test, vi } from 'vitest'
import { smallCatalogue, writeFolder } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { importCatalogue } from '#features/goods/transfer/commands.ts'
import { holdSnapshot } from './flows.ts'
import { listProducts } from './queries.ts'
import { ALL_GOODS } from './rules.ts'

const database = useDatabase()
const SOON = { timeout: 60_000, interval: 20 }

test('a change in the database is seen within a second, and words keep their index when only a price changed', async () => {
  const { ctx, url } = database
  await importCatalogue(ctx, writeFolder(smallCatalogue()))
  let changes = 0
  const holder = await holdSnapshot({
    db: ctx.db,
    databaseUrl: url,
    log: ctx.log,
    onChange: () => (changes += 1),
  })
  try {
    const first = holder.current()
    const item = first.catalogue.products[0]?.items[0]
    await ctx.db
      .updateTable('item')
      .set({ price_minor: '123456', market_minor: null })
      .where('code', '=', item?.code ?? '')
      .execute()
    await vi.waitFor(
      () =>
        expect(
          holder.current().catalogue.productByCode.get(first.catalogue.products[0]?.code ?? '')
            ?.items[0]?.priceMinor,
        ).toBe(123456n),
      SOON,
    )
    expect(holder.current().productSearch).toBe(first.productSearch)
    expect(changes).toBe(1)

    await ctx.db
      .updateTable('brand')
      .set({ name: 'Renamed Brand' })
      .where('code', '=', 'vapour')
      .execute()
    const usd = first.currencyByCode.get('USD')
    await vi.waitFor(() => {
      const found = listProducts(
        holder.current(),
        { ...ALL_GOODS, keywords: 'renamed' },
        'en',
        usd as NonNullable<typeof usd>,
      )
      expect(found.list.map((product) => product.brand.code)).toContain('vapour')
    }, SOON)
  } finally {
    await holder.close()
  }
})

test('what is suspended is no longer shown', async () => {
  const { ctx, url } = database
  const holder = await holdSnapshot({
    db: ctx.db,
    databaseUrl: url,
    log: ctx.log,
    onChange: () => {},
  })
  try {
    await ctx.db
      .updateTable('brand')
      .set({ status: 'suspended' })
      .where('code', '=', 'vapour')
      .execute()
    await vi.waitFor(
      () => expect(holder.current().catalogue.brandByCode.has('vapour')).toBe(false),
      SOON,
    )
  } finally {
    await holder.close()
  }
})

test('a search finds what is meant also when goods before it lost or regained their only items', async () => {
  const { ctx, url } = database
  await importCatalogue(ctx, writeFolder(smallCatalogue()))
  const holder = await holdSnapshot({
    db: ctx.db,
    databaseUrl: url,
    log: ctx.log,
    onChange: () => {},
  })
  const found = () => {
    const usd = holder.current().currencyByCode.get('USD')
    if (!usd) throw new Error('no dollar')
    const query = { ...ALL_GOODS, keywords: last?.brand.name.en ?? '' }
    return listProducts(holder.current(), query, 'en', usd).list.map((product) => product?.code)
  }
  const [first, ...others] = holder.current().catalogue.products
  const last = others.at(-1)
  if (!first || !last) throw new Error('too few goods')
  try {
    expect(found()).toContain(last.code)
    for (const status of ['suspended', 'active'] as const) {
      await ctx.db.updateTable('item').set({ status }).where('product', '=', first.code).execute()
      await vi.waitFor(
        () =>
          expect(holder.current().catalogue.productByCode.has(first.code)).toBe(
            status === 'active',
          ),
        SOON,
      )
      expect(found()).toContain(last.code)
    }
  } finally {
    await holder.close()
  }
})
