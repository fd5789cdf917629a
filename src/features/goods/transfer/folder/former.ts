import type { StoredRows } from '../queries.ts'
import type { CatalogueFolder } from './catalogue.ts'

/** The folder with products under the codes that the shop has given them since: who still says a former one means the same goods. */
export function withCurrentCodes(folder: CatalogueFolder, stored: StoredRows): CatalogueFolder {
  const own = new Set(stored.product.map((row) => String(row['code'])))
  const current = new Map(
    stored.code_redirect.flatMap((row) => {
      const [from, to] = [String(row['old_code']), String(row['new_code'])]
      return row['kind'] === 'product' && own.has(to) && !own.has(from) ? [[from, to] as const] : []
    }),
  )
  // What the folder itself calls so goes before what the shop remembers.
  for (const { brand } of folder.brands)
    for (const { code } of brand.products)
      for (const [from, to] of current) if (to === code) current.delete(from)
  for (const from of Object.values(folder.redirects.product ?? {})) current.delete(from)
  if (current.size === 0) return folder
  return {
    ...folder,
    brands: folder.brands.map((entry) => ({
      ...entry,
      brand: {
        ...entry.brand,
        products: entry.brand.products.map((product) => ({
          ...product,
          code: current.get(product.code) ?? product.code,
        })),
      },
    })),
  }
}
