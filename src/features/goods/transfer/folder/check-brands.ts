import { readAmount } from './amounts.ts'
import type { CatalogueFolder } from './catalogue.ts'
import type { Known } from './known.ts'
import type { Report } from './faults.ts'
import { refusePattern } from './patterns.ts'
import type { AccountField, Brand, Item, Product } from '../schema/goods.ts'

/** Codes are unique in the whole folder: they are addresses. */
class Codes {
  readonly #places = new Map<string, string>()
  claim(kind: string, code: string, file: string, path: string, report: Report): void {
    const place = `${file} ${path}`.trim()
    const first = this.#places.get(`${kind} ${code}`)
    if (first === undefined) this.#places.set(`${kind} ${code}`, place)
    else
      report(
        `${path}${path ? '.' : ''}code`,
        `${code} stands twice, first in ${first}`,
        'code_taken',
      )
  }
}

export function checkBrands(
  folder: Pick<CatalogueFolder, 'brands'>,
  known: Known,
  reporter: (file: string) => Report,
): void {
  const codes = new Codes()
  for (const { file, path, brand } of folder.brands) {
    const report: Report = (field, message, reason) =>
      reporter(file)(path && field ? `${path}.${field}` : path || field, message, reason)
    codes.claim('brand', brand.code, file, '', report)
    checkBrand(brand, known, report)
    const regions = new Set<string>()
    brand.products.forEach((product, index) => {
      const at = `products[${index}]`
      codes.claim('product', product.code, file, at, report)
      if (regions.has(product.region))
        report(
          `${at}.region`,
          `${brand.code} has two products in region ${product.region}`,
          'code_taken',
        )
      regions.add(product.region)
      checkProduct(brand, product, known, (field, message, reason) =>
        report(`${at}.${field}`, message, reason),
      )
      product.items.forEach((item, position) =>
        codes.claim('item', item.code, file, `${at}.items[${position}]`, report),
      )
    })
  }
}

function checkBrand(brand: Brand, known: Known, report: Report): void {
  if (brand.game !== undefined && !known.games.has(brand.game))
    report('game', `unknown game ${brand.game}`)
  if (brand.unit !== undefined && !known.units.has(brand.unit))
    report('unit', `unknown unit ${brand.unit}`)
  brand.platforms?.forEach((code, index) => {
    if (!known.platforms.has(code)) report(`platforms[${index}]`, `unknown platform ${code}`)
  })
  brand.categories?.forEach((code, index) => {
    if (!known.categories.has(code)) report(`categories[${index}]`, `unknown category ${code}`)
    else if (brand.categories?.indexOf(code) !== index)
      report(`categories[${index}]`, `${code} stands twice`)
  })
  if ((brand.kind === 'recharge') !== (brand.recharge !== undefined))
    report('recharge', 'a mobile operator, and nothing else, says how it is recharged')
  if (brand.recharge && !known.countries.has(brand.recharge.country))
    report('recharge.country', `unknown country ${brand.recharge.country}`)
  const keys = new Set<string>()
  brand.fields?.forEach((field, index) => {
    if (keys.has(field.key)) report(`fields[${index}].key`, `${field.key} stands twice`)
    keys.add(field.key)
    checkField(field, (at, message, reason) => report(`fields[${index}].${at}`, message, reason))
  })
  brand.redeem?.key_format?.parts.forEach((part, index) => {
    const refused = refusePattern(part.pattern)
    if (refused) report(`redeem.key_format.parts[${index}].pattern`, refused)
    else if (!new RegExp(part.pattern, 'u').test(part.example))
      report(`redeem.key_format.parts[${index}].example`, 'does not match the pattern')
  })
}

function checkField(field: AccountField, report: Report): void {
  if (field.kind === 'select') {
    if (!field.options?.length) report('options', 'a field to choose from has options')
    const values = new Set(field.options?.map((option) => option.value))
    if (values.size !== (field.options?.length ?? 0)) report('options', 'a value stands twice')
    return
  }
  if (field.options) report('options', 'only a field of kind select has options')
  if (field.pattern === undefined) return
  const refused = refusePattern(field.pattern)
  if (refused) report('pattern', refused)
  else if (
    field.placeholder !== undefined &&
    !new RegExp(field.pattern, 'u').test(field.placeholder)
  )
    report('placeholder', 'does not match the pattern')
  if ((field.min ?? 0) > (field.max ?? Infinity)) report('min', 'is above max')
}

function checkProduct(brand: Brand, product: Product, known: Known, report: Report): void {
  if (!known.regions.has(product.region)) report('region', `unknown region ${product.region}`)
  for (const field of ['currency', 'face_currency'] as const) {
    const currency = product[field]
    if (currency !== undefined && !known.currencies.has(currency))
      report(field, `unknown currency ${currency}`, 'currency_unknown')
  }
  checkCountries(product.countries, 'countries', known, report)
  if (
    product.picture &&
    'cover' in product.picture &&
    product.picture.cover.name === undefined &&
    brand.picture &&
    'file' in brand.picture
  )
    report('picture.cover', 'says only what differs from the brand’s cover, but the brand has none')
  if (product.free_amount) checkFreeAmount(product, known, report)
  product.items.forEach((item, index) =>
    checkItem(brand, product, item, known, (at, message, reason) =>
      report(`items[${index}].${at}`, message, reason),
    ),
  )
}

