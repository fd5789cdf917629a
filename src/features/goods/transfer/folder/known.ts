import type { MinorUnits } from './amounts.ts'
import type { CatalogueFolder } from './catalogue.ts'

/** What the shop has already, which a folder may refer to without saying it again. */
export interface Known {
  /** Currency code → fraction digits. */
  readonly currencies: MinorUnits
  readonly countries: ReadonlySet<string>
  readonly regions: ReadonlySet<string>
  readonly platforms: ReadonlySet<string>
  readonly categories: ReadonlySet<string>
  readonly units: ReadonlyMap<string, string>
  readonly games: ReadonlySet<string>
  readonly brands: ReadonlySet<string>
}

/** The shop's and the folder's together. */
export function knownWith(shop: Known, folder: CatalogueFolder): Known {
  const codes = (rows: readonly { readonly code: string }[]) => rows.map((row) => row.code)
  return {
    currencies: new Map([
      ...shop.currencies,
      ...folder.currencies.map((row) => [row.code, row.minor_units] as const),
    ]),
    countries: new Set([...shop.countries, ...codes(folder.countries)]),
    regions: new Set([...shop.regions, ...codes(folder.regions)]),
    platforms: new Set([...shop.platforms, ...codes(folder.platforms)]),
    categories: new Set([...shop.categories, ...codes(folder.categories)]),
    units: new Map([...shop.units, ...folder.units.map((row) => [row.key, row.name] as const)]),
    games: new Set([...shop.games, ...codes(folder.games)]),
    brands: new Set([...shop.brands, ...folder.brands.map(({ brand }) => brand.code)]),
  }
}
