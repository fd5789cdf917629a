import { sql } from 'kysely'
import { divide } from '#kernel/money.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { sha256 } from '#platform/secrets.ts'
import type { PlannedDraft } from '../engine/plan.ts'
import { sourceOf } from '../queries.ts'
import { faceKey, type Listed, type SupplyField } from '../rules.ts'

/** What a draft costs above its cost until somebody sets a price or a rule. */
const DRAFT_MARGIN = 1_000n
const CODE_MAX = 60
const BATCH = 2_000
const WORLD = 'global'

/** A draft with the item that was made for it. */
export interface MadeDraft extends PlannedDraft {
  readonly item: string
  /** The supplier's name of each account field of ours. */
  readonly fields: Readonly<Record<string, string>>
}

const hashOf = (...parts: readonly string[]) =>
  sha256(parts.join('\n')).toString('hex').slice(0, 16)

/** A code of a name in any script. */
function codeOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, CODE_MAX)
    .replace(/^-+|-+$/g, '')
  return plain === '' ? hashOf(name) : plain
}

const fieldKey = (name: string) => codeOf(name).replaceAll('-', '_')

/** Makes items that nobody sees yet of what a supplier lists and the shop has not: one brand for each of the supplier's, a product for each country. */
export async function makeDrafts(
  tx: Tx,
  ctx: Ctx,
  now: Date,
  supplier: string,
  drafts: readonly PlannedDraft[],
): Promise<readonly MadeDraft[]> {
  if (drafts.length === 0) return []
  const regions = new Set(
    (await tx.selectFrom('region').select('code').execute()).map(({ code }) => code),
  )
  const [any = WORLD] = regions
  const world = regions.has(WORLD) ? WORLD : any
  const made = drafts.map((draft, position) => {
    const { listed } = draft
    const name = listed.brand ?? supplier
    const brand = codeOf(`${supplier}-${name}`)
    const country = listed.country?.toLowerCase() ?? ''
    const region = regions.has(country) ? country : world
    const code = `topup:${brand}:${region}:${hashOf(supplier, listed.product, faceKey(listed.face))}`
    const fields = Object.fromEntries(
      listed.fields.map((field) => [fieldKey(field.name), field.name]),
    )
    return { ...draft, item: ctx.newId(), fields, name, brand, region, code, position }
  })
  const source = sourceOf(supplier)
  const brands = new Map(
    made.map(({ brand, name, listed }) => [
      brand,
      { code: brand, name, fields: listed.fields.map(fieldOf), source },
    ]),
  )
  const products = new Map(
    made.map(({ brand, region }) => [
      `${brand}-${region}`,
      { code: `${brand}-${region}`, brand, region, source },
    ]),
  )
  await sql`
    insert into brand (code, kind, type, name, delivery, fields, status, source)
    select code, 'top_up', 2, name, 'direct_charge', fields, 'suspended', source
    from jsonb_to_recordset(${JSON.stringify([...brands.values()])}::jsonb) as b (code text, name text, fields jsonb, source text)
    on conflict (code) do nothing`.execute(tx)
  await sql`
    insert into product (code, brand, region, position, status, source)
    select code, brand, region, 0, 'suspended', source
    from jsonb_to_recordset(${JSON.stringify([...products.values()])}::jsonb) as p (code text, brand text, region text, source text)
    on conflict do nothing`.execute(tx)
  for (let start = 0; start < made.length; start += BATCH) {
    const rows = made.slice(start, start + BATCH).map((draft) => ({
      id: draft.item,
      code: draft.code,
      product: `${draft.brand}-${draft.region}`,
      name: draft.listed.name,
      position: draft.position,
      reference: draft.listed.product,
      ...priceOfDraft(draft.listed),
    }))
    await sql`
      insert into item (id, code, product, kind, name, price_minor, price_currency, position, status, source, source_reference, updated_at)
      select i.id, i.code, i.product, 'bundle', i.name, i.price_minor, i.price_currency, i.position, 'suspended', ${source}, i.reference, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i (id uuid, code text, product text, name text, price_minor numeric, price_currency text, position integer, reference text)`.execute(
      tx,
    )
  }
  return made.map(({ listed, face, item, fields }) => ({ listed, face, item, fields }))
}

function priceOfDraft({ cost }: Listed) {
  if (!cost) throw new Error('a draft has a cost')
  const minor = divide(cost.minor * (10_000n + DRAFT_MARGIN), 10_000n, 'up')
  return { price_minor: minor.toString(), price_currency: cost.currency }
}

/** An account field of the shop's own shape. */
function fieldOf({ name, type, isRequired, options }: SupplyField) {
  return {
    key: fieldKey(name),
    kind: type === 'number' ? 'digits' : type,
    label: name,
    required: isRequired,
    help: null,
    pattern: null,
    min: null,
    max: null,
    placeholder: null,
    options,
  }
}