function checkFreeAmount(product: Product, known: Known, report: Report): void {
  const currency = product.face_currency ?? product.currency
  const [min, max] = [product.free_amount?.min ?? '', product.free_amount?.max ?? ''].map((text) =>
    readAmount(text, currency, known.currencies),
  )
  if (typeof min !== 'object' || min.currency !== currency)
    report('free_amount.min', `expected an amount in ${currency}`)
  else if (typeof max !== 'object' || max.currency !== currency)
    report('free_amount.max', `expected an amount in ${currency}`)
  else if (min.minor <= 0n || max.minor <= min.minor)
    report('free_amount', 'min is above zero and below max')
}

/** What is sold at any amount is airtime with a face: what that costs is what its amounts are priced by. */
function checkAmounts(
  brand: Brand,
  product: Product,
  { kind, face, free_amount: free }: Item,
  known: Known,
  report: Report,
): void {
  const at = 'free_amount'
  if (brand.delivery !== 'direct_charge' || kind !== 'airtime' || face === undefined)
    return report(at, 'is of airtime that is credited, with a face that the price is of')
  const currency = product.face_currency ?? product.currency
  const [min = 0n, max = 0n, step = 0n] = (['min', 'max', 'step'] as const).map((part) => {
    const value = readAmount(free?.[part] ?? '', currency, known.currencies)
    if (typeof value === 'object' && value.currency === currency && value.minor > 0n)
      return value.minor
    report(`${at}.${part}`, `expected an amount above zero in ${currency}`)
    return 0n
  })
  if (min === 0n || max === 0n || step === 0n) return
  if (max <= min) report(at, 'min is below max')
  else if ((max - min) % step !== 0n) report(at, 'max is a whole number of steps above min')
}

function checkItem(brand: Brand, product: Product, item: Item, known: Known, report: Report): void {
  const money = (text: string, currency: string, field: string) => {
    const value = readAmount(text, currency, known.currencies)
    if (typeof value === 'string') report(field, value, 'amount_digits')
    return typeof value === 'string' ? null : value
  }
  if (!known.currencies.has(product.currency)) return
  const price = money(item.price, product.currency, 'price')
  if (price?.minor === 0n) report('price', 'a price is above zero', 'above_zero')
  if (item.market !== undefined && price) {
    const market = money(item.market, price.currency, 'market')
    if (market && market.currency !== price.currency)
      report(
        'market',
        `is compared with the price, so it is in ${price.currency}`,
        'other_currency',
      )
    else if (market && market.minor < price.minor)
      report('market', 'is below the price it is compared with', 'below_price')
  }
  if (item.cost !== undefined && price) money(item.cost, price.currency, 'cost')
  for (const [currency, text] of Object.entries(item.prices ?? {})) {
    const at = `prices.${currency}`
    if (!known.currencies.has(currency))
      report(at, `there is no currency ${currency}`, 'currency_unknown')
    else if (currency === price?.currency) report(at, 'the price itself is in this currency')
    else {
      const value = money(text, currency, at)
      if (value?.minor === 0n) report(at, 'a price is above zero', 'above_zero')
      if (value && value.currency !== currency) report(at, `is in ${currency}`)
    }
  }
  for (const [level, text] of Object.entries(item.levels ?? {})) {
    const value = price && money(text, price.currency, `levels.${level}`)
    if (value?.minor === 0n) report(`levels.${level}`, 'a price is above zero', 'above_zero')
  }
  if (item.face !== undefined) {
    if (product.face_currency === undefined) {
      // What others maintain, or nobody any more, may be older than its product.
      if (item.source === undefined && item.status !== 'suspended')
        report('face', 'the product names no face_currency')
    } else if (money(item.face, product.face_currency, 'face')?.currency !== product.face_currency)
      report('face', `is in ${product.face_currency}`, 'other_currency')
  }
  if (item.free_amount) checkAmounts(brand, product, item, known, report)
  if (
    item.name === undefined &&
    item.kind !== 'pack' &&
    item.kind !== 'data' &&
    item.face === undefined
  )
    report('name', 'is missing', 'required')
  if (item.kind === 'pack' && item.units === undefined)
    report('units', 'a pack says how many units it holds', 'required')
  checkCountries(item.buyer_countries, 'buyer_countries', known, report)
  checkCountries(item.blocked_countries, 'blocked_countries', known, report)
}

function checkCountries(
  codes: readonly string[] | undefined,
  field: string,
  known: Known,
  report: Report,
): void {
  codes?.forEach((code, index) => {
    if (!known.countries.has(code))
      report(`${field}[${index}]`, `unknown country ${code}`, 'country_unknown')
    else if (codes.indexOf(code) !== index) report(`${field}[${index}]`, `${code} stands twice`)
  })
}
