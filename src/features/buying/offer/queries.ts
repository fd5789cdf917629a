import { sql } from 'kysely'
import { listAddresses } from '#features/people/address/queries.ts'
import type { Catalogue, Item, Product } from '#features/goods/catalogue/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { priceOf } from '#features/goods/price/engine/chain.ts'
import type { LevelTerms, PricedItem } from '#features/goods/price/rules.ts'
import { operatorsByCountry } from '#features/goods/recharge/queries.ts'
import { detectOperator, PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import type { Country } from '#features/goods/region/rules.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { ErrorParams, FieldReason } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Money } from '#kernel/money.ts'
import type { Db } from '#platform/db.ts'
import { formatMoney } from '#platform/i18n/format.ts'
import { readMobileNumber } from '#platform/mobile-number.ts'
import {
  amountFault,
  checkField,
  cleanValues,
  FIELD_LENGTH_MAX,
  offerKey,
  type FieldFault,
  type FieldRule,
  type Offer,
  type WantedGoods,
} from './rules.ts'

interface Found {
  readonly product: Product
  readonly item: Item
}

const items = new WeakMap<Catalogue, ReadonlyMap<string, Found>>()

/** The item of a code on sale now, which may be one it had before; null when there is none. */
export function findItem(
  { catalogue }: Pick<ShopSnapshot, 'catalogue'>,
  code: string,
): Found | null {
  let byCode = items.get(catalogue)
  if (!byCode) {
    byCode = new Map(
      catalogue.products.flatMap((product) =>
        product.items.map((item) => [item.code, { product, item }] as const),
      ),
    )
    items.set(catalogue, byCode)
  }
  return byCode.get(code) ?? byCode.get(catalogue.redirects.get(`item ${code}`) ?? '') ?? null
}

export interface OfferQuery {
  readonly shop: ShopSnapshot
  readonly currency: Currency
  /** The shopper's customer level; 0 buys at the shown prices. */
  readonly roleId: number
}

/**
 * What goods cost one shopper now, by `offerKey` of what was asked for. What names nothing on sale is not in it.
 * Shown prices come from the same snapshot and chain as those of pages.
 */
export async function listOffers(
  db: Db,
  query: OfferQuery,
  wanted: readonly WantedGoods[],
): Promise<ReadonlyMap<string, Offer>> {
  const ids = wanted.flatMap(({ item }) => findItem(query.shop, item)?.item.id ?? [])
  return offersAt(query, wanted, await readTerms(db, ids, query.roleId))
}

/** The same at terms that were read already, by item. */
export function offersAt(
  { shop, currency, roleId }: OfferQuery,
  wanted: readonly WantedGoods[],
  terms: ReadonlyMap<string, Terms>,
): ReadonlyMap<string, Offer> {
  return new Map(
    wanted.flatMap((each) => {
      const found = findItem(shop, each.item)
      const own = found ? terms.get(found.item.id) : undefined
      if (!found || !own) return []
      const { product } = found
      const { item, amount } = itemAt(found, each.amountMinor)
      const { minor, withheld, steps } = priceOf(shop.pricing, item, currency, levelOf(roleId, own))
      const [first] = steps
      const offer: Offer = {
        product,
        item,
        free: found.item.free,
        amount,
        baseMinor: first?.value.numerator ?? item.priceMinor,
        baseCurrency: first && 'currency' in first ? first.currency : item.priceCurrency,
        priceMinor: minor,
        withheld,
        steps,
        buyerCountries: own.buyerCountries,
        blockedCountries: own.blockedCountries,
      }
      return [[offerKey(each), offer] as const]
    }),
  )
}

/** An item as it was asked for: an amount of it is worth that, and costs its share of what the face does. */
function itemAt(
  { item, product }: Found,
  amountMinor: bigint | null | undefined,
): { readonly item: Item & Pick<PricedItem, 'part'>; readonly amount: Money | null } {
  const { free, faceMinor } = item
  const isAsked = amountMinor !== null && amountMinor !== undefined
  if (!free || faceMinor === null || !isAsked || product.faceCurrency === null)
    return { item, amount: null }
  const part = { numerator: amountMinor, denominator: faceMinor }
  return {
    // What the face is compared with is no measure of it.
    item: { ...item, faceMinor: amountMinor, marketMinor: null, free: null, part },
    amount: { minor: amountMinor, currency: product.faceCurrency },
  }
}

/** What is wrong with the amount that was asked for, in the reader's language; null when nothing is. */
export function amountProblem(
  shop: Pick<ShopSnapshot, 'currencyByCode'>,
  language: LanguageCode,
  { product, free }: Pick<Offer, 'product' | 'free'>,
  amountMinor: bigint | null | undefined,
): { readonly reason: FieldReason; readonly params?: ErrorParams } | null {
  const reason = amountFault(free, amountMinor)
  const face = shop.currencyByCode.get(product.faceCurrency ?? '')
  if (reason === null || !free || !face) return reason && { reason }
  const shown = (minor: bigint) => {
    const isWhole = minor % 10n ** BigInt(face.minorUnits) === 0n
    return formatMoney(language, face.code, minor, face.minorUnits, isWhole ? 0 : face.minorUnits)
  }
  return {
    reason,
    params: {
      min: shown(free.minMinor),
      max: shown(free.maxMinor),
      step: shown(free.stepMinor),
    },
  }
}

const levelOf = (level: number, { levelMinor, levelCurrency }: Terms): LevelTerms => ({
  level,
  price:
    levelMinor === null || levelCurrency === null
      ? null
      : { minor: BigInt(levelMinor), currency: levelCurrency },
})

/** What the database alone knows of an item's sale to one shopper. */
export interface Terms {
  readonly buyerCountries: readonly string[] | null
  readonly blockedCountries: readonly string[]
  /** The price at the shopper's level, where there is one, in minor units. */
  readonly levelMinor: string | null
  readonly levelCurrency: string | null
}

/** Columns of `Terms`, of an item `i` and its price `l` at the shopper's level. */
export const TERMS = sql`i.buyer_countries as "buyerCountries", i.blocked_countries as "blockedCountries", l.price_minor::text as "levelMinor", l.price_currency as "levelCurrency"`

async function readTerms(
  db: Db,
  ids: readonly string[],
  roleId: number,
): Promise<ReadonlyMap<string, Terms>> {
  const [only, ...more] = ids
  if (only === undefined) return new Map()
  // Of a list the server does not know the length, and would plan it anew each time.
  const which = more.length === 0 ? sql`i.id = ${only}` : sql`i.id = any(${[...ids]}::uuid[])`
  const { rows } = await sql<Terms & { readonly id: string }>`
    select i.id, ${TERMS} from item i left join item_level_price l on l.item = i.id and l.level = ${roleId} where ${which}`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export interface FieldProblemOf {
  readonly key: string
  readonly reason: FieldReason
  readonly params?: ErrorParams
}

/** Account values as they are kept, or what is wrong with each. */
export type ReadFields =
  | { readonly values: Readonly<Record<string, string>> }
  | { readonly problems: readonly FieldProblemOf[] }

/** Checks what a shopper says of the account or phone to be credited. Goods that arrive as a key ask for nothing. */
export function readFields(
  shop: ShopSnapshot,
  product: Product,
  given: Readonly<Record<string, string>>,
): ReadFields {
  const { brand } = product
  if (brand.recharge) return readPhone(shop, product, given)
  const fields: readonly FieldRule[] = brand.delivery === 'direct_charge' ? brand.fields : []
  const problems = [
    ...unknownFields(
      given,
      fields.map(({ key }) => key),
    ),
    ...fields.flatMap((field): FieldProblemOf[] => {
      const fault = checkField(field, given[field.key] ?? '')
      return fault ? [{ key: field.key, ...reasonOf(field, fault) }] : []
    }),
  ]
  return problems.length > 0 ? { problems } : { values: cleanValues(fields, given) }
}

function unknownFields(
  given: Readonly<Record<string, string>>,
  known: readonly string[],
): FieldProblemOf[] {
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key) => ({ key: key.slice(0, 60), reason: 'unknown_field' }))
}

