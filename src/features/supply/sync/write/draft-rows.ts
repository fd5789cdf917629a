import { divide, toMajor } from '#kernel/money.ts'
import { sha256 } from '#platform/secrets.ts'
import { bundleOf } from '../engine/brands.ts'
import type { KnownCountry, PlannedDraft, SyncGround } from '../engine/plan.ts'
import { costAt, gridOf, referenceOf, type Grid } from '../engine/range.ts'
import type { SupplyKind } from '#features/supply/routing/rules.ts'
import type { Listed, SupplyField } from '../rules.ts'

/** What a draft costs above its cost until somebody sets a price or a rule. */
const DRAFT_MARGIN = 1_000n
const CODE_MAX = 60
const WORLD = 'global'
const DOLLAR = 'USD'
/** Behind what the shop has of a product. */
const POSITION = 10_000

/** What drafts of a kind are: their brand's kind and type, how they are delivered, what their codes begin with, and what their items are. */
const SHAPES: Readonly<
  Record<SupplyKind, readonly [kind: string, type: number, delivery: string, stem: string]>
> = {
  topup: ['top_up', 2, 'direct_charge', 'topup'],
  recharge: ['recharge', 3, 'direct_charge', 'air'],
  data: ['recharge', 3, 'direct_charge', 'data'],
  giftcard: ['gift_card', 1, 'card_key', 'card'],
  voucher: ['gift_card', 1, 'card_key', 'card'],
  key: ['game_key', 4, 'card_key', 'key'],
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

export interface DraftRow {
  readonly draft: PlannedDraft
  /** Null where the shop has them already. */
  readonly brand: Readonly<Record<string, unknown>> | null
  readonly product: Readonly<Record<string, unknown>> | null
  readonly item: Readonly<Record<string, unknown>>
  /** The supplier's name of each account field of ours, and what it is told beside them. */
  readonly fields: Readonly<Record<string, string>>
  readonly fixed: Readonly<Record<string, string>>
  readonly offer: Pick<Listed, 'face' | 'cost'>
}

type Sold = Pick<Listed, 'face' | 'worth' | 'cost'>

interface Place {
  readonly brand: string
  readonly product: string
  readonly region: string
  readonly regionName: string | null
}

/** The rows of what a supplier lists and the shop has not. */
export function draftRow(
  { supplier, digits, countries }: SyncGround,
  regions: ReadonlySet<string>,
  draft: PlannedDraft,
  { id, position }: { readonly id: string; readonly position: number },
): DraftRow {
  const { listed, home } = draft
  const { kind } = listed
  const country = listed.country === null ? null : (countries.get(listed.country) ?? null)
  const grid = listed.range && gridOf(listed.range, digits.get(listed.range.min.currency) ?? 0)
  const sold = soldOf(listed, grid)
  const isPhone = SHAPES[kind][0] === 'recharge'
  const name = brandName(listed, supplier)
  const place = placeOf(listed, { supplier, name, country, regions })
  const phone = isPhone ? (country ?? null) : null
  const own = home ? null : { place, name, country, phone, grid, digits }
  return {
    draft,
    brand: own && brandRow(listed, own),
    product: own && productRow(listed, own),
    item: {
      id,
      code: `${SHAPES[kind][3]}:${home?.brand ?? place.brand}:${place.region}:${hashOf(supplier, listed.product, draft.face)}`,
      product: home?.product ?? place.product,
      position: POSITION + position,
      reference: listed.product,
      ...itemRow(listed, grid, sold),
    },
    fields: isPhone
      ? {}
      : Object.fromEntries(listed.fields.map((field) => [fieldKey(field.name), field.name])),
    fixed: phone === null ? {} : { country: phone.code },
    offer: sold,
  }
}

/** What one of it is and costs: of a range the amount that it is priced by. */
function soldOf({ range, face, worth, cost }: Listed, grid: Grid | null): Sold {
  if (!range || !grid) return { face, worth, cost }
  const reference = { minor: referenceOf(grid), currency: range.min.currency }
  return { face: reference, worth: reference, cost: costAt(range.price, reference) }
}

/** A key is a title of its own; an operator's bundles stand beside its airtime. */
function brandName({ kind, brand, name }: Listed, supplier: string): string {
  if (kind === 'key') return name === '' ? supplier : name
  const told = brand ?? (kind === 'recharge' || kind === 'data' ? name : supplier)
  return kind === 'data' ? told.replace(/\s+(?:data|bundles?)$/i, '') || told : told
}

function placeOf(
  listed: Listed,
  {
    supplier,
    name,
    country,
    regions,
  }: {
    readonly supplier: string
    readonly name: string
    readonly country: KnownCountry | null
    readonly regions: ReadonlySet<string>
  },
): Place {
  const [any = WORLD] = regions
  const world = regions.has(WORLD) ? WORLD : any
  const own = country?.code.toLowerCase() ?? world
  const hasRegion = country === null || regions.has(own)
  const currency = (listed.range?.min ?? listed.worth)?.currency ?? null
  const isPhone = SHAPES[listed.kind][0] === 'recharge'
  // A product has one face currency, and a region is one product of its brand.
  const isForeign =
    currency !== null && listed.kind !== 'topup' && currency !== (country?.currency ?? DOLLAR)
  const parts = [
    supplier,
    ...(isPhone || !hasRegion ? [own] : []),
    ...(isForeign ? [currency] : []),
    name,
  ]
  const brand = codeOf(parts.join('-'))
  const region = hasRegion ? own : world
  return {
    brand,
    product: isPhone ? brand : `${brand}-${region}`,
    region,
    regionName: hasRegion ? null : (country?.name ?? null),
  }
}

interface Own {
  readonly place: Place
  readonly name: string
  readonly country: KnownCountry | null
  readonly phone: KnownCountry | null
  readonly grid: Grid | null
  readonly digits: ReadonlyMap<string, number>
}

function brandRow(listed: Listed, { place, name, phone, grid, digits }: Own) {
  const [kind, type, delivery] = SHAPES[listed.kind]
  const decimal = (minor: bigint) =>
    toMajor(minor, digits.get(listed.range?.min.currency ?? '') ?? 0)
  return {
    code: place.brand,
    kind,
    type,
    delivery,
    name,
    fields: delivery === 'direct_charge' && !phone ? listed.fields.map(fieldOf) : [],
    recharge: phone && {
      country: phone.code,
      calling_code: phone.callingCode,
      prefixes: [],
      prefixes_note: null,
      airtime: grid
        ? { kind: 'range', min: decimal(grid.min), max: decimal(grid.max) }
        : { kind: 'fixed', min: null, max: null },
      portability: true,
    },
  }
}

function productRow(listed: Listed, { place, country, phone }: Own) {
  const currency = (listed.range?.min ?? listed.worth)?.currency ?? phone?.currency ?? null
  return {
    code: place.product,
    brand: place.brand,
    region: place.region,
    region_name: place.regionName,
    countries: country && [country.code],
    lock: country ? 'country' : 'none',
    face_currency: listed.kind === 'topup' ? null : currency,
    min_age: listed.limits?.minAge ?? null,
  }
}

function itemRow(listed: Listed, grid: Grid | null, sold: Sold) {
  const { kind, name, limits } = listed
  const bundle = kind === 'data' ? bundleOf(name) : null
  const hasFace = kind !== 'topup' && kind !== 'data' && kind !== 'key' && sold.worth !== null
  return {
    kind: itemKind(kind, hasFace),
    name: hasFace || bundle ? '' : name,
    data_mb: bundle?.megabytes ?? null,
    days: bundle?.days ?? null,
    face_minor: hasFace ? (sold.worth?.minor.toString() ?? null) : null,
    face_min_minor: grid?.min.toString() ?? null,
    face_max_minor: grid?.max.toString() ?? null,
    face_step_minor: grid?.step.toString() ?? null,
    buyer_countries: limits?.buyerCountries ?? null,
    blocked_countries: limits?.blockedCountries ?? [],
    ...priceOfDraft(sold),
  }
}

function itemKind(kind: SupplyKind, hasFace: boolean): string {
  switch (kind) {
    case 'topup':
      return 'bundle'
    case 'recharge':
      return 'airtime'
    case 'data':
      return 'data'
    case 'key':
      return 'edition'
    default:
      return hasFace ? 'value' : 'plan'
  }
}

function priceOfDraft({ cost }: Pick<Listed, 'cost'>) {
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
