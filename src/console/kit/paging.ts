/** Where a page of a list that is walked both ways begins: beyond what, and which way. */
export interface Edge {
  readonly key: string
  readonly direction: 'older' | 'newer'
}

/** The edge that an address names; null for the first page. */
export function edgeOf(query: URLSearchParams, key: RegExp): Edge | null {
  for (const direction of ['older', 'newer'] as const) {
    const named = query.get(direction)
    if (named !== null && key.test(named)) return { key: named, direction }
  }
  return null
}

/** Rows of such a page, and where the pages beside it begin. @param found one more than is shown, where there is one */
export function pageBeyond<Row>(
  found: readonly Row[],
  most: number,
  from: Edge | null,
  keyOf: (row: Row) => string,
): {
  readonly shown: readonly Row[]
  readonly newer: Edge | null
  readonly older: Edge | null
} {
  const isMore = found.length > most
  const shown = from?.direction === 'newer' ? found.slice(-most) : found.slice(0, most)
  // A page that has run empty meanwhile leads back to where it began.
  const edge = (direction: Edge['direction'], row: Row | undefined) => {
    const key = row === undefined ? from?.key : keyOf(row)
    return key === undefined ? null : { key, direction }
  }
  return {
    shown,
    newer: from && (from.direction === 'older' || isMore) ? edge('newer', shown.at(0)) : null,
    older: isMore || from?.direction === 'newer' ? edge('older', shown.at(-1)) : null,
  }
}