function reasonOf(
  { min, max }: FieldRule,
  fault: FieldFault,
): { readonly reason: FieldReason; readonly params?: ErrorParams } {
  switch (fault) {
    case 'missing':
      return { reason: 'required' }
    case 'digits':
      return { reason: 'digits_only' }
    case 'length':
      return min === max
        ? { reason: 'account_format' }
        : { reason: 'length_between', params: { min: min ?? 1, max: max ?? FIELD_LENGTH_MAX } }
    case 'email':
      return { reason: 'email_format' }
    case 'phone':
      return { reason: 'phone_format' }
    case 'pattern':
      return { reason: 'account_format' }
    default:
      return fault satisfies never
  }
}

/** A number of the operator's country; where numbers stay with their network, one of the operator's own. */
function readPhone(
  shop: ShopSnapshot,
  { code, brand: { recharge } }: Product,
  given: Readonly<Record<string, string>>,
): ReadFields {
  const unknown = unknownFields(given, [PHONE_FIELD])
  const problem = (reason: FieldReason): ReadFields => ({
    problems: [...unknown, { key: PHONE_FIELD, reason }],
  })
  const typed = (given[PHONE_FIELD] ?? '').trim()
  if (typed === '') return problem('required')
  const number = recharge ? readMobileNumber(typed, recharge.country) : null
  if (!recharge || number?.country !== recharge.country) return problem('phone_format')
  if (!recharge.portability && recharge.prefixes.length > 0) {
    const operators = (operatorsByCountry(shop).get(recharge.country) ?? []).map((other) => ({
      code: other.code,
      prefixes: other.brand.recharge?.prefixes ?? [],
    }))
    const trunkPrefix = shop.countryByCode.get(recharge.country)?.phone?.trunkPrefix ?? null
    const detected = detectOperator(number.national, trunkPrefix, operators)
    if (detected !== null && detected !== code) return problem('phone_operator')
  }
  return unknown.length > 0
    ? { problems: unknown }
    : { values: { [PHONE_FIELD]: number.international } }
}

/** Where somebody buys from, and what that was concluded from. */
export interface Buyer {
  /** Of the default billing address, else the one chosen; null when neither is known. */
  readonly country: Country | null
  readonly billingCountry: string | null
  readonly chosenCountry: string | null
}

export async function findBuyer(
  db: Db,
  shop: Pick<ShopSnapshot, 'countryByCode'>,
  accountId: string,
  chosenCountry: string | null,
): Promise<Buyer> {
  const address = (await listAddresses(db, accountId)).find(
    ({ is_default: isDefault }) => isDefault,
  )
  return buyerFrom(shop, address?.country ?? null, chosenCountry)
}

/** @param billingCountry of the default billing address */
export function buyerFrom(
  shop: Pick<ShopSnapshot, 'countryByCode'>,
  billingCountry: string | null,
  chosenCountry: string | null,
): Buyer {
  const chosen =
    chosenCountry !== null && shop.countryByCode.has(chosenCountry) ? chosenCountry : null
  return {
    country: shop.countryByCode.get(billingCountry ?? chosen ?? '') ?? null,
    billingCountry,
    chosenCountry: chosen,
  }
}
