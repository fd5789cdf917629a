import pg from 'pg'

/** What the benchmark asks the shop for, read from its database. */
export interface ShopFacts {
  readonly items: number
  readonly products: number
  /** Codes of products and their pages' paths, the most wanted first. */
  readonly productPaths: readonly string[]
  readonly currencies: readonly string[]
  readonly brandOfProduct: ReadonlyMap<string, string>
  /** Brand → the game it tops up. */
  readonly gameOfBrand: ReadonlyMap<string, string>
}

const HUBS = ['', '/cards', '/top-up', '', '/product']

export async function readShopFacts(databaseUrl: string): Promise<ShopFacts> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const rows = async <Row extends pg.QueryResultRow>(text: string) =>
      (await client.query<Row>(text)).rows
    const products = await rows<{ code: string; type: number }>(
      `select product.code, brand.type from product join brand on brand.code = product.brand
       where product.status = 'active' and brand.type <> 3 order by brand.popularity desc, product.code limit 2000`,
    )
    const [counts] = await rows<{ items: number; products: number }>(
      `select (select count(*)::int from item where status = 'active') as items, (select count(*)::int from product where status = 'active') as products`,
    )
    return {
      items: counts?.items ?? 0,
      products: counts?.products ?? 0,
      productPaths: products.map(
        ({ code, type }) => `${HUBS[type === 4 ? 4 : type] ?? ''}/${code}`,
      ),
      currencies: (
        await rows<{ code: string }>(
          'select code from currency where is_checkout order by position',
        )
      ).map((row) => row.code),
      brandOfProduct: new Map(
        (await rows<{ code: string; brand: string }>('select code, brand from product')).map(
          (row) => [row.code, row.brand],
        ),
      ),
      gameOfBrand: new Map(
        (
          await rows<{ code: string; game: string }>(
            'select code, game from brand where game is not null',
          )
        ).map((row) => [row.code, row.game]),
      ),
    }
  } finally {
    await client.end()
  }
}

/** The cookie of a visitor who chose a currency. */
export function currencyCookie(currency: string): string {
  return `user_selection=${encodeURIComponent(JSON.stringify({ country_icon: '', country_code: 'US', currency_code: currency, language_code: 'en' }))}`
}
