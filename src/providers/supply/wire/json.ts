/**
 * Reads JSON with every number as the text it came as: amounts stay exact, and an id longer than a double is wide stays itself.
 * Undefined for what is no JSON.
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text, numbersAsText as (key: string, value: unknown) => unknown)
  } catch {
    return undefined
  }
}

function numbersAsText(
  _key: string,
  value: unknown,
  context: { readonly source?: string },
): unknown {
  return typeof value === 'number' ? (context.source ?? String(value)) : value
}
