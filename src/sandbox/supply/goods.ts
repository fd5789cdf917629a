import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { divide, parseDecimal } from '#kernel/money.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { SCENARIOS } from './scenarios.ts'

export type GoodKind = 'topup' | 'recharge' | 'data' | 'giftcard' | 'key'

export interface GoodField {
  readonly name: string
  readonly kind: string
  readonly isRequired: boolean
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** What the sandboxed suppliers sell: the demo's own goods by their codes, and a card for each scenario. */
export interface Good {
  readonly sku: string
  readonly kind: GoodKind
  readonly name: string
  /** The demo's product ("mobile-legends-global"). */
  readonly group: string
  readonly groupName: string
  readonly country: string | null
  /** A plain decimal in its own currency; null where there is none. */
  readonly face: { readonly amount: string; readonly currency: string } | null
  /** Sold at any of these amounts of its currency, by what the face costs; null: not. */
  readonly free: FreeAmount | null
  /** What a data bundle holds: "2 GB, 7 days". */
  readonly bundle: string | null
  /** US cents. */
  readonly cost: bigint
  readonly fields: readonly GoodField[]
  /** First digits of an operator's numbers in E.164, without the plus. */
  readonly prefixes: readonly string[]
}

interface FreeAmount {
  readonly min: string
  readonly max: string
  readonly step: string
}

interface CatalogueFile {
  readonly code: string
  readonly kind: string
  readonly name: string
  readonly delivery?: string
  readonly recharge?: { readonly calling_code: string; readonly prefixes?: readonly string[] }
  readonly fields?: readonly {
    readonly key: string
    readonly kind: string
    readonly required?: boolean
    readonly options?: readonly { readonly value: string; readonly label?: string }[]
  }[]
  readonly products: readonly {
    readonly code: string
    readonly countries?: readonly string[]
    readonly currency: string
    readonly face_currency?: string
    readonly items: readonly {
      readonly code: string
      readonly kind: string
      readonly name?: string
      readonly units?: number
      readonly face?: string
      readonly free_amount?: FreeAmount
      readonly data_mb?: number
      readonly days?: number
      readonly price: string
    }[]
  }[]
}

/** Suppliers sell for less than the shop does. */
const OF_PRICE = { numerator: 94n, denominator: 100n }
const PHONE: readonly GoodField[] = [
  { name: 'phone', kind: 'phone', isRequired: true, options: [] },
  { name: 'country', kind: 'text', isRequired: true, options: [] },
]

/** Everything of the demo's catalogue that is credited, and its cards and keys. */
export function readGoods(folder = join(PROJECT_ROOT, 'catalogue')): ReadonlyMap<string, Good> {
  const rates = readRates(folder)
  const brands = filesBelow(join(folder, 'brands')).map((file) => readFile<CatalogueFile>(file))
  const operators = filesBelow(join(folder, 'operators')).flatMap(
    (file) => readFile<{ readonly operators: readonly CatalogueFile[] }>(file).operators,
  )
  const goods = [...brands, ...operators].flatMap((brand) => goodsOf(brand, rates))
  return new Map([...goods, ...scenarioCards()].map((good) => [good.sku, good]))
}

function goodsOf(brand: CatalogueFile, rates: ReadonlyMap<string, string>): readonly Good[] {
  const fields = brand.kind === 'recharge' ? PHONE : (brand.fields ?? []).map(fieldOf)
  return brand.products.flatMap((product) =>
    product.items.flatMap((item): readonly Good[] => {
      const rate = rates.get(product.currency)
      if (rate === undefined) return []
      return [
        {
          sku: item.code,
          kind: kindOf(brand, item.kind),
          name: `${brand.name} ${item.name ?? item.face ?? item.units ?? ''}`.trim(),
          group: product.code,
          groupName: brand.name,
          country: product.countries?.length === 1 ? (product.countries[0] ?? null) : null,
          face: item.face
            ? { amount: item.face, currency: product.face_currency ?? product.currency }
            : null,
          free: item.free_amount ?? null,
          bundle: bundleOf(item),
          cost: centsOf(item.price, rate),
          fields: isCredited(brand) ? fields : [],
          prefixes: prefixesOf(brand),
        },
      ]
    }),
  )
}

function bundleOf({ data_mb: mb, days }: { readonly data_mb?: number; readonly days?: number }) {
  if (mb === undefined) return null
  const volume = mb % 1_000 === 0 ? `${mb / 1_000} GB` : `${mb} MB`
  return days === undefined ? volume : `${volume}, ${days} days`
}

/** Numbers are dialled with a zero inside most countries. */
function prefixesOf({ recharge }: CatalogueFile): readonly string[] {
  const code = recharge?.calling_code.replace('+', '') ?? ''
  return (recharge?.prefixes ?? []).map((prefix) => code + prefix.replace(/^0/, ''))
}

const isCredited = ({ delivery, kind }: CatalogueFile) =>
  delivery === 'direct_charge' || kind === 'recharge'

function kindOf(brand: CatalogueFile, item: string): GoodKind {
  if (brand.kind === 'recharge') return item === 'data' ? 'data' : 'recharge'
  if (isCredited(brand)) return 'topup'
  return brand.kind === 'game_key' ? 'key' : 'giftcard'
}

function fieldOf({
  key,
  kind,
  required,
  options,
}: NonNullable<CatalogueFile['fields']>[number]): GoodField {
  return {
    name: key,
    kind,
    isRequired: required !== false,
    options: (options ?? []).map(({ value, label }) => ({ value, label: label ?? value })),
  }
}

const BULK = 'bulk'
const BULK_COST = 100n

/** As many made-up products as are wanted, at so many hundredths of their cost, beside the demo's own goods. */
export function stockUp(goods: Map<string, Good>, count: number, percent: number): void {
  for (const sku of goods.keys()) if (sku.startsWith(`${BULK}:`)) goods.delete(sku)
  for (let number = 1; number <= count; number += 1) {
    const sku = `${BULK}:${String(number).padStart(6, '0')}`
    const group = `bulk-game-${Math.ceil(number / 20)}`
    goods.set(sku, {
      sku,
      kind: 'topup',
      name: `Bulk pack ${number}`,
      group,
      groupName: `Bulk game ${Math.ceil(number / 20)}`,
      country: null,
      face: null,
      cost: ((BULK_COST + BigInt(number)) * BigInt(percent)) / 100n,
      fields: [{ name: 'user_id', kind: 'digits', isRequired: true, options: [] }],
      prefixes: [],
      free: null,
      bundle: null,
    })
  }
}

/** No account says what shall happen with a card: its product does. */
function scenarioCards(): readonly Good[] {
  return SCENARIOS.map(({ number, text }) => ({
    sku: String(number),
    kind: 'giftcard',
    name: `Sandbox card ${number}: ${text}`,
    group: 'sandbox-cards',
    groupName: 'Sandbox',
    country: 'US',
    face: { amount: '10', currency: 'USD' },
    free: null,
    bundle: null,
    cost: 940n,
    fields: [],
    prefixes: [],
  }))
}

function centsOf(price: string, perUsd: string): bigint {
  const [amount, rate] = [parseDecimal(price), parseDecimal(perUsd)]
  const cents = divide(
    amount.numerator * rate.denominator * 100n * OF_PRICE.numerator,
    amount.denominator * rate.numerator * OF_PRICE.denominator,
    'up',
  )
  return cents > 0n ? cents : 1n
}

function readRates(folder: string): ReadonlyMap<string, string> {
  const { currencies } = readFile<{
    readonly currencies: readonly { readonly code: string; readonly per_usd: string }[]
  }>(join(folder, 'currencies.json'))
  return new Map(currencies.map(({ code, per_usd: rate }) => [code, rate]))
}

const readFile = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => join(folder, name))
}
