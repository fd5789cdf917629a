import { lockedColumns, type Change, type TableDiff } from './diff.ts'
import { keyOf, type Row } from './tables.ts'

/** Pictures of a folder without those of goods whose picture an operator has locked. */
export function unlockedPictures(
  wanted: readonly Row[],
  stored: { readonly brand: readonly Row[]; readonly product: readonly Row[] },
): readonly Row[] {
  const ofLocked = (of: 'brand' | 'product') =>
    stored[of]
      .filter(({ locked_fields: names }) => Array.isArray(names) && names.includes('picture'))
      .map(({ code }) => `${of}/${String(code)}`)
  const locked = new Set([...ofLocked('brand'), ...ofLocked('product')])
  return locked.size === 0 ? wanted : wanted.filter(({ code }) => !locked.has(String(code)))
}

/**
 * Products wear their brand's picture unless they have their own. Those that a folder does not name follow the brand as well,
 * when the folder gives it another picture or takes it away.
 * @param diff of the products
 */
export function followBrandPictures(
  diff: TableDiff,
  stored: { readonly brand: readonly Row[]; readonly product: readonly Row[] },
  wanted: { readonly brand: readonly Row[]; readonly product: readonly Row[] },
): TableDiff {
  const kept = new Set(
    stored.brand
      .filter(
        (row) => row['locked_fields'] instanceof Array && row['locked_fields'].includes('picture'),
      )
      .map((row) => row['code']),
  )
  const pictures = new Map(
    wanted.brand
      .filter((row) => !kept.has(row['code']))
      .map((row) => [row['code'], row['picture'] ?? null]),
  )
  const named = new Set(wanted.product.map((row) => row['code']))
  const changes = new Map(diff.changes.map((change) => [change.code, change]))
  for (const row of stored.product) {
    const picture = pictures.get(row['brand'])
    if (picture === undefined || named.has(row['code']) || picture === row['picture']) continue
    if (
      row['picture'] === `product/${String(row['code'])}` ||
      lockedColumns(diff.spec, row).has('picture')
    )
      continue
    const code = keyOf(diff.spec, row)
    changes.set(
      code,
      withPicture(
        changes.get(code) ?? { action: 'update', code, before: {}, after: {}, row },
        row,
        picture,
      ),
    )
  }
  return { ...diff, changes: [...changes.values()] }
}

function withPicture(change: Change, { picture: before }: Row, picture: unknown): Change {
  return {
    ...change,
    before: { ...change.before, picture: before },
    after: { ...change.after, picture },
    row: { ...change.row, picture },
  }
}
