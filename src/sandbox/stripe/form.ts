/** A form field by its name in brackets, "line_items[0][price_data][currency]" or "expand[]", as nested objects and lists. */
export interface Fields {
  readonly [name: string]: string | Fields
}

/** Stripe's encoding of nested parameters. Lists are objects whose names are numbers. */
export function readForm(form: URLSearchParams): Fields {
  const root: Record<string, string | Fields> = {}
  for (const [name, value] of form) {
    const [first = '', ...rest] = name.split('[').map((part) => part.replace(/\]$/, ''))
    put(root, [first, ...rest], value)
  }
  return root
}

function put(
  into: Record<string, string | Fields>,
  [name = '', ...rest]: readonly string[],
  value: string,
): void {
  const key = name === '' ? String(Object.keys(into).length) : name
  if (rest.length === 0) {
    into[key] = value
    return
  }
  const known = into[key]
  const inner =
    known === undefined || typeof known === 'string'
      ? {}
      : (known as Record<string, string | Fields>)
  into[key] = inner
  put(inner, rest, value)
}

/** The text at a path of names; '' where there is none. */
export function textAt(fields: Fields, ...path: readonly string[]): string {
  let at: string | Fields | undefined = fields
  for (const name of path) at = typeof at === 'object' ? at[name] : undefined
  return typeof at === 'string' ? at : ''
}

/** The texts of an object or a list by name. */
export function textsAt(fields: Fields, name: string): Readonly<Record<string, string>> {
  const at = fields[name]
  return typeof at === 'object'
    ? Object.fromEntries(
        Object.entries(at).flatMap(([key, value]) =>
          typeof value === 'string' ? [[key, value]] : [],
        ),
      )
    : {}
}
