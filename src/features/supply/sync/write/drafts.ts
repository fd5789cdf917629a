import { sql } from 'kysely'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { PlannedDraft, SyncGround } from '../engine/plan.ts'
import { sourceOf } from '../queries.ts'
import { draftRow, type DraftRow } from './draft-rows.ts'

const BATCH = 2_000

/**
 * Makes items that nobody sees yet of what a supplier lists and the shop has not, in products that the shop has, or else one brand for each of
 * the supplier's and a product for each country.
 */
export async function makeDrafts(
  tx: Tx,
  ctx: Ctx,
  now: Date,
  ground: SyncGround,
  drafts: readonly PlannedDraft[],
): Promise<readonly DraftRow[]> {
  if (drafts.length === 0) return []
  const regions = new Set(
    (await tx.selectFrom('region').select('code').execute()).map(({ code }) => code),
  )
  const rows = drafts.map((draft, position) =>
    draftRow(ground, regions, draft, { id: ctx.newId(), position }),
  )
  const source = sourceOf(ground.supplier)
  await makeBrands(tx, source, rows)
  await makeProducts(tx, source, rows)
  for (let start = 0; start < rows.length; start += BATCH) {
    const items = rows.slice(start, start + BATCH).map(({ item }) => item)
    await sql`
      insert into item (id, code, product, kind, name, data_mb, days, face_minor, face_min_minor, face_max_minor, face_step_minor, price_minor, price_currency,
        buyer_countries, blocked_countries, position, status, source, source_reference, updated_at)
      select i.id, i.code, i.product, i.kind, i.name, i.data_mb, i.days, i.face_minor, i.face_min_minor, i.face_max_minor, i.face_step_minor, i.price_minor, i.price_currency,
        i.buyer_countries, i.blocked_countries, i.position, 'suspended', ${source}, i.reference, ${now}
      from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i (id uuid, code text, product text, kind text, name text, data_mb integer, days integer, face_minor numeric,
        face_min_minor numeric, face_max_minor numeric, face_step_minor numeric, price_minor numeric, price_currency text, buyer_countries text[], blocked_countries text[], position integer, reference text)`.execute(
      tx,
    )
  }
  return rows
}

async function makeBrands(tx: Tx, source: string, rows: readonly DraftRow[]): Promise<void> {
  const brands = new Map(rows.flatMap(({ brand }) => (brand ? [[brand['code'], brand]] : [])))
  await sql`
    insert into brand (code, kind, type, name, delivery, fields, recharge, status, source)
    select code, kind, type, name, delivery, fields, recharge, 'suspended', ${source}
    from jsonb_to_recordset(${JSON.stringify([...brands.values()])}::jsonb) as b (code text, kind text, type smallint, name text, delivery text, fields jsonb, recharge jsonb)
    on conflict (code) do nothing`.execute(tx)
}

/** One whose youngest age is told by several has the highest of them. */
async function makeProducts(tx: Tx, source: string, rows: readonly DraftRow[]): Promise<void> {
  const products = rows.flatMap(({ product }) => (product ? [product] : []))
  await sql`
    insert into product (code, brand, region, region_name, countries, lock, face_currency, min_age, position, status, source)
    select code, min(brand), min(region), min(region_name), min(countries), min(lock), min(face_currency), max(min_age), 0, 'suspended', ${source}
    from jsonb_to_recordset(${JSON.stringify(products)}::jsonb) as p (code text, brand text, region text, region_name text, countries text[], lock text, face_currency text, min_age smallint)
    group by code
    on conflict (code) do update set face_currency = coalesce(product.face_currency, excluded.face_currency), min_age = greatest(product.min_age, excluded.min_age)
    where product.source = excluded.source`.execute(tx)
}
