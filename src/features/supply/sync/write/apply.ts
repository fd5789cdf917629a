import { sql } from 'kysely'
import {
  setCosts,
  setOffers,
  switchOffers,
  type NewOffer,
} from '#features/supply/routing/commands.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { PlannedListing, SyncGround, SyncPlan } from '../engine/plan.ts'
import { listingKey } from '../rules.ts'
import type { DraftRow } from './draft-rows.ts'
import { makeDrafts } from './drafts.ts'
import { writeLimits } from './limits.ts'

/** The server takes so many values in a statement. */
const OFFERS_AT_ONCE = 2_000
const BATCH = 5_000

/** Writes what was planned, all of it in one transaction. */
export async function applyPlan(
  tx: Tx,
  ctx: Ctx,
  now: Date,
  ground: SyncGround,
  plan: SyncPlan,
): Promise<void> {
  const { supplier } = ground
  const made = await makeDrafts(tx, ctx, now, ground, plan.drafts)
  await writeListings(tx, now, supplier, withDrafts(plan.listings, made))
  await writeGone(tx, supplier, plan)
  const atSupplier = new Set(ground.items.flatMap(({ id, offer }) => (offer ? [id] : [])))
  const added = [
    ...plan.offers.filter(({ item }) => !atSupplier.has(item)),
    ...made.flatMap((draft) => offerOf(supplier, draft)),
  ]
  for (let start = 0; start < added.length; start += OFFERS_AT_ONCE)
    await setOffers({ ...ctx, db: tx }, added.slice(start, start + OFFERS_AT_ONCE))
  await setCosts(
    tx,
    now,
    supplier,
    plan.offers.filter(({ item }) => atSupplier.has(item)),
  )
  for (const isOn of [true, false])
    await switchOffers(
      tx,
      now,
      supplier,
      plan.switches.filter((each) => each.isOn === isOn).map(({ item }) => item),
      isOn,
    )
  await writeItems(tx, now, plan)
  await writeLimits(tx, now, plan)
}

function offerOf(
  supplier: string,
  { item, draft, fields, fixed, offer }: DraftRow,
): readonly NewOffer[] {
  const { face, cost } = offer
  if (!cost) return []
  const { kind, product } = draft.listed
  return [
    { item: String(item['id']), supplier, priority: 0, kind, product, face, cost, fields, fixed },
  ]
}

function withDrafts(
  listings: readonly PlannedListing[],
  made: readonly DraftRow[],
): readonly PlannedListing[] {
  const items = new Map(
    made.map(({ draft, item }) => [
      listingKey({ product: draft.listed.product, face: draft.face }),
      String(item['id']),
    ]),
  )
  return listings.map((listing) => {
    const item = items.get(listingKey(listing))
    return item === undefined
      ? listing
      : { ...listing, item, matchedBy: 'draft', score: null, status: 'draft' }
  })
}

