type Row = Readonly<Record<string, unknown>>

/** Categories under which others have pages of their own; those of phones are two, made by the program. */
const OPEN_ROOTS: ReadonlySet<unknown> = new Set(['/cards', '/top-up', '/game'])

/** The category above all of a category, which its address begins with. */
export function rootOf(tree: readonly Row[], code: unknown): Row | undefined {
  let one = tree.find((other) => other['code'] === code)
  for (let up = 0; one && one['parent'] !== null && up < tree.length; up += 1) {
    const above: unknown = one['parent']
    one = tree.find((other) => other['code'] === above)
  }
  return one
}

export const isOpenRoot = (root: Row | undefined): boolean => OPEN_ROOTS.has(root?.['path'])

/** Where the page of a new category is in the shop: beside those it stands with. */
export const pathUnder = (tree: readonly Row[], parent: unknown, code: string): string =>
  `${String(rootOf(tree, parent)?.['path'] ?? '/')}-category/${code}`

/** Codes of the categories that one may stand under: where its address stays what it is. @param code null for a new one */
export function parentsFor(tree: readonly Row[], code: string | null): ReadonlySet<string> {
  const own = code === null ? undefined : rootOf(tree, code)
  const isBelow = (other: unknown): boolean => {
    let one = tree.find((row) => row['code'] === other)
    for (let up = 0; one && up <= tree.length; up += 1) {
      if (one['code'] === code) return true
      const above: unknown = one['parent']
      one = tree.find((row) => row['code'] === above)
    }
    return false
  }
  const fits = ({ code: other }: Row) =>
    code === null
      ? isOpenRoot(rootOf(tree, other))
      : rootOf(tree, other)?.['code'] === own?.['code'] && !isBelow(other)
  return new Set(tree.filter(fits).map((row) => String(row['code'])))
}
