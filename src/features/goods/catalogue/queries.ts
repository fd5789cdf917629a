import { sql, type Selectable } from 'kysely'
import type { Db } from '#platform/db.ts'
import type {
  BrandCategoryTable,
  DeliveryPaceTable,
  DeliveryTimeTable,
  BrandTable,
  CategoryTable,
  CodeRedirectTable,
  GameTable,
  ItemTable,
  PlatformTable,
  ProductTable,
  RegionTable,
  TranslationTable,
  UnitTable,
} from '#platform/tables.ts'

export type TranslationRow = Selectable<TranslationTable>

/** Everything that is on sale, each table in the shop's order. */
export interface CatalogueRows {
  readonly platforms: readonly Selectable<PlatformTable>[]
  readonly regions: readonly Selectable<RegionTable>[]
  readonly categories: readonly Selectable<CategoryTable>[]
  readonly games: readonly Selectable<GameTable>[]
  readonly units: readonly Selectable<UnitTable>[]
  readonly brands: readonly Selectable<BrandTable>[]
  readonly brandCategories: readonly Selectable<BrandCategoryTable>[]
  readonly deliveryTimes: readonly Selectable<DeliveryTimeTable>[]
  readonly deliveryPaces: readonly Selectable<DeliveryPaceTable>[]
  readonly products: readonly Selectable<ProductTable>[]
  readonly items: readonly (Pick<
    Selectable<ItemTable>,
    | 'id'
    | 'code'
    | 'product'
    | 'kind'
    | 'name'
    | 'units'
    | 'bonus'
    | 'days'
    | 'data_mb'
    | 'face_minor'
    | 'face_min_minor'
    | 'face_max_minor'
    | 'face_step_minor'
    | 'price_minor'
    | 'price_currency'
    | 'market_minor'
    | 'own_prices'
    | 'stock'
    | 'sold'
    | 'cost_minor'
    | 'cost_currency'
  > & { readonly cost_supplier: string | null; readonly is_stopped?: boolean })[]
  readonly redirects: readonly Selectable<CodeRedirectTable>[]
  readonly translations: readonly TranslationRow[]
}

/** One consistent reading of the catalogue (a single REPEATABLE READ transaction). */
export function readCatalogueRows(db: Db): Promise<CatalogueRows> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      // The whole of a large catalogue takes longer than a single statement of a request may.
      await sql`set local statement_timeout = '5min'`.execute(tx)
      return readRows(tx)
    })
}

async function readRows(tx: Db): Promise<CatalogueRows> {
  return {
    platforms: await tx.selectFrom('platform').selectAll().orderBy('position').execute(),
    regions: await tx.selectFrom('region').selectAll().orderBy('position').execute(),
    categories: await tx
      .selectFrom('category')
      .selectAll()
      .where('status', '=', 'active')
      .orderBy('position')
      .orderBy('id')
      .execute(),
    games: await tx.selectFrom('game').selectAll().where('status', '=', 'active').execute(),
    units: await tx.selectFrom('unit').selectAll().execute(),
    brands: await tx
      .selectFrom('brand')
      .selectAll()
      .where('status', '=', 'active')
      .orderBy('popularity', 'desc')
      .orderBy('code')
      .execute(),
    deliveryTimes: await tx.selectFrom('delivery_time').selectAll().execute(),
    deliveryPaces: await tx
      .selectFrom('delivery_pace')
      .selectAll()
      .where('supplier', 'is', null)
      .execute(),
    brandCategories: await tx
      .selectFrom('brand_category')
      .selectAll()
      .orderBy('brand')
      .orderBy('category_id')
      .execute(),
    products: await tx
      .selectFrom('product')
      .selectAll()
      .where('status', '=', 'active')
      .orderBy('brand')
      .orderBy('position')
      .orderBy('code')
      .execute(),
    // What is delivered as a key is in stock as far as the vault has keys, or without end where a supplier delivers it once it is paid; what is sold here adds to what the catalogue began at.
    items: (
      await sql<CatalogueRows['items'][number]>`
      select i.id, i.code, i.product, i.kind, i.name, i.units, i.bonus, i.days, i.data_mb, i.face_minor, i.face_min_minor, i.face_max_minor, i.face_step_minor, i.price_minor, i.price_currency, i.market_minor, i.own_prices,
         c.supplier as cost_supplier, coalesce(c.cost_minor, i.cost_minor)::text as cost_minor, coalesce(c.cost_currency, i.cost_currency) as cost_currency,
         case when b.delivery <> 'card_key' then i.stock when l.is_to_order then null else greatest(coalesce(l.free, 0), 0)::integer end as stock, i.id in (select item from stopped_item) as is_stopped, i.sold + greatest(coalesce(l.sold, 0), 0) as sold
      from item i join product p on p.code = i.product join brand b on b.code = p.brand left join stock_level l on l.item = i.id
        left join (
          select distinct on (o.item) o.item, o.supplier, o.cost_minor, o.cost_currency from supplier_offer o join supplier s on s.code = o.supplier
          where o.is_on and s.status = 'on' order by o.item, o.priority, o.supplier
        ) c on c.item = i.id
      where i.status = 'active' order by i.product, i.position, i.code`.execute(tx)
    ).rows,
    redirects: await tx.selectFrom('code_redirect').selectAll().execute(),
    translations: await tx
      .selectFrom('translation')
      .selectAll()
      .where('subject', 'not in', ['country', 'currency', 'article', 'article_category'])
      .execute(),
  }
}
