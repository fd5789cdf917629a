import {
  GOODS_TYPE,
  productPath,
  type Brand,
  type Catalogue,
  type GoodsType,
  type Product,
} from '#features/goods/catalogue/rules.ts'

/** What an address of a product leads to. Paths are without language prefix. */
export type Found =
  | { readonly kind: 'product'; readonly product: Product }
  | { readonly kind: 'redirect'; readonly path: string; readonly status: 301 | 302 }

type Shelf = Pick<Catalogue, 'productByCode' | 'brandByCode' | 'redirects'>

/** The first segment of a product's address, and the goods that live there; `/product/{code}` serves every kind. */
const HOME_OF: Readonly<Record<string, GoodsType>> = {
  cards: GOODS_TYPE.card,
  'top-up': GOODS_TYPE.topUp,
}
const ANY_KIND = 'product'

/**
 * Finds what `/{section}/{code}` names: a product at its own address, else the address where it is (decisions, "Kinds of
 * goods"). A bare brand code leads to the sibling that fits the visitor's country, for this request only. Null: nothing.
 */
export function findAtAddress(
  catalogue: Shelf,
  section: string,
  code: string,
  country: string | null,
): Found | null {
  const product = catalogue.productByCode.get(code)
  if (product) {
    if (product.type === GOODS_TYPE.recharge)
      return { kind: 'redirect', path: productPath(product), status: 302 }
    const isHere = section === ANY_KIND || HOME_OF[section] === product.type
    return isHere
      ? { kind: 'product', product }
      : { kind: 'redirect', path: productPath(product), status: 301 }
  }
  // A former code means that product, even where its brand is called so as well.
  const moved = catalogue.productByCode.get(
    renamedTo(catalogue, 'product', catalogue.productByCode, code) ?? '',
  )
  if (moved) return { kind: 'redirect', path: productPath(moved), status: 301 }
  const brand = catalogue.brandByCode.get(code)
  if (brand) return { kind: 'redirect', path: productPath(siblingFor(brand, country)), status: 302 }
  const renamed = renamedTo(catalogue, 'brand', catalogue.brandByCode, code)
  return renamed === null ? null : { kind: 'redirect', path: `/${section}/${renamed}`, status: 301 }
}

const RENAMES_MAX = 10

/** The code that a former one stands for today; renames may follow one another. */
function renamedTo(
  { redirects }: Shelf,
  kind: 'product' | 'brand',
  onSale: ReadonlyMap<string, unknown>,
  code: string,
): string | null {
  let current = redirects.get(`${kind} ${code}`)
  for (let step = 0; current !== undefined && step < RENAMES_MAX; step += 1) {
    if (onSale.has(current)) return current
    current = redirects.get(`${kind} ${current}`)
  }
  return null
}

/** The product of the country itself, else the narrowest that names it, else one for all countries, else the first. */
export function siblingFor(brand: Pick<Brand, 'products'>, country: string | null): Product {
  const first = brand.products[0]
  if (!first) throw new Error('A brand on sale has a product')
  if (country === null) return first
  const own = brand.products.find(({ region }) => region.code === country.toLowerCase())
  if (own) return own
  const naming = brand.products
    .filter(({ countries }) => countries?.includes(country))
    .sort((a, b) => (a.countries?.length ?? 0) - (b.countries?.length ?? 0))
  return naming[0] ?? brand.products.find(({ countries }) => countries === null) ?? first
}
