import type { CatalogueFolder } from './catalogue.ts'
import type { Fault } from './faults.ts'
import type { StoredRows } from '../queries.ts'

/** What a folder, right in itself, cannot say to this shop. */
export function findConflicts(
  folder: CatalogueFolder,
  stored: StoredRows,
  source: string,
): Fault[] {
  return [
    ...categoryConflicts(folder, stored),
    ...regionConflicts(folder, stored),
    ...reviewConflicts(folder, stored, source),
  ]
}

function categoryConflicts(folder: CatalogueFolder, stored: StoredRows): Fault[] {
  const ids = new Map(stored.category.map((row) => [row['code'], row['id']]))
  return folder.categories.flatMap((row, index) => {
    const id = ids.get(row.code)
    if (id === undefined || id === row.id) return []
    return [
      {
        file: 'categories.json',
        path: `categories[${index}].id`,
        message: `${row.code} has the id ${id} in this shop`,
      },
    ]
  })
}

/** A brand has one product a region: a new code for it is a rename. */
function regionConflicts(folder: CatalogueFolder, stored: StoredRows): Fault[] {
  const codes = new Map(
    stored.product.map((row) => [`${row['brand']} ${row['region']}`, row['code']]),
  )
  return folder.brands.flatMap(({ file, path, brand }) =>
    brand.products.flatMap((product, index) => {
      const code = codes.get(`${brand.code} ${product.region}`)
      if (code === undefined || code === product.code) return []
      const message = `this shop has ${String(code)} for ${brand.code} in region ${product.region}; say in redirects.json that it is called ${product.code} now`
      return [{ file, path: `${path}${path ? '.' : ''}products[${index}].code`, message }]
    }),
  )
}

/** Reviews of shoppers have numbers of their own. */
function reviewConflicts(folder: CatalogueFolder, stored: StoredRows, source: string): Fault[] {
  const sources = new Map(stored.review.map((row) => [row['id'], row['source']]))
  return folder.reviews.flatMap((row, index) => {
    const owner = sources.get(String(row.id))
    if (owner === undefined || owner === (row.source ?? source)) return []
    return [
      {
        file: 'reviews.json',
        path: `reviews[${index}].id`,
        message: `the shop has another review of this number, from ${String(owner)}`,
      },
    ]
  })
}
