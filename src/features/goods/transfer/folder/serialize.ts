const WIDTH = 160

/**
 * JSON for people: what fits on a line stands on one, two spaces a level, a final newline. The same value gives the same
 * text on every machine.
 */
export function serialize(value: unknown): string {
  return `${print(value, '', 0)}\n`
}

/** @param used characters that stand on the line already, and a comma that may follow */
function print(value: unknown, indent: string, used: number): string {
  const flat = printFlat(value)
  if (
    value === null ||
    typeof value !== 'object' ||
    indent.length + used + flat.length + 1 <= WIDTH
  )
    return flat
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((entry) => print(entry, inner, 0))
    : entriesOf(value).map(([key, entry]) => {
        const name = `${JSON.stringify(key)}: `
        return `${name}${print(entry, inner, name.length)}`
      })
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}

function printFlat(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printFlat).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const parts = entriesOf(value).map(
    ([key, entry]) => `${JSON.stringify(key)}: ${printFlat(entry)}`,
  )
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : '{}'
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, entry]) => entry !== undefined)
}
