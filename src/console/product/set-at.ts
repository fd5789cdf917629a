type Path = readonly (string | number)[]

/** The text at a place within a value; null where there is none. */
export function textAt(value: unknown, path: Path): string | null {
  let at: unknown = value
  for (const key of path) {
    if (at === null || typeof at !== 'object') return null
    at = (at as Readonly<Record<string, unknown>>)[key]
  }
  return typeof at === 'string' ? at : null
}

/** The same value with another one at a place; what is taken away leaves no gap. */
export function setAt(value: unknown, path: Path, to: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return to
  if (typeof key === 'number') {
    const list = Array.isArray(value) ? [...(value as readonly unknown[])] : []
    const made = setAt(list[key], rest, to)
    if (made === null) list.splice(key, 1)
    else list[key] = made
    return list.length === 0 ? null : list
  }
  const parts = { ...(value as Readonly<Record<string, unknown>> | null) }
  const made = setAt(parts[key] ?? null, rest, to)
  if (made === null) delete parts[key]
  else parts[key] = made
  return Object.keys(parts).length === 0 ? null : parts
}
