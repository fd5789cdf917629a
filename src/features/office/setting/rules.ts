/** `shop.name` names the part `name` of the setting `shop`; `tax` the whole of one. */
export function placeOf(path: string): { readonly key: string; readonly part: string | null } {
  const dot = path.indexOf('.')
  return dot < 0
    ? { key: path, part: null }
    : { key: path.slice(0, dot), part: path.slice(dot + 1) }
}

/** What a text typed at a terminal may mean: JSON where it is some, and the text itself. */
export function readingsOf(text: string): unknown[] {
  try {
    return [JSON.parse(text), text]
  } catch {
    return [text]
  }
}

/** A row with one part of it changed, or taken away where there is no value for it. */
export function withPart(row: unknown, part: string | null, value: unknown): unknown {
  if (part === null) return value
  const parts = row !== null && typeof row === 'object' && !Array.isArray(row) ? row : {}
  return value === undefined
    ? Object.fromEntries(Object.entries(parts).filter(([name]) => name !== part))
    : { ...parts, [part]: value }
}

export function partOf(row: unknown, part: string | null): unknown {
  if (part === null) return row
  return row !== null && typeof row === 'object'
    ? (row as Readonly<Record<string, unknown>>)[part]
    : undefined
}