async function writeListings(
  tx: Tx,
  now: Date,
  supplier: string,
  listings: readonly PlannedListing[],
): Promise<void> {
  for (let start = 0; start < listings.length; start += BATCH) {
    const rows = listings.slice(start, start + BATCH).map(({ listed, ...own }) => ({
      product: own.product,
      face: own.face,
      kind: listed.kind,
      name: listed.name,
      brand: listed.brand,
      country: listed.country,
      cost_minor: listed.cost?.minor.toString() ?? null,
      cost_currency: listed.cost?.currency ?? null,
      stock: listed.stock,
      range_min_minor: listed.range?.min.minor.toString() ?? null,
      range_max_minor: listed.range?.max.minor.toString() ?? null,
      range_step_minor: listed.range?.step?.minor.toString() ?? null,
      range_currency: listed.range?.min.currency ?? null,
      buyer_countries: listed.limits?.buyerCountries ?? null,
      blocked_countries: listed.limits?.blockedCountries ?? [],
      min_age: listed.limits?.minAge ?? null,
      item: own.item,
      matched_by: own.matchedBy,
      score: own.score,
      status: own.status,
      took_off: own.tookOff,
      held_minor: own.held?.minor.toString() ?? null,
      held_currency: own.held?.currency ?? null,
      held_at: own.heldAt?.toISOString() ?? null,
    }))
    await sql`
      insert into supplier_product (supplier, product, face, kind, name, brand, country, cost_minor, cost_currency, stock,
        range_min_minor, range_max_minor, range_step_minor, range_currency, buyer_countries, blocked_countries, min_age, item, matched_by, score, status,
        took_off, held_minor, held_currency, held_at, first_seen_at, seen_at)
      select ${supplier}, r.*, ${now}, ${now} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (product text, face text, kind text, name text, brand text, country text,
        cost_minor numeric, cost_currency text, stock integer, range_min_minor numeric, range_max_minor numeric, range_step_minor numeric, range_currency text,
        buyer_countries text[], blocked_countries text[], min_age smallint, item uuid, matched_by text, score smallint, status text, took_off boolean, held_minor numeric, held_currency text, held_at timestamptz)
      on conflict (supplier, product, face) do update set kind = excluded.kind, name = excluded.name, brand = excluded.brand, country = excluded.country,
        cost_minor = excluded.cost_minor, cost_currency = excluded.cost_currency, stock = excluded.stock, range_min_minor = excluded.range_min_minor,
        range_max_minor = excluded.range_max_minor, range_step_minor = excluded.range_step_minor, range_currency = excluded.range_currency,
        buyer_countries = excluded.buyer_countries, blocked_countries = excluded.blocked_countries, min_age = excluded.min_age, item = excluded.item, matched_by = excluded.matched_by,
        score = excluded.score, status = excluded.status, took_off = excluded.took_off, held_minor = excluded.held_minor, held_currency = excluded.held_currency,
        held_at = excluded.held_at, seen_at = excluded.seen_at`.execute(tx)
  }
}

async function writeGone(tx: Tx, supplier: string, { gone }: SyncPlan): Promise<void> {
  if (gone.length === 0) return
  const rows = gone.map(({ product, face, tookOff }) => ({ product, face, took_off: tookOff }))
  await sql`
    update supplier_product l set status = 'gone', took_off = r.took_off, held_minor = null, held_currency = null, held_at = null
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (product text, face text, took_off boolean)
    where l.supplier = ${supplier} and l.product = r.product and l.face = r.face`.execute(tx)
}

async function writeItems(tx: Tx, now: Date, plan: SyncPlan): Promise<void> {
  const steps = [
    { items: plan.suspend, status: 'suspended' },
    { items: plan.resume, status: 'active' },
  ] as const
  for (const { items, status } of steps)
    if (items.length > 0)
      await tx
        .updateTable('item')
        .set({ status, updated_at: now })
        .where('id', '=', sql<string>`any(${[...items]}::uuid[])`)
        // What somebody has taken off sale stays off; what nobody delivers any more goes off whoever put it on.
        .$if(status === 'active', (query) =>
          query.where(sql<boolean>`not ('status' = any(locked_fields))`),
        )
        .execute()
  if (plan.names.length > 0)
    await sql`update item set name = r.name, updated_at = ${now} from jsonb_to_recordset(${JSON.stringify(plan.names)}::jsonb) as r (item uuid, name text) where item.id = r.item and not ('name' = any(item.locked_fields))`.execute(
      tx,
    )
  const faces = plan.faces.map(({ item, minor }) => ({ item, minor: minor.toString() }))
  if (faces.length > 0)
    await sql`update item set face_minor = r.minor, updated_at = ${now} from jsonb_to_recordset(${JSON.stringify(faces)}::jsonb) as r (item uuid, minor numeric) where item.id = r.item and not ('face' = any(item.locked_fields))`.execute(
      tx,
    )
  const bounds = plan.bounds.map(({ item, min, max, step }) => ({
    item,
    min: min.toString(),
    max: max.toString(),
    step: step.toString(),
  }))
  if (bounds.length > 0)
    await sql`
      update item set face_min_minor = r.min, face_max_minor = r.max, face_step_minor = r.step, updated_at = ${now}
      from jsonb_to_recordset(${JSON.stringify(bounds)}::jsonb) as r (item uuid, min numeric, max numeric, step numeric) where item.id = r.item`.execute(
      tx,
    )
}
